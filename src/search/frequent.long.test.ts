import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { findHouse } from '../houses/locks.ts'
import { search } from './search.ts'

const all = 10_300
const timed = { first_closes_at: '2099-01-01T00:00:00Z', group_size: 1, interval_seconds: 60 }
const created = (number: number) => ({ created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString() })
const textsOf = (number: number) => {
  if (number === 300) return { title: 'Zeldzaam' }
  return number <= 200 || number > 10_280 ? { title: 'Vaas' } : { title: 'Stoel', description: 'met een vaas' }
}

function* records(): Generator<Line> {
  yield houseLine('north')
  yield { type: 'auction', id: uuid(20_001), title: 'Spring', published: true }
  const opens_at = '2020-01-01T00:00:00Z'
  const session = { auction: uuid(20_001), titles: { nl: 'Zitting' }, kind: 'timed', opens_at, timed, published: true }
  yield { type: 'session', id: uuid(20_002), ...session }
  for (let number = 1; number <= all; number++) {
    yield { type: 'item', id: uuid(number), ...textsOf(number), ...created(number) }
    yield {
      type: 'lot',
      session: uuid(20_002),
      item: uuid(number),
      lot_number: number,
      active: true,
      ...created(number),
    }
  }
}

let service: TestService

before(async () => {
  service = await startService({ records: [...records()] })
})

after(() => service.close())

/** The numbers of the first page. A busy machine cuts a search off after a second; it is then repeated. */
async function find(kind: 'lot' | 'item', q: string): Promise<{ count: number; numbers: number[] }> {
  const { db } = service
  const house = (await findHouse(db, 'north'))!
  const now = new Date()
  const context = { db, house, now, clock: () => now, mediaBase: '' }
  const sorting = { by: 'relevance', descending: false } as const
  const asked = {
    kind,
    q,
    filters: {},
    sorting,
    facets: [],
    limit: 25,
    categories: true,
    after: undefined,
    taken: undefined,
  }
  for (;;) {
    try {
      const { page, count } = await search(context, asked)
      const { rows } = await sql<{ number: number }>`
        select right(i.public_id::text, 6)::int as number from unnest(${page.map(({ row }) => row)}::bigint[]) with ordinality p (id, place)
        left join catalogue.lots l on l.house_id = ${house.id} and l.id = p.id and ${kind === 'lot'}::boolean
        join catalogue.items i on i.house_id = ${house.id} and i.id = coalesce(l.item_id, p.id) order by p.place`.execute(
        db,
      )
      return { count, numbers: rows.slice(0, 25).map(({ number }) => number) }
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === '57014')) throw error
    }
  }
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('of more than 10,000 matches those created last are ranked, however they are found', async () => {
  const newest = { count: 10_001, numbers: range(10_276, 10_300).toReversed() }
  assert.deepEqual(await find('item', 'vaas '), newest)
  // Words that are taken away are looked for in the index of keys.
  assert.deepEqual(await find('item', 'vaas -zeldzaam '), newest)

  const byNumber = { count: 10_001, numbers: [...range(10_281, 10_300), ...range(301, 305)] }
  assert.deepEqual(await find('lot', 'vaas '), byNumber)
  assert.deepEqual(await find('lot', 'vaas -zeldzaam '), byNumber)
})
