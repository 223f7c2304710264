import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eur, houseLine, linesOf, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type Json, type TestService } from '../../test/support/service.ts'

const lot = linesOf('lot', () => ({ session: 'timed', item: 'item' }))
const item = (ref: string, number: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'item',
  ref,
  id: uuid(number),
  title: `Item ${ref}`,
  ...fields,
})
const session = (ref: string, number: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'session',
  ref,
  id: uuid(number),
  auction: 'auction',
  kind: 'timed',
  ...fields,
})

let service: TestService
let key: string

before(async () => {
  service = await startService({
    records: [
      houseLine('reads'),
      { type: 'auction', ref: 'auction', id: uuid(1), title: 'A', archived: true },
      { type: 'auction', ref: 'second', id: uuid(2), title: 'B' },
      session('timed', 3),
      session('live', 4, { kind: 'live', live: { closes_at: '2026-05-01T18:00:00Z' }, auction: 'second' }),
      session('unset', 5, { kind: 'live', auction: 'second' }),
      item('item', 6),
      item('archived', 7, { archived: true }),
      { type: 'image', item: 'item', id: uuid(8), public: true, position: 4 },
      lot(11, { lot_number: 2, active: true }),
      lot(12, { lot_number: 1, active: false, session: 'live', closes_at: '2001-01-01T00:00:00Z' }),
      lot(13, { lot_number: 1, active: null }),
      lot(14, { lot_number: null, active: true, item: 'archived', created_at: null, updated_at: null }),
      lot(15, { lot_number: null, session: 'unset' }),
      lot(16, { lot_number: 2147483647, session: 'live' }),
      lot(17, { lot_number: -5, session: 'live' }),
      lot(18, { lot_number: 3, active: true, archived: true }),
      lot(19, {
        lot_number: 9,
        starting_bid: eur(5000),
        current_bid: eur(9007199254740991),
        sold: true,
        notice: 'Niet gesigneerd',
        notice_translations: { en: 'Not signed' },
        closes_at: '2026-05-01T20:02:00.5+02:00',
        scheduled_closes_at: '2026-05-01T18:00:00Z',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-02T00:00:00Z',
      }),
      houseLine('broken'),
      { type: 'auction', ref: 'auction b', title: 'A', id: uuid(30) },
      { type: 'auction', ref: 'nameless auction', title: 'A', id: null },
      { type: 'increment_strategy', ref: 'nameless strategy', id: null, name: 'S' },
      { type: 'seller', ref: 'nameless seller', id: null, seller_number: 1 },
      session('sound', 31, { auction: 'auction b' }),
      session('nameless session', 0, { id: null, auction: 'auction b' }),
      session('of nameless', 32, { auction: 'nameless auction' }),
      session('with strategy', 33, { auction: 'auction b', increment_strategy: 'nameless strategy' }),
      item('good', 34),
      item('nameless item', 0, { id: null }),
      item('untitled', 35, { title: null }),
      item('twice', 36, {
        translations: [
          { locale: 'fr', title: 'a' },
          { locale: 'fr', title: 'b' },
        ],
      }),
      item('of nameless seller', 37, { seller: 'nameless seller' }),
      lot(41, { session: 'sound', item: 'good', lot_number: 1 }),
      lot(42, { session: 'sound', item: 'nameless item', lot_number: 2 }),
      lot(43, { session: 'sound', item: 'untitled', lot_number: 3 }),
      lot(44, { session: 'sound', item: 'twice', lot_number: 4 }),
      lot(45, { session: 'nameless session', item: 'good', lot_number: 5 }),
      lot(46, { session: 'sound', item: 'of nameless seller', lot_number: 6 }),
      lot(47, { session: 'of nameless', item: 'good', lot_number: 7 }),
      lot(48, { session: 'with strategy', item: 'good', lot_number: 8 }),
      lot(49, { session: 'sound', item: 'good', lot_number: 9, id: null }),
    ],
  })
  key = await service.issueKey('reads')
})

after(() => service.close())

const list = async (query: string) => numbersOf(await service.walk(`/api/v2/lots?${query}`, key))

test('lots are listed by number, ties by id upwards, those without a number last', async () => {
  for (const limit of [1, 2, 100]) {
    assert.deepEqual(await list(`limit=${limit}`), [17, 12, 13, 11, 19, 16, 14, 15])
  }
})

test('session, auction, lot_number and active filter alone and together', async () => {
  assert.deepEqual(await list(`session=${uuid(3)}`), [13, 11, 19, 14])
  assert.deepEqual(await list(`session=ses_${uuid(3).toUpperCase()}`), [13, 11, 19, 14])
  assert.deepEqual(await list(`auction=auc_${uuid(2)}`), [17, 12, 16, 15])
  assert.deepEqual(await list(`auction=${uuid(1)}`), [13, 11, 19, 14], 'the lots of an archived auction stay listed')
  assert.deepEqual(await list('lot_number=1'), [12, 13])
  assert.deepEqual(await list('lot_number=-5'), [17])
  assert.deepEqual(await list('lot_number=2147483647'), [16])
  assert.deepEqual(await list('lot_number=0'), [])
  assert.deepEqual(await list('active=true'), [11, 14])
  assert.deepEqual(await list('active=false'), [17, 12, 13, 19, 16, 15], 'an unset flag counts as false')
  assert.deepEqual(await list(`session=${uuid(3)}&lot_number=1`), [13])
  assert.deepEqual(await list(`session=${uuid(3)}&auction=${uuid(2)}`), [])
  assert.deepEqual(await list(`auction=${uuid(1)}&active=true&limit=1`), [11, 14])
  for (const unknown of [uuid(99), uuid(31), `ses_${uuid(1)}`]) assert.deepEqual(await list(`session=${unknown}`), [])
  assert.deepEqual(await list(`auction=${uuid(30)}`), [])
})

test('a lot of a timed session shows its own close and the close before any extension', async () => {
  assert.deepEqual(await service.read(`/api/v2/lots/${uuid(19)}`, key), {
    id: `lot_${uuid(19)}`,
    lot_number: 9,
    active: false,
    title: 'Item item',
    starting_bid: eur(5000),
    current_bid: eur(9007199254740991),
    sold: true,
    result: { state: 'sold', amount: eur(9007199254740991), at: null, after_sale: false, with: null },
    notice: 'Niet gesigneerd',
    notice_translations: { en: 'Not signed', nl: 'Niet gesigneerd' },
    closes_at: '2026-05-01T18:02:00.500Z',
    timed: { scheduled_closes_at: '2026-05-01T18:00:00.000Z' },
    item: `itm_${uuid(6)}`,
    session: `ses_${uuid(3)}`,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-02T00:00:00.000Z',
  })
})

test('a lot of a live session closes with the session, despite a close of its own, and has no timed object', async () => {
  const live = await service.read(`/api/v2/lots/${uuid(12)}`, key)
  assert.equal(live['closes_at'], '2026-05-01T18:00:00.000Z')
  assert.ok(!('timed' in live))
  const unset = await service.read(`/api/v2/lots/${uuid(15)}`, key)
  assert.equal(unset['closes_at'], null)
})

test('a legacy lot is shown as it is, with its archived item', async () => {
  const legacy = await service.read(`/api/v2/lots/${uuid(14)}`, key)
  assert.equal(legacy['lot_number'], null)
  assert.deepEqual([legacy['created_at'], legacy['updated_at']], [null, null])
  assert.deepEqual([legacy['starting_bid'], legacy['current_bid']], [null, null])
  assert.deepEqual(legacy['timed'], { scheduled_closes_at: null })
  assert.deepEqual([legacy['title'], legacy['item']], ['Item archived', `itm_${uuid(7)}`])
  const { item } = await service.read<{ item: Json }>(`/api/v2/lots/${uuid(14)}?expand[]=item`, key)
  assert.equal(item.id, `itm_${uuid(7)}`)
  await service.refused(`/api/v2/items/${uuid(7)}`, key, 404, 'not-found')
})

test('an archived lot is not found', async () => {
  await service.refused(`/api/v2/lots/${uuid(18)}`, key, 404, 'not-found')
  assert.deepEqual(await list('lot_number=3'), [])
})

test('expansions give the same resources as their own reads, with their relationships as ids', async () => {
  const plainItem = await service.read(`/api/v2/items/${uuid(6)}`, key)
  const fullItem = await service.read(`/api/v2/items/${uuid(6)}?expand[]=images`, key)
  const plainSession = await service.read(`/api/v2/sessions/${uuid(3)}`, key)
  const lot = await service.read(`/api/v2/lots/${uuid(11)}`, key)
  const expected: [query: string, changes: object][] = [
    ['expand[]=item', { item: plainItem }],
    ['expand[]=images', { item: fullItem }],
    ['expand[]=item.images', { item: fullItem }],
    ['expand[]=item&expand[]=images', { item: fullItem }],
    ['expand[]=session', { session: plainSession }],
    ['expand[]=session&expand[]=item.images&expand[]=session', { item: fullItem, session: plainSession }],
  ]
  for (const [query, changes] of expected) {
    assert.deepEqual(await service.read(`/api/v2/lots/${uuid(11)}?${query}`, key), { ...lot, ...changes }, query)
    const [listed] = await service.read<Json[]>(`/api/v2/lots?lot_number=2&${query}`, key)
    assert.deepEqual(listed, { ...lot, ...changes }, query)
  }
})

test('only reads that show an invalid lot answer 500', async () => {
  const broken = await service.issueKey('broken')
  const plain = (number: number) => `/api/v2/lots/${uuid(number)}`
  await service.read(plain(41), broken)
  await service.read('/api/v2/lots?limit=1', broken)
  for (const number of [42, 43, 44, 45]) {
    await service.refused(plain(number), broken, 500, 'integrity-unavailable')
    await service.refused(`${plain(number)}?expand[]=item&expand[]=session`, broken, 500, 'integrity-unavailable')
    await service.refused(`/api/v2/lots?lot_number=${number - 40}`, broken, 500, 'integrity-unavailable')
  }
  await service.refused('/api/v2/lots?lot_number=9', broken, 500, 'integrity-unavailable')
  const expansions = { 46: 'item', 47: 'session', 48: 'session' }
  for (const [number, expansion] of Object.entries(expansions)) {
    await service.read(plain(Number(number)), broken)
    await service.refused(`${plain(Number(number))}?expand[]=${expansion}`, broken, 500, 'integrity-unavailable')
  }
})
