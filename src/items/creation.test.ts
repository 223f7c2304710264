import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { lockRecord, whileLocked } from '../../test/support/locks.ts'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type Json } from '../../test/support/service.ts'
import { locales } from '../values/locales.ts'
import { textNames } from './texts.ts'

const some = (kind: number) => Array.from({ length: 6 }, (_, at) => uuid(kind * 100 + at))
const [sellers, consignments, makers, categories, classes] = [1, 2, 3, 4, 5].map(some) as [
  string[],
  string[],
  string[],
  string[],
  string[],
]
const house = (slug: string, locale: string, kept: Line[] = []): Line[] => [
  { ...houseLine(slug), default_locale: locale },
  ...kept,
]
const service = await startService({
  records: house('house', 'nl', [
    ...sellers.map((id): Line => ({ type: 'seller', id, seller_number: 1 })),
    ...consignments.map((id, at): Line => ({ type: 'consignment', id, number: '1', seller: sellers[at] })),
    ...makers.map((id): Line => ({ type: 'maker', id, name: 'x' })),
    ...categories.map((id, at): Line => ({ type: 'category', id, slug: `x${at}` })),
    ...classes.map((id): Line => ({ type: 'delivery_class', id, name: 'x' })),
    { type: 'item', id: uuid(1), external_reference: 'taken', title: 'x' },
  ]),
})
await service.load(house('french', 'fr'))
after(() => service.close())
const key = await service.issueKey('house')
const other = await service.issueKey('house')

async function create(body: object, { name, by = key }: { name?: string; by?: string } = {}) {
  const headers = name === undefined ? {} : { 'idempotency-key': name }
  const reply = await service.request({ method: 'POST', url: '/api/v2/items', key: by, body, headers })
  type Body = { data?: Json; type?: string }
  const { data, type } = reply.json<Body>()
  return { reply, status: reply.statusCode, id: data?.id, data, problem: type?.split('/').at(-1) }
}

let state = 42
const below = (count: number) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % count
const pick = <Value>(values: readonly Value[]) => values[below(values.length)]!
const maybe = <Value>(value: () => Value) => (below(2) === 0 ? {} : value())
const pieces = [
  'é',
  '"',
  '\\',
  '\n',
  '\t',
  '\u{1}',
  '\u{7f}',
  '\u{2028}',
  '😀',
  '/',
  'x ',
  '{}',
  '<',
  "'",
  ',',
  'NULL',
  '{',
  '漢',
]
const text = () => `v${Array.from({ length: below(12) }, () => pick(pieces)).join('')}`
const texts = () => Object.fromEntries(textNames.flatMap((name) => (below(3) === 0 ? [] : [[name, text()]])))
const few = (kind: string, ids: string[]) =>
  [...new Set(Array.from({ length: below(4) }, () => pick(ids)))].map((id) => `${kind}_${id}`)

let references = 0
function randomItem(locale: string): object {
  const bound = (least: number) => ({ amount: 100 * (least + below(1_000)), currency: 'EUR' })
  const isOwner = locale === 'nl' && below(2) === 0
  return {
    external_reference: `${text()} ${++references}`,
    ...texts(),
    title: text(),
    ...maybe(() => ({
      translations: Object.fromEntries(
        locales.filter((each) => each !== locale && below(4) === 0).map((each) => [each, texts()]),
      ),
    })),
    ...maybe(() => ({
      estimate: pick([null, {}, { low: bound(0) }, { high: bound(0) }, { low: bound(0), high: bound(1_000) }]),
    })),
    ...(locale === 'nl' && {
      ...maybe(() => ({ categories: few('cat', categories), makers: few('mkr', makers) })),
      ...maybe(() => ({ delivery_class: `dlc_${pick(classes)}` })),
      ...(isOwner
        ? maybe(() => ({ consignment: `con_${pick(consignments)}` }))
        : maybe(() => ({ seller: `sel_${pick(sellers)}` }))),
    }),
  }
}

test('created items of any texts, bounds and links are answered byte for byte as a read shows them, with its ETag', async () => {
  const french = await service.issueKey('french')
  for (const [by, locale, rounds] of [
    [key, 'nl', 24],
    [french, 'fr', 8],
  ] as const)
    for (let round = 0; round < rounds; round++) {
      const expand = round % 4 === 0 ? '?expand[]=images' : ''
      const made = await Promise.all(
        Array.from({ length: 16 }, () =>
          service.request({ method: 'POST', url: `/api/v2/items${expand}`, key: by, body: randomItem(locale) }),
        ),
      )
      for (const reply of made) {
        assert.equal(reply.statusCode, 201, reply.payload)
        const read = await service.get(`${reply.headers['location'] as string}${expand}`, by)
        assert.equal(reply.payload, read.payload)
        assert.equal(reply.headers['etag'], read.headers['etag'])
      }
    }
})

test('creations of one moment share transactions, and each has its own row in the journal, its key and its time', async () => {
  const before = await countTransactions()
  const made = await Promise.all(
    Array.from({ length: 64 }, (_, at) =>
      create({ external_reference: `shared ${at}`, title: 'x' }, at % 2 === 0 ? { name: `k${at}` } : { by: other }),
    ),
  )
  assert.ok(made.every(({ status }) => status === 201))
  assert.ok((await countTransactions()) - before < 64)
  const { rows } = await sql<{ record: string; actor: string; operation: string }>`
    select 'itm_' || record as record, actor_id as actor, operation from catalogue.journal where changes like '%"shared %'`.execute(
    service.db,
  )
  assert.deepEqual(new Set(rows.map(({ record }) => record)), new Set(made.map(({ id }) => id)))
  assert.equal(rows.length, 64)
  assert.equal(new Set(rows.map(({ actor }) => actor)).size, 2)
  assert.ok(rows.every(({ operation }) => operation === 'createItem'))
  for (const [at, { reply }] of made.entries()) {
    if (at % 2 !== 0) continue
    const again = await create({ external_reference: `shared ${at}`, title: 'x' }, { name: `k${at}` })
    assert.equal(again.reply.headers['idempotent-replayed'], 'true')
    assert.equal(again.reply.payload, reply.payload)
  }
})

// Rows of one transaction have one xmin.
async function countTransactions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::int as count from catalogue.items`.execute(service.db)
  return rows[0]!.count
}

test('what refuses or repeats a creation decides about it alone, and the others of its moment are created', async () => {
  for (const name of ['first', 'third']) await create({ external_reference: name, title: 'x' }, { name })
  const wanted: [expected: string, ...call: Parameters<typeof create>][] = [
    ['201', { external_reference: 'good 1', title: 'x', makers: [`mkr_${makers[0]}`] }],
    ['409 duplicate-reference', { external_reference: 'taken', title: 'x' }],
    ['422 validation-failed', { external_reference: 'bad', title: 'x', seller: `sel_${uuid(9_999)}` }],
    ['409 duplicate-reference', { external_reference: 'taken', title: 'x', seller: `sel_${uuid(9_999)}` }],
    ['201', { external_reference: 'good 2', title: 'x' }, { name: 'second' }],
    ['replayed', { external_reference: 'first', title: 'x' }, { name: 'first' }],
    ['422 idempotency-key-reused', { external_reference: 'other', title: 'x' }, { name: 'third' }],
    ['201', { external_reference: 'large', title: 'x', description: 'é'.repeat(100_000) }, { name: 'large' }],
    ['201', { external_reference: 'good 3', title: 'x', consignment: `con_${consignments[0]}` }, { by: other }],
  ]
  const answers = await Promise.all(wanted.map(([, ...call]) => create(...call)))
  const said = answers.map(({ reply, status, problem }) =>
    reply.headers['idempotent-replayed'] === 'true' ? 'replayed' : [status, problem].filter(Boolean).join(' '),
  )
  assert.deepEqual(
    said,
    wanted.map(([expected]) => expected),
  )
  const { rows } = await sql<{ reference: string }>`
    select external_reference as reference from catalogue.items
    where external_reference in ('good 1', 'good 2', 'good 3', 'bad', 'other', 'large', 'taken', 'first')`.execute(
    service.db,
  )
  assert.deepEqual(rows.map(({ reference }) => reference).toSorted(), [
    'first',
    'good 1',
    'good 2',
    'good 3',
    'large',
    'taken',
  ])
})

test('of the same keys and of the same references at once, one is created', async () => {
  const keyed = await Promise.all(
    Array.from({ length: 12 }, () => create({ external_reference: 'k', title: 'x' }, { name: 'same' })),
  )
  assert.equal(new Set(keyed.flatMap(({ id }) => id ?? [])).size, 1)
  for (const { status, problem } of keyed) assert.ok(status === 201 || problem === 'idempotency-key-in-use', problem)
  const equal = await Promise.all(
    Array.from({ length: 12 }, (_, at) => create({ external_reference: 'r', title: 'x' }, { name: `r${at}` })),
  )
  assert.deepEqual(
    equal.map(({ status }) => status).toSorted((one, next) => one - next),
    [201, ...Array.from({ length: 11 }, () => 409)],
  )
})

test('a creation that waits for a record or a reference keeps no other one waiting', async () => {
  let others: Awaited<ReturnType<typeof create>>[] = []
  const locked = await whileLocked(
    service.db,
    async (tx) => {
      await lockRecord(tx, 'sellers', sellers[5]!)
      await sql`insert into catalogue.items (house_id, public_id, external_reference, title)
        select house_id, ${uuid(77)}, 'uncommitted', 'x' from catalogue.sellers where public_id = ${sellers[5]!}`.execute(
        tx,
      )
    },
    async () => {
      const waiting = create({ external_reference: 'waits', title: 'x', seller: `sel_${sellers[5]}` })
      const taken = create({ external_reference: 'uncommitted', title: 'x' })
      others = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          create({ external_reference: `beside ${at}`, title: 'x', seller: `sel_${sellers[0]}` }),
        ),
      )
      return Promise.all([waiting, taken])
    },
  )
  assert.ok(others.every(({ status }) => status === 201))
  const [result] = locked
  assert.ok(result?.status === 'fulfilled')
  const [waited, taken] = result.value
  assert.deepEqual([waited.status, taken.status, taken.problem], [201, 409, 'duplicate-reference'])
})

test('a creation whose consignment has a seller that is locked waits alone, and no transaction of the others fails', async () => {
  const withdrawn = () => service.statements.filter(({ text }) => text === 'rollback').length
  const before = withdrawn()
  const [result] = await whileLocked(
    service.db,
    (tx) => lockRecord(tx, 'sellers', sellers[3]!),
    async () => {
      const waiting = create({ external_reference: 'inherits', title: 'x', consignment: `con_${consignments[3]}` })
      const others = Array.from({ length: 8 }, (_, at) => create({ external_reference: `around ${at}`, title: 'x' }))
      assert.ok((await Promise.all(others)).every(({ status }) => status === 201))
      return waiting
    },
  )
  assert.ok(result?.status === 'fulfilled')
  assert.deepEqual([result.value.status, result.value.data?.seller], [201, `sel_${sellers[3]}`])
  assert.equal(withdrawn(), before)
})

test('an item whose inherited seller has no public id is refused as a read would refuse it, and others are created', async () => {
  await sql`update catalogue.sellers set public_id = null where public_id = ${sellers[4]!}`.execute(service.db)
  const [defective, good] = await Promise.all([
    create({ external_reference: 'defective', title: 'x', consignment: `con_${consignments[4]}` }),
    create({ external_reference: 'sound', title: 'x' }),
  ])
  assert.deepEqual([defective.status, defective.problem, good.status], [500, 'integrity-unavailable', 201])
  const { rows } = await sql`select from catalogue.items where external_reference = 'defective'`.execute(service.db)
  assert.equal(rows.length, 0)
})
