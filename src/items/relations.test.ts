import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { whileLocked } from '../../test/support/locks.ts'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { openWriting } from '../../test/support/writing.ts'

const [ann, bob, gone] = [1, 2, 3].map(uuid) as [string, string, string]
const [annes, bobs, locked, closed, goners, sellerless] = [11, 12, 13, 14, 15, 16].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const categories = [21, 22, 23].map(uuid) as [string, string, string]
const makers = [31, 32, 33].map(uuid) as [string, string, string]
const deliveryClass = uuid(41)

const service = await openWriting([
  { type: 'seller', id: ann, seller_number: 1 },
  { type: 'seller', id: bob, seller_number: 2 },
  { type: 'seller', id: gone, seller_number: 3, archived: true },
  { type: 'consignment', id: annes, number: '1', seller: ann },
  { type: 'consignment', id: bobs, number: '2', seller: bob },
  { type: 'consignment', id: locked, number: '3', seller: ann, locked: true },
  { type: 'consignment', id: closed, number: '4', seller: ann, archived: true },
  { type: 'consignment', id: goners, number: '5', seller: gone },
  { type: 'consignment', id: sellerless, number: '6' },
  ...categories.map((id): Line => ({ type: 'category', id, slug: id })),
  ...makers.map((id, index): Line => ({ type: 'maker', id, name: id, active: index > 0 })),
  { type: 'delivery_class', id: deliveryClass, name: 'Large' },
  // Links as older systems left them.
  { type: 'item', id: uuid(51), external_reference: 'locked', title: 'x', seller: ann, consignment: locked },
  { type: 'item', id: uuid(52), external_reference: 'closed', title: 'x', seller: gone, consignment: closed },
  { type: 'item', id: uuid(53), external_reference: 'unowned', title: 'x', consignment: annes },
])
await service.load([
  houseLine('other'),
  { type: 'seller', id: uuid(61), seller_number: 1 },
  { type: 'category', id: uuid(62), slug: 'x' },
  { type: 'maker', id: uuid(63), name: 'x' },
  { type: 'delivery_class', id: uuid(64), name: 'x' },
  { type: 'consignment', id: uuid(65), number: '1', seller: uuid(61) },
])
after(() => service.close())
const { post, patch, show, errorsOf, repeats } = service

let number = 0
async function create(fields: Record<string, unknown> = {}): Promise<string> {
  const { status, data, errors } = await post('items', {
    external_reference: `R-${++number}`,
    title: 'Vaas',
    ...fields,
  })
  assert.equal(status, 201, errors.join())
  return `items/${data.id}`
}
async function ownerAfter(path: string, body: unknown): Promise<unknown[]> {
  const { status, data, errors } = await patch(path, body)
  assert.equal(status, 200, errors.join())
  return [data['seller'], data['consignment']]
}
const linkIds = async (table: string, path: string) => {
  const { rows } = await sql<{ id: string }>`select link.id from ${sql.table(`catalogue.${table}`)} link
    join catalogue.items i on i.house_id = link.house_id and i.id = link.item_id where i.public_id = ${path.slice(-36)} order by 1`.execute(
    service.db,
  )
  return rows.map(({ id }) => id)
}

test('records of another house, or of none, are unavailable in every field with an id, all reported at once', async () => {
  const bodyOf = (ids: string[]) => ({
    seller: ids[0],
    categories: [categories[0], ids[1]],
    makers: [ids[2]],
    delivery_class: ids[3],
    consignment: ids[4],
  })
  const expected = ['delivery_class', 'categories.1', 'makers.0', 'seller', 'consignment'].map(
    (field) => `${field} unavailable`,
  )
  const path = await create()
  for (const ids of [[61, 62, 63, 64, 65].map(uuid), Array.from({ length: 5 }, () => uuid(999))]) {
    assert.deepEqual(await errorsOf('POST', 'items', { external_reference: 'x', title: 'x', ...bodyOf(ids) }), expected)
    assert.deepEqual(await errorsOf('PATCH', path, bodyOf(ids)), expected)
  }
  for (const body of [{ seller: gone }, { consignment: closed }, { consignment: goners }]) {
    assert.deepEqual(await errorsOf('PATCH', path, body), [`${Object.keys(body)[0]} unavailable`])
  }
})

test('a change replaces categories and makers; kept links keep their rows, and [] clears them', async () => {
  const [a, b, c] = categories.map((id) => `cat_${id}`) as [string, string, string]
  const [x, y, z] = makers.map((id) => `mkr_${id}`) as [string, string, string]
  const path = await create({ categories: [b, a], makers: [x, y] })
  let item = await show(path)
  assert.deepEqual(
    [item['categories'], item['makers']],
    [
      [b, a],
      [x, y],
    ],
  )
  const links = [await linkIds('item_categories', path), await linkIds('item_makers', path)]
  await repeats(path, { categories: [a.slice(4).toUpperCase(), b], makers: [x, y.slice(4)] })

  const reordered = await patch(path, { makers: [y, x] })
  assert.deepEqual(reordered.data['makers'], [y, x])
  assert.ok(reordered.data['updated_at']! > item['updated_at']!)
  assert.deepEqual(await linkIds('item_makers', path), links[1])

  item = (await patch(path, { categories: [c, a], makers: [z, y] })).data
  assert.deepEqual(
    [item['categories'], item['makers']],
    [
      [a, c],
      [z, y],
    ],
  )
  for (const [index, table] of ['item_categories', 'item_makers'].entries()) {
    const kept = await linkIds(table, path)
    assert.equal(kept.filter((id) => links[index]!.includes(id)).length, 1)
    assert.equal(kept.length, 2)
  }
  item = (await patch(path, { categories: [], makers: [] })).data
  assert.deepEqual([item['categories'], item['makers']], [[], []])
  assert.deepEqual((await service.walk('/api/v2/makers', service.key)).length, 3)
})

test('an item without a seller takes its consignment’s; a stored one must match; both change together', async () => {
  const [A, B] = [`sel_${ann}`, `sel_${bob}`]
  const [a, b] = [`con_${annes}`, `con_${bobs}`]
  const path = await create({ consignment: a })
  assert.deepEqual(await ownerAfter(path, {}), [A, a])
  for (const body of [
    { consignment: b },
    { seller: bob },
    { seller: null },
    { seller: null, consignment: a },
    { seller: bob, consignment: a },
    { consignment: sellerless },
  ]) {
    assert.deepEqual(await errorsOf('PATCH', path, body), ['seller seller_mismatch'], JSON.stringify(body))
  }
  await repeats(path, { consignment: a })
  await repeats(path, { seller: ann, consignment: annes })
  await repeats(path, { seller: ann })
  assert.deepEqual(await ownerAfter(path, { seller: B, consignment: bobs }), [B, b])
  assert.deepEqual(await ownerAfter(path, { consignment: null }), [B, null])
  assert.deepEqual(await errorsOf('PATCH', path, { consignment: a }), ['seller seller_mismatch'])
  assert.deepEqual(await ownerAfter(path, { consignment: null, seller: null }), [null, null])
  assert.deepEqual(await ownerAfter(path, { consignment: sellerless }), [null, `con_${sellerless}`])
  assert.deepEqual(await ownerAfter(path, { consignment: a }), [A, a])
  const whole = { external_reference: 'x', title: 'x', consignment: a }
  assert.deepEqual(await errorsOf('POST', 'items', { ...whole, seller: null }), ['seller seller_mismatch'])
  assert.deepEqual(await errorsOf('POST', 'items', { ...whole, seller: bob, makers: [uuid(99)] }), [
    'makers.0 unavailable',
    'seller seller_mismatch',
  ])
})

test('a locked consignment takes no new item; its items can be edited and detached', async () => {
  const path = `items/${uuid(51)}`
  assert.deepEqual(await errorsOf('PATCH', await create(), { consignment: locked }), ['consignment locked'])
  assert.deepEqual(await errorsOf('POST', 'items', { external_reference: 'x', title: 'x', consignment: locked }), [
    'consignment locked',
  ])
  await repeats(path, { consignment: locked, seller: ann })
  assert.equal((await patch(path, { title: 'y' })).status, 200)
  assert.deepEqual(await ownerAfter(path, { consignment: null }), [`sel_${ann}`, null])
  assert.deepEqual(await errorsOf('PATCH', path, { consignment: locked }), ['consignment locked'])
})

test('a change may repeat an archived seller or consignment of the item; a repeated assignment changes nothing', async () => {
  await repeats(`items/${uuid(52)}`, { seller: gone, consignment: closed })
  await repeats(`items/${uuid(53)}`, { consignment: annes })
  assert.deepEqual(await errorsOf('PATCH', `items/${uuid(53)}`, { seller: null }), ['seller seller_mismatch'])
  assert.deepEqual(await ownerAfter(`items/${uuid(53)}`, { seller: ann }), [`sel_${ann}`, `con_${annes}`])
})

test('to attach a record needs the permission to read it, before the item is looked up; to detach it needs none', async () => {
  const key = await service.issueKey('house', ['lots.write', 'lots.read'])
  const path = await create({ consignment: annes, categories })
  const missing = `items/${uuid(999)}`
  for (const body of [{ seller: ann }, { consignment: annes }, { categories }]) {
    for (const where of [path, missing]) {
      assert.equal(await service.refusal('PATCH', where, body, { key }), '403 missing-permission')
    }
    const created = { external_reference: 'x', title: 'x', ...body }
    assert.equal(await service.refusal('POST', 'items', created, { key }), '403 missing-permission')
  }
  assert.equal(await service.refusal('PATCH', missing, { seller: 'x' }, { key }), '422 validation-failed')
  const { status } = await patch(
    path,
    { consignment: null, seller: null, categories: [], makers, delivery_class: deliveryClass },
    { key },
  )
  assert.equal(status, 200)
})

test('a change removes links stored twice; kept links keep their first row', async () => {
  const [a, b, c] = categories.map((id) => `cat_${id}`) as [string, string, string]
  const [x, y, z] = makers.map((id) => `mkr_${id}`) as [string, string, string]
  const changes: [stored: string[], wanted: string[]][] = [
    [[a, a], [a]],
    [
      [a, b, a],
      [b, a],
    ],
    [
      [a, a],
      [a, b],
    ],
    [[a, a, b], [c]],
    [[b, a, a, b], []],
  ]
  const makerOf: Record<string, string> = { [a]: x, [b]: y, [c]: z }
  for (const [index, [stored, wanted]] of changes.entries()) {
    const id = uuid(700 + index)
    const path = `items/itm_${id}`
    const [storedMakers, wantedMakers] = [stored, wanted].map((each) => each.map((category) => makerOf[category]!))
    const item = { type: 'item', id, external_reference: id, title: 'x', categories: stored, makers: storedMakers }
    await service.load([houseLine('house'), item])
    assert.deepEqual((await show(path))['makers'], storedMakers)
    await repeats(path, { title: 'x' })
    const links = [await linkIds('item_categories', path), await linkIds('item_makers', path)]
    const first = stored.map((each, place) => (stored.indexOf(each) === place && wanted.includes(each) ? place : -1))

    const body = { categories: wanted, makers: wantedMakers }
    const { status, data } = await patch(path, body)
    assert.equal(status, 200)
    assert.deepEqual([(data['categories'] as string[]).toSorted(), data['makers']], [wanted.toSorted(), wantedMakers])
    for (const [at, table] of ['item_categories', 'item_makers'].entries()) {
      const kept = (await linkIds(table, path)).filter((link) => links[at]!.includes(link))
      assert.deepEqual(
        kept,
        links[at]!.filter((_, place) => first.includes(place)),
      )
    }
    await repeats(path, body)
  }
})

const refusalOfNew = async (body: Record<string, unknown>) =>
  (await post('items', { external_reference: crypto.randomUUID(), title: 'x', ...body })).errors
const refusalOf = async (path: string, body: Record<string, unknown>) => (await patch(path, body)).errors

test('a seller or consignment that is archived during the write is not attached', async () => {
  const archive = (table: string, id: string) => (tx: typeof service.db) =>
    sql`update ${sql.table(`catalogue.${table}`)} set archived = true where public_id = ${id}`.execute(tx)
  const fresh = [701, 702, 703, 704].map((each) => uuid(1_000 + each)) as [string, string, string, string]
  const consigned = uuid(1_801)
  await service.load([
    houseLine('house'),
    ...fresh.map((id): Line => ({ type: 'seller', id, seller_number: 7 })),
    { type: 'consignment', id: consigned, number: '7', seller: fresh[2] },
    { type: 'consignment', id: uuid(1_802), number: '8', seller: fresh[3] },
  ])
  const path = await create()
  const outcomes = [
    await whileLocked(service.db, archive('sellers', fresh[0]), () => refusalOfNew({ seller: fresh[0] })),
    await whileLocked(service.db, archive('sellers', fresh[1]), () => refusalOf(path, { seller: fresh[1] })),
    await whileLocked(service.db, archive('sellers', fresh[2]), () => refusalOfNew({ consignment: consigned })),
    await whileLocked(service.db, archive('consignments', uuid(1_802)), () =>
      refusalOf(path, { consignment: uuid(1_802) }),
    ),
  ]
  assert.deepEqual(
    outcomes.map(([outcome]) => (outcome as PromiseFulfilledResult<string[]>).value),
    [['seller unavailable'], ['seller unavailable'], ['consignment unavailable'], ['consignment unavailable']],
  )
})

test('a record that is deleted during the write is unavailable', async () => {
  const kinds = [
    ['categories', { type: 'category', slug: 'x' }, (id: string) => ({ categories: [id] }), 'categories.0'],
    ['makers', { type: 'maker', name: 'x' }, (id: string) => ({ makers: [id] }), 'makers.0'],
    [
      'delivery_classes',
      { type: 'delivery_class', name: 'x' },
      (id: string) => ({ delivery_class: id }),
      'delivery_class',
    ],
    ['sellers', { type: 'seller', seller_number: 1 }, (id: string) => ({ seller: id }), 'seller'],
  ] as const
  for (const [index, [table, line, bodyOf, field]] of kinds.entries()) {
    const id = uuid(1_900 + index)
    await service.load([houseLine('house'), { ...line, id }])
    const [outcome] = await whileLocked(
      service.db,
      (tx) => sql`delete from ${sql.table(`catalogue.${table}`)} where public_id = ${id}`.execute(tx),
      () => refusalOfNew(bodyOf(id)),
    )
    assert.deepEqual((outcome as PromiseFulfilledResult<string[]>).value, [`${field} unavailable`])
  }
})

test('a write answers byte for byte what a read of the item answers, with its ETag, for every kind of content', async () => {
  const links = {
    seller: `sel_${ann}`,
    consignment: `con_${annes}`,
    delivery_class: `dlc_${deliveryClass}`,
    categories: [`cat_${categories[0]}`],
    makers: [`mkr_${makers[1]}`],
  }
  const pictured: Line = { type: 'item', ref: 'pictured', id: uuid(71), external_reference: 'pictured', title: 'x' }
  await service.load([{ ...houseLine('house') }, pictured, { type: 'image', item: 'pictured', id: uuid(72) }])
  const none = { seller: null, consignment: null, delivery_class: null, categories: [], makers: [] }
  const paths = [await create(), await create(links), `items/itm_${uuid(71)}`]
  for (const query of ['', '?expand[]=images']) {
    for (const fields of [{}, ...Object.entries(links).map(([name, value]) => ({ [name]: value }))]) {
      const created = await service.request({
        method: 'POST',
        url: `/api/v2/items${query}`,
        key: service.key,
        body: { external_reference: `W-${++number}`, title: 'Vaas', ...fields },
      })
      assert.equal(created.statusCode, 201, created.payload)
      await agrees(created, `${String(created.headers['location'])}${query}`)
    }
    for (const path of paths) {
      for (const body of [{ title: `t${++number}` }, links, { condition: `c${number}` }, none]) {
        const url = `/api/v2/${path}${query}`
        const changed = await service.request({ method: 'PATCH', url, key: service.key, body })
        assert.equal(changed.statusCode, 200, changed.payload)
        await agrees(changed, url)
      }
    }
  }
})

async function agrees(written: { payload: string; headers: Record<string, unknown> }, url: string): Promise<void> {
  const read = await service.get(url, service.key)
  assert.deepEqual([written.payload, written.headers['etag']], [read.payload, read.headers['etag']], url)
}
