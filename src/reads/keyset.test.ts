import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type Json, type TestService } from '../../test/support/service.ts'

// Few sort values, so that most rows tie or have none. The last decimals are more precise than responses.
type Row = { id: string; sort: string | number | null }
type Collection = {
  path: string
  direction: 1 | -1
  sorts: Row['sort'][]
  empty: () => Promise<unknown>
  insert: (rows: Row[]) => Promise<unknown>
}

let service: TestService
let key: string
let house: string
let owner: { auction: string; session: string; item: string }

before(async () => {
  service = await startService({
    records: [
      houseLine('walks'),
      { type: 'auction', id: uuid(1), ref: 'auction', title: 'A', archived: true },
      { type: 'session', id: uuid(2), ref: 'session', auction: 'auction', kind: 'timed' },
      { type: 'item', id: uuid(3), title: 'I' },
    ],
  })
  key = await service.issueKey('walks')
  const found = await sql<typeof owner & { house: string }>`
    select s.house_id as house, s.auction_id as auction, s.id as session, i.id as item
    from catalogue.sessions s join catalogue.items i on i.house_id = s.house_id`.execute(service.db)
  ;({ house, ...owner } = found.rows[0]!)
})

after(() => service.close())

const times = [
  null,
  '2026-01-01T00:00:00.000001Z',
  '2026-01-01T00:00:00.000002Z',
  '2026-06-01T00:00:00Z',
  '1999-12-31T23:59:59Z',
]

const run = (text: string, ...values: unknown[]) => service.pool.query(text, values)
const ofHouse = (table: string) => () => run(`delete from catalogue.${table} where house_id = $1`, house)
const columns = (rows: Row[]) => [rows.map(({ id }) => id), rows.map(({ sort }) => sort)]
const source = 'from unnest($2::uuid[], $3::timestamptz[]) as rows (id, sort)'

const collections: Collection[] = [
  {
    path: '/api/v2/lots',
    direction: 1,
    sorts: [null, 1, 2, 2147483647, -7],
    empty: ofHouse('lots'),
    insert: (rows) =>
      run(
        // A session cannot repeat a number, so each lot gets its own session.
        `with own as (insert into catalogue.sessions (house_id, public_id, auction_id, kind)
          select $1, gen_random_uuid(), $4, 'timed' from unnest($2::uuid[]) returning id),
          numbered as (select id, row_number() over () as place from own)
        insert into catalogue.lots (house_id, public_id, lot_number, auction_id, session_id, item_id)
        select $1, rows.id, sort, $4, numbered.id, $5
        from unnest($2::uuid[], $3::int[]) with ordinality as rows (id, sort, place) join numbered using (place)`,
        house,
        ...columns(rows),
        owner.auction,
        owner.item,
      ),
  },
  {
    path: `/api/v2/sessions?auction=${uuid(4)}`,
    direction: -1,
    sorts: times,
    empty: async () => {
      await run('delete from catalogue.lots where house_id = $1', house)
      await run('delete from catalogue.sessions where house_id = $1', house)
      await run('delete from catalogue.auctions where public_id = $1', uuid(4))
      await run(
        `insert into catalogue.auctions (house_id, public_id, title, slug, archived) values ($1, $2, 'B', 'b', true)`,
        house,
        uuid(4),
      )
    },
    insert: (rows) =>
      run(
        `insert into catalogue.sessions (house_id, public_id, opens_at, auction_id, kind)
        select $1, id, sort, (select id from catalogue.auctions where public_id = $4), 'live' ${source}`,
        house,
        ...columns(rows),
        uuid(4),
      ),
  },
  {
    path: '/api/v2/auctions?published=false',
    direction: -1,
    sorts: times,
    empty: () => run('delete from catalogue.auctions where house_id = $1 and not archived', house),
    insert: (rows) =>
      run(
        `insert into catalogue.auctions (house_id, public_id, created_at, title, slug) select $1, id, sort, 'A', id::text ${source}`,
        house,
        ...columns(rows),
      ),
  },
  {
    path: `/api/v2/items/${uuid(3)}/images`,
    direction: 1,
    sorts: times,
    empty: ofHouse('images'),
    insert: (rows) =>
      run(
        `insert into catalogue.images (house_id, public_id, created_at, item_id, public) select $1, id, sort, $4, true ${source}`,
        house,
        ...columns(rows),
        owner.item,
      ),
  },
  {
    path: '/api/v2/images?public=true',
    direction: 1,
    sorts: times,
    empty: ofHouse('images'),
    insert: (rows) =>
      run(
        `insert into catalogue.images (house_id, public_id, created_at, item_id, public) select $1, id, sort, $4, true ${source}`,
        house,
        ...columns(rows),
        owner.item,
      ),
  },
  {
    path: '/api/v2/sellers?seller_number=7',
    direction: -1,
    sorts: times,
    empty: ofHouse('sellers'),
    insert: (rows) =>
      run(
        `insert into catalogue.sellers (house_id, public_id, created_at, seller_number) select $1, id, sort, 7 ${source}`,
        house,
        ...columns(rows),
      ),
  },
]

/** The order of a list: rows without a sort value last, ids in the direction of the sort. */
function compare({ direction }: Collection) {
  return (one: Row, other: Row): number => {
    if ((one.sort === null) !== (other.sort === null)) return one.sort === null ? 1 : -1
    if (one.sort !== other.sort) return direction * (one.sort! < other.sort! ? -1 : 1)
    return direction * (one.id < other.id ? -1 : 1)
  }
}

for (const collection of collections) {
  test(`a walk through ${collection.path} neither repeats nor skips a row, whatever is inserted meanwhile`, async () => {
    const row = fc.record({ id: fc.uuid(), sort: fc.constantFrom(...collection.sorts) })
    const order = compare(collection)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 24 }),
        fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
        async (rows, late, limits) => {
          const inserts = late.filter(({ id }) => rows.every((each) => each.id !== id))
          await collection.empty()
          await collection.insert(rows)
          const walked: string[] = []
          const missed = new Set<string>()
          for (let page = 0, cursor: string | null = ''; cursor !== null; page++) {
            const url = new URL(collection.path, 'http://here')
            url.searchParams.set('limit', String(limits[page % limits.length]))
            if (cursor !== '') url.searchParams.set('cursor', cursor)
            const reply = await service.get(url.pathname + url.search, key)
            assert.equal(reply.statusCode, 200, reply.payload)
            const { data, next_cursor } = reply.json<{ data: Json[]; next_cursor: string | null }>()
            walked.push(...data.map(({ id }) => id.slice(4)))
            cursor = next_cursor
            const inserted = inserts.shift()
            if (inserted === undefined) continue
            await collection.insert([inserted])
            const position = [...rows, ...late].find(({ id }) => id === walked.at(-1))!
            if (order(inserted, position) < 0) missed.add(inserted.id)
          }
          const known = new Map([...rows, ...late].map((each) => [each.id, each]))
          const sorted = walked.map((id) => known.get(id)!).toSorted(order)
          assert.deepEqual(
            walked,
            sorted.map(({ id }) => id),
          )
          assert.equal(new Set(walked).size, walked.length)
          for (const { id } of rows) assert.ok(walked.includes(id))
          for (const id of missed) assert.ok(!walked.includes(id))
        },
      ),
      { numRuns: 25 },
    )
  })
}
