import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { allPermissions } from '../context.ts'
import { catalogueOf, uuid, type Line } from '../../test/support/lines.ts'
import { lockRecord, whileLocked } from '../../test/support/locks.ts'
import { checksum, openWriting } from '../../test/support/writing.ts'
import type { Call, Json } from '../../test/support/service.ts'

const [{ ids }, theirs] = [catalogueOf(1), catalogueOf(2)]
const category = (number: number) => `cat_${uuid(100 + number)}`
const maker = (number: number) => `mkr_${uuid(200 + number)}`
const classOf = (number: number) => `dlc_${uuid(300 + number)}`
const numbers = [0, 1, 2]

// The same item twice: one is changed alone, the other with others.
const linked = {
  categories: [category(0), category(1)],
  makers: [maker(0), maker(1)],
  delivery_class: classOf(0),
}
const single = (at: number) => `itm_${uuid(1000 + at)}`
const together = (at: number) => `itm_${uuid(2000 + at)}`
const changes: Record<string, unknown>[] = [
  { categories: [category(2), category(1)] },
  { categories: [category(1), category(0)] },
  { categories: [] },
  { makers: [maker(1), maker(0)] },
  { makers: [maker(2), maker(1)] },
  { makers: [], delivery_class: null },
  { delivery_class: classOf(1) },
  { delivery_class: classOf(0), categories: [category(0), category(1)], makers: [maker(0), maker(1)] },
  { categories: [category(2)], makers: [maker(2), maker(0), maker(1)], delivery_class: classOf(2) },
  {},
]
const records: Line[] = [
  ...numbers.map((at) => ({ type: 'category' as const, id: category(at), slug: `c-${at}` })),
  ...numbers.map((at) => ({ type: 'maker' as const, id: maker(at), name: `Maker ${at}` })),
  ...numbers.map((at) => ({ type: 'delivery_class' as const, id: classOf(at), name: `Class ${at}` })),
  ...changes.flatMap((_, at): Line[] =>
    [single(at), together(at)].map((id) => ({ type: 'item', id, title: `Item ${at}`, ...linked })),
  ),
]
const {
  send: sendTo,
  db,
  get,
  key,
  issueKey,
  load,
  close,
} = await openWriting([...catalogueOf(1).lines.slice(1), ...records])
after(close)
await load(theirs.lines)

const change = (items: unknown, call: Partial<Call> = {}) =>
  sendTo('PATCH', '', { items }, { url: '/staff/v1/items', ...call })
const readItem = async (id: string) => (await get(`/api/v2/items/${id}`, key)).json<{ data: Json }>().data
type Row = {
  record: string | null
  operation: string
  changes: { record: string; field: string; old: unknown; new: unknown }[]
}
const rowsOf = async (id: string) =>
  (await get(`/staff/v1/journal?record=${id}&operation=changeItems`, key)).json<{ data: Row[] }>().data

test('many items get what each would get alone, in the answer in their order, and in one row of the journal', async () => {
  const before = await Promise.all(changes.map((_, at) => readItem(together(at))))
  for (const [at, body] of changes.entries())
    assert.equal((await sendTo('PATCH', `items/${single(at)}`, body)).status, 200)
  const order = changes.keys().toArray().toReversed()
  const changed = await change(order.map((at) => ({ item: together(at), ...changes[at] })))
  assert.equal(changed.status, 200)
  assert.deepEqual(changed.data, await Promise.all(order.map((at) => readItem(together(at)))))
  const links = ({ categories, makers, delivery_class }: Json) => ({ categories, makers, delivery_class })
  const isSame: boolean[] = []
  for (const at of changes.keys()) {
    const [alone, among] = [await readItem(single(at)), await readItem(together(at))]
    assert.deepEqual(links(among), links(alone), JSON.stringify(changes[at]))
    assert.equal(among['updated_at'] === before[at]!['updated_at'], alone['updated_at'] === alone['created_at'])
    isSame.push(among['updated_at'] === before[at]!['updated_at'])
  }
  assert.deepEqual(isSame, [false, true, false, false, false, false, false, true, false, true])
  assert.deepEqual(links(await readItem(together(8))), links(changes[8] as Json))
  assert.deepEqual(links(await readItem(together(9))), linked)
  const [row, ...others] = await rowsOf(together(0))
  assert.equal(others.length, 0)
  assert.equal(row!.record, null)
  assert.deepEqual(
    new Set(row!.changes.map(({ record }) => record)),
    new Set(
      changes
        .keys()
        .filter((at) => !isSame[at])
        .map(together),
    ),
  )
  assert.deepEqual(
    row!.changes.filter(({ record }) => record === together(6)),
    [{ record: together(6), field: 'delivery_class', old: classOf(0), new: classOf(1) }],
  )
})

test('what repeats what is stored changes nothing, and leaves no row in the journal', async () => {
  const body = [
    { item: ids.plainItem, categories: [ids.category], makers: [ids.maker], delivery_class: ids.deliveryClass },
  ]
  assert.equal((await change(body)).status, 200)
  const [before, rows] = [await checksum(db), await rowsOf(ids.plainItem)]
  assert.equal(rows.length, 1)
  assert.equal((await change(body)).status, 200)
  assert.equal(await checksum(db), before)
})

test('the lots of the items change with them', async () => {
  const readLot = async () => (await get(`/api/v2/lots/${ids.lot}`, key)).json<{ data: Json }>().data
  const before = await readLot()
  assert.equal(
    (
      await change([
        { item: ids.item, makers: [maker(0)] },
        { item: together(9), makers: [] },
      ])
    ).status,
    200,
  )
  assert.notEqual((await readLot())['updated_at'], before['updated_at'])
})

test('all errors of all items are named together, and none changes', async () => {
  const before = await checksum(db)
  const missing = uuid(999)
  const refused = await change([
    { item: together(0), categories: [category(0), `cat_${missing}`], delivery_class: `dlc_${missing}` },
    { item: `itm_${missing}`, categories: [] },
    { item: theirs.ids.item },
    { item: together(1), makers: [theirs.ids.maker] },
    { item: together(2), delivery_class: classOf(1) },
  ])
  assert.deepEqual(
    [refused.status, refused.errors],
    [
      422,
      [
        'items.0.delivery_class unavailable',
        'items.0.categories.1 unavailable',
        'items.1.item unavailable',
        'items.2.item unavailable',
        'items.3.makers.0 unavailable',
      ],
    ],
  )
  const shaped = await change([
    { item: together(0), seller: null },
    { item: together(0).toUpperCase().replace('ITM_', '') },
    { item: 'x', categories: [category(0), category(0)] },
  ])
  assert.deepEqual(shaped.errors.toSorted(), [
    'items.0.seller unknown_field',
    'items.1.item duplicate',
    'items.2.categories.1 duplicate',
    'items.2.item invalid',
  ])
  assert.deepEqual((await change([])).errors, ['items too_short'])
  const many = Array.from({ length: 5_001 }, (_, at) => ({ item: `itm_${uuid(5000 + at)}` }))
  assert.deepEqual((await change(many)).errors, ['items too_long'])
  assert.equal(await checksum(db), before)
})

test('items whose texts are too large for one answer are not changed together', async () => {
  const long = (at: number) => `itm_00000000-0000-4000-9000-${String(at).padStart(12, '0')}`
  await sql`
    insert into catalogue.items (house_id, public_id, title, description, condition, dimensions, weight)
    select h.id, ('00000000-0000-4000-9000-' || lpad(at::text, 12, '0'))::uuid, 'x', t.text, t.text, t.text, t.text
    from catalogue.houses h, repeat('x', 65536) t (text), generate_series(1, 270) at where h.slug = 'house'`.execute(db)
  const ask = (items: number) =>
    change(Array.from({ length: items }, (_, at) => ({ item: long(at + 1), makers: [maker(0)] })))
  const before = await checksum(db)
  const refused = await ask(270)
  assert.deepEqual([refused.status, refused.problem], [413, 'payload-too-large'])
  assert.equal(await checksum(db), before)
  assert.equal((await ask(20)).status, 200)
})

test('attached categories need their permission, If-Match is not looked at, and there is no ETag', async () => {
  const least = await issueKey('house', ['staff', 'lots.write', 'lots.read'], { require_if_match: true })
  const asked = (items: unknown) => change(items, { key: least, headers: { 'if-match': '"another"' } })
  const body = [{ item: together(3), categories: [], makers: [maker(0)] }]
  assert.equal((await asked(body)).status, 200)
  const refused = await asked([...body, { item: together(4), categories: [category(0)] }])
  assert.deepEqual([refused.status, refused.problem], [403, 'missing-permission'])
  for (const lacking of ['lots.write', 'lots.read'] as const) {
    const weak = await issueKey(
      'house',
      allPermissions.filter((each) => each !== lacking),
    )
    assert.equal((await change(body, { key: weak })).status, 403)
  }
})

test('a change that waits for another of the same item keeps what that one has set', async () => {
  const [item, other] = [together(9), together(8)]
  const lock = (tx: typeof db) => lockRecord(tx, 'items', item.slice(4))
  await whileLocked<unknown>(
    db,
    lock,
    () => sendTo('PATCH', `items/${item}`, { categories: [category(2)] }),
    () => change([{ item: other }, { item, makers: [maker(2)] }]),
  )
  const { categories, makers, delivery_class } = await readItem(item)
  assert.deepEqual({ categories, makers, delivery_class }, { ...linked, categories: [category(2)], makers: [maker(2)] })
})
