import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { everyText } from '../../test/support/lines.ts'
import { assertHas, everyType, openFixture, uuid, type Value } from '../../test/support/loading.ts'

const fixture = await openFixture()
after(() => fixture.close())

test('stores every field of the thirteen types, to the microsecond', async () => {
  const lines = everyType(fixture.newHouse())
  const slug = String(lines[0]!['slug'])
  const loaded = await fixture.load(lines)
  assert.deepEqual(loaded, {
    lines: lines.length,
    records: {
      house: 1,
      seller: 1,
      category: 2,
      maker: 2,
      delivery_class: 1,
      increment_strategy: 1,
      consignment: 1,
      auction: 1,
      session: 2,
      item: 1,
      image: 1,
      lot: 1,
      bid: 1,
    },
  })
  const times = { created_at: '2019-02-03T03:05:06.123456+00:00', updated_at: '2019-02-04T00:00:00.000001+00:00' }
  const found = await sql<{
    row: Value
  }>`select to_jsonb(h) as row from catalogue.houses h where slug = ${slug}`.execute(fixture.db)
  const { id: house, ...rest } = found.rows[0]!.row
  assert.deepEqual(rest, {
    slug,
    name: 'A house',
    public_id: uuid(1),
    default_locale: 'nl',
    currency: 'EUR',
    time_zone: 'Europe/Amsterdam',
    buyer_premium_percentage: 22.5,
    extension_threshold_seconds: 90,
    extension_seconds: 100,
    group_size: 5,
    interval_seconds: 30,
    results: 'automatic',
    storage_limit: 5_000_000_000,
    ...times,
  })
  assert.ok(house)
  const seller = await fixture.onlyRow(slug, 'sellers')
  assertHas(seller, {
    public_id: uuid(2),
    seller_number: '-7',
    profile_name: 'P',
    account_name: 'A',
    archived: 'true',
    revision: '1',
    ...times,
  })
  const [root, category] = await fixture.rowsOf(slug, 'categories')
  assertHas(category!, {
    public_id: uuid(3),
    slug: 'Sub',
    names: '{"en":"Sub","nl":"Onder"}',
    parent_id: root!['id']!,
    ...times,
  })
  const [maker, second] = await fixture.rowsOf(slug, 'makers')
  assertHas(maker!, { public_id: uuid(4), name: 'M', active: 'false', ...times })
  const delivery = await fixture.onlyRow(slug, 'delivery_classes')
  assertHas(delivery, { public_id: uuid(5), name: 'D', instructions: 'Collect', ...times })
  const strategy = await fixture.onlyRow(slug, 'increment_strategies')
  assertHas(strategy, { public_id: uuid(6), name: 'I', ...times })
  const steps = await fixture.rowsOf(slug, 'increment_steps')
  assert.deepEqual(
    steps.map((step) => [step['from_amount'], step['increment_amount']]),
    [
      ['0', '500'],
      ['10000', '1000'],
    ],
  )
  const consignment = await fixture.onlyRow(slug, 'consignments')
  assertHas(consignment, {
    public_id: uuid(7),
    number: '12',
    seller_id: seller['id']!,
    locked: 'true',
    archived: 'true',
    commission_percentage: '15.25',
    private_notes: 'hush',
    ...times,
  })
  const auction = await fixture.onlyRow(slug, 'auctions')
  assertHas(auction, {
    public_id: uuid(8),
    external_reference: 'A',
    title: 'Große Vente d’été',
    description: 'D',
    slug: 'Vente.2019',
    published: 'true',
    archived: 'true',
    ...times,
  })
  const [timed, live] = await fixture.rowsOf(slug, 'sessions')
  assertHas(timed!, {
    public_id: uuid(9),
    auction_id: auction['id']!,
    external_reference: 'S',
    titles: '{"nl":"Zitting"}',
    kind: 'timed',
    opens_at: '2020-01-01T00:00:00.5+00:00',
    first_closes_at: '2020-01-02T00:00:00+00:00',
    group_size: '2',
    interval_seconds: '3',
    extension_threshold_seconds: '4',
    extension_seconds: '5',
    live_closes_at: null,
    buyer_premium_percentage: '20',
    increment_strategy_id: strategy['id']!,
    published: 'true',
    hidden: 'true',
    finished: 'true',
    customer_bidding_enabled: 'true',
    numbers_fixed: 'true',
    ...times,
  })
  assertHas(live!, {
    kind: 'live',
    live_closes_at: '2020-01-03T00:00:00+00:00',
    first_closes_at: null,
    published: 'false',
    hidden: 'false',
    finished: 'false',
    customer_bidding_enabled: 'false',
  })
  const item = await fixture.onlyRow(slug, 'items')
  assertHas(item, {
    public_id: uuid(10),
    external_reference: 'I',
    ...everyText,
    estimate_low: '100',
    estimate_high: '9007199254740991',
    seller_id: seller['id']!,
    delivery_class_id: delivery['id']!,
    consignment_id: consignment['id']!,
    archived: 'true',
    ...times,
  })
  const translations = await fixture.rowsOf(slug, 'item_translations')
  assert.deepEqual(
    translations.map(({ locale, title, description }) => [locale, title, description]),
    [
      ['nl', everyText.title, null],
      ['en', null, 'E'],
    ],
  )
  assert.deepEqual(
    (await fixture.rowsOf(slug, 'item_categories')).map((row) => row['category_id']),
    [category!['id'], root!['id']],
  )
  assert.deepEqual(
    (await fixture.rowsOf(slug, 'item_makers')).map((row) => [row['maker_id'], row['position']]),
    [
      [second!['id'], '0'],
      [maker!['id'], '1'],
    ],
  )
  assertHas(await fixture.onlyRow(slug, 'images'), {
    public_id: uuid(11),
    item_id: item['id']!,
    external_reference: 'G',
    public: 'true',
    featured: 'true',
    position: '3',
    processing: 'true',
    processing_failed_at: '2020-01-01T00:00:00.000009+00:00',
    alts: '{"en":"E","nl":"N"}',
    original: null,
    original_bytes: null,
    renditions_bytes: null,
    renditions: null,
    ...times,
  })
  const lot = await fixture.onlyRow(slug, 'lots')
  assertHas(lot, {
    public_id: uuid(12),
    auction_id: auction['id']!,
    session_id: timed!['id']!,
    item_id: item['id']!,
    lot_number: '5',
    active: 'true',
    starting_bid: '100',
    current_bid: '300',
    sold: 'true',
    result_state: 'sold',
    result_amount: '250',
    result_at: '2020-01-03T00:00:00.000001+00:00',
    result_after_sale: 'true',
    result_with: null,
    held: 'true',
    notices: '{"en":"E","nl":"N"}',
    closes_at: '2020-01-02T00:00:00+00:00',
    scheduled_closes_at: '2020-01-01T00:00:00+00:00',
    archived: 'true',
    ...times,
  })
  assertHas(await fixture.onlyRow(slug, 'bids'), {
    public_id: uuid(13),
    lot_id: lot['id']!,
    amount: '200',
    placed_at: '2020-01-01T23:00:00.654321+00:00',
    cancelled_at: '2020-01-01T23:30:00.000002+00:00',
    cancel_reason: 'Wrong',
    ...times,
  })
})
