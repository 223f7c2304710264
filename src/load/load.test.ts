import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { assertHas, eur, openFixture, refusal, uuid, type Value } from '../../test/support/loading.ts'
import { tooDeep } from '../references/made.ts'

const fixture = await openFixture()
after(() => fixture.close())

test('stores missing and repeated values of an older system as they are', async () => {
  const house = fixture.newHouse()
  await fixture.load([
    house,
    { type: 'seller', id: null, seller_number: 4, created_at: null, updated_at: null },
    { type: 'seller', seller_number: 4 },
    { type: 'category', slug: 'same' },
    { type: 'category', slug: 'same', names: null },
    { type: 'auction', ref: 'a', id: null },
    { type: 'session', ref: 'z', auction: 'a', kind: 'timed' },
    {
      type: 'item',
      ref: 't',
      id: null,
      translations: [
        { locale: 'en', title: 'x' },
        { locale: 'en', title: 'y' },
      ],
    },
    { type: 'image', item: 't', id: uuid(50), position: 7, public: true },
    { type: 'image', item: 't', id: uuid(50), position: 7, public: true },
    { type: 'image', item: 't', id: null },
    { type: 'lot', session: 'z', item: 't', active: null, lot_number: null },
    { type: 'lot', ref: 'l', session: 'z', item: 't', lot_number: 1 },
    { type: 'lot', session: 'z', item: 't', lot_number: 1, archived: true },
    { type: 'bid', lot: 'l', amount: eur(900) },
  ])
  const [bare, generated] = await fixture.rowsOf(house.slug, 'sellers')
  assertHas(bare!, { public_id: null, created_at: null, updated_at: null, archived: 'false', profile_name: null })
  assertHas(generated!, {
    seller_number: '4',
    created_at: '2026-11-20T12:00:00+00:00',
    updated_at: '2026-11-20T12:00:00+00:00',
  })
  assert.match(generated!['public_id']!, /^[0-9a-f-]{36}$/)
  assertHas(await fixture.onlyRow(house.slug, 'auctions'), {
    public_id: null,
    title: null,
    external_reference: null,
    slug: 'auction',
    published: 'false',
  })
  assertHas(await fixture.onlyRow(house.slug, 'items'), {
    public_id: null,
    title: null,
    estimate_low: null,
    seller_id: null,
    archived: 'false',
  })
  assert.equal((await fixture.rowsOf(house.slug, 'item_translations')).length, 2)
  assert.deepEqual(
    (await fixture.rowsOf(house.slug, 'images')).map((row) => [row['public_id'], row['position']]),
    [
      [uuid(50), '7'],
      [uuid(50), '7'],
      [null, null],
    ],
  )
  const lots = await fixture.rowsOf(house.slug, 'lots')
  assert.deepEqual(
    lots.map((row) => [row['active'], row['lot_number'], row['current_bid']]),
    [
      [null, null, null],
      ['false', '1', null],
      ['false', '1', null],
    ],
  )
})

test("takes a missing flat text from the default locale's only translation, and never the other way", async () => {
  const house = fixture.newHouse()
  const translations = [
    { locale: 'nl', title: 'een', weight: null },
    { locale: 'en', title: 'one', condition: 'good' },
  ]
  await fixture.load([
    house,
    { type: 'item', translations },
    { type: 'item', title: null, translations },
    { type: 'item', title: 'other', description: 'flat only', translations },
    { type: 'item', translations: [...translations, { locale: 'nl', title: 'twee' }] },
  ])
  const items = await fixture.rowsOf(house.slug, 'items')
  assert.deepEqual(
    items.map(({ title, description, condition }) => [title, description, condition]),
    [
      ['een', null, null],
      [null, null, null],
      ['other', 'flat only', null],
      [null, null, null],
    ],
  )
  const stored = await fixture.rowsOf(house.slug, 'item_translations')
  assert.ok(stored.every((row) => row['description'] === null))
})

test('a load into an existing house does not change the house, and its records can name stored ones by id', async () => {
  const house = fixture.newHouse()
  await fixture.load([house, { type: 'seller', id: uuid(60) }, { type: 'auction', id: uuid(61), title: 'Sale' }])
  const again = { type: 'house', slug: house.slug, name: 'Another name', currency: 'USD', time_zone: 'Asia/Tokyo' }
  const loaded = await fixture.load([
    again,
    { type: 'consignment', seller: `sel_${uuid(60)}` },
    { type: 'consignment', seller: uuid(60).toUpperCase() },
    { type: 'auction', title: 'Sale' },
    { type: 'auction', title: 'SALE!' },
    { type: 'session', auction: uuid(61), kind: 'live' },
  ])
  assert.deepEqual(loaded.records, { consignment: 2, auction: 2, session: 1 })
  const stored =
    await sql<Value>`select name, currency, time_zone from catalogue.houses where slug = ${house.slug}`.execute(
      fixture.db,
    )
  assert.deepEqual(stored.rows, [{ name: 'A house', currency: 'EUR', time_zone: null }])
  const [seller] = await fixture.rowsOf(house.slug, 'sellers')
  assert.ok((await fixture.rowsOf(house.slug, 'consignments')).every((row) => row['seller_id'] === seller!['id']))
  assert.deepEqual(
    (await fixture.rowsOf(house.slug, 'auctions')).map((row) => row['slug']),
    ['sale', 'sale-2', 'sale-3'],
  )
})

test('auctions have the slugs of their lines, and those without one get a free one of their title', async () => {
  const house = fixture.newHouse()
  await fixture.load([
    { ...house, storage_limit: null },
    { type: 'auction', title: 'Große Vente d’été' },
    { type: 'auction', slug: 'grosse-vente-dete' },
    { type: 'auction', slug: 'A_1', title: 'Sale' },
  ])
  assert.deepEqual(
    (await fixture.rowsOf(house.slug, 'auctions')).map((row) => row['slug']),
    ['grosse-vente-dete-2', 'grosse-vente-dete', 'A_1'],
  )
})

test("keeps the houses of a file apart, and drops a category's parent in another of them", async () => {
  const [one, two] = [fixture.newHouse(), fixture.newHouse()]
  const shared = [{ type: 'item', id: uuid(70), external_reference: 'R' }]
  await fixture.load([
    one,
    ...shared,
    { type: 'category', ref: 'there', id: uuid(71) },
    two,
    ...shared,
    { type: 'category', parent: 'there' },
    { type: 'category', parent: `cat_${uuid(71)}` },
    { type: 'house', slug: one.slug },
    { type: 'category', parent: 'there' },
  ])
  assert.equal((await fixture.rowsOf(one.slug, 'items')).length, 1)
  assert.deepEqual(
    (await fixture.rowsOf(two.slug, 'categories')).map((row) => row['parent_id']),
    [null, null],
  )
  const [there, below] = await fixture.rowsOf(one.slug, 'categories')
  assert.equal(below!['parent_id'], there!['id'])
})

test('loads categories of 32 levels over several batches and loads, and refuses one more with its line', async () => {
  const house = fixture.newHouse()
  const category = (level: number) => ({
    type: 'category',
    ref: `level-${level}`,
    slug: `level-${level}`,
    ...(level > 1 && { parent: `level-${level - 1}` }),
  })
  const levels = (count: number) => Array.from({ length: count }, (_, at) => category(at + 1))
  const fill = Array.from({ length: 2_000 }, () => ({ type: 'maker' }))
  await fixture.load([house, ...levels(20), ...fill, ...levels(32).slice(20)])
  const rows = await fixture.rowsOf(house.slug, 'categories')
  const deepest = rows.find(({ slug }) => slug === 'level-32')!['public_id'] as string
  for (const [lines, line] of [
    [[house, { type: 'category', parent: deepest }], 2],
    [[fixture.newHouse(), ...levels(33)], 34],
    [[fixture.newHouse(), ...levels(20), ...fill, ...levels(33).slice(20)], 2_034],
  ] as const) {
    const error = await refusal(fixture.load([...lines]))
    assert.deepEqual([error.line, error.field, error.problem], [line, 'parent', tooDeep])
  }
})

test('resolves refs and ids over thousands of lines, and reports progress', async () => {
  const house = fixture.newHouse()
  const lines: Value[] = [
    house,
    { type: 'auction', ref: 'a' },
    { type: 'session', ref: 'z', auction: 'a', kind: 'timed' },
  ]
  for (let n = 0; n < 3000; n++) {
    lines.push({ type: 'item', ref: `item ${n}`, id: uuid(100_000 + n), title: String(n) })
    const earlier = n % 7 === 0 ? Math.floor(n / 7) : n
    const item = n % 2 === 0 ? `item ${earlier}` : `itm_${uuid(100_000 + earlier)}`
    lines.push({ type: 'lot', session: 'z', item, lot_number: earlier === n ? n : 10_000 + n })
  }
  const progress: number[] = []
  const loaded = await fixture.load(lines, (p) => progress.push(p.lines))
  assert.equal(loaded.lines, 6003)
  assert.deepEqual(progress, [2001, 4001, 6001, 6003])
  const wrong = await sql<{ n: number }>`
    select count(*)::int as n from catalogue.lots l join catalogue.items i on i.house_id = l.house_id and i.id = l.item_id
    join catalogue.houses h on h.id = l.house_id where h.slug = ${house.slug}
    and case when l.lot_number >= 10000 then (l.lot_number - 10000) / 7 else l.lot_number end::text <> i.title`.execute(
    fixture.db,
  )
  assert.equal(wrong.rows[0]!.n, 0)
})
