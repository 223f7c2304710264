import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { houseLine, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { unsigned } from '../../test/support/pictures.ts'
import { startService, type TestService } from '../../test/support/service.ts'

const failure = { code: 'derivative_processing_failed', at: '2026-03-01T10:00:00Z' }
const image = (number: number, of: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'image',
  id: `img_${uuid(number)}`,
  item: uuid(of),
  created_at: `2026-01-01T00:00:${String(60 - (number % 50)).padStart(2, '0')}Z`,
  ...fields,
})
const session = (number: number): Line => ({ type: 'session', id: uuid(number), auction: uuid(1), kind: 'timed' })
const lot = (number: number, of: number, item: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'lot',
  id: uuid(number),
  session: uuid(of),
  item: uuid(item),
  lot_number: number,
  ...fields,
})

let service: TestService
let key: string

before(async () => {
  service = await startService({
    records: [
      houseLine('ours'),
      { type: 'auction', id: uuid(1), title: 'A' },
      session(2),
      session(3),
      ...[11, 12, 13].map((number) => ({ type: 'item', id: uuid(number), title: 'I' })),
      { type: 'item', id: uuid(14), title: 'Archived', archived: true },
      lot(21, 2, 11),
      lot(22, 2, 11),
      lot(23, 2, 14),
      lot(24, 2, 13, { archived: true }),
      lot(25, 3, 12),
      lot(26, 3, 11),
      image(101, 11, { public: true, position: 1 }),
      image(102, 11, { processing: true, public: true, position: 0 }),
      image(103, 11, { processing_failure: failure }),
      image(104, 12, { public: true, processing: true, processing_failure: failure }),
      image(105, 13, { external_reference: 'private' }),
      image(106, 14, { public: true }),
      houseLine('theirs', { id: uuid(9_000) }),
      { type: 'auction', id: uuid(9_001), title: 'A' },
      { ...session(9_002), auction: uuid(9_001) },
      { type: 'item', id: uuid(9_011), title: 'I' },
      lot(9_021, 9_002, 9_011),
      image(9_101, 9_011, { public: true }),
    ],
  })
  key = await service.issueKey('ours', ['lots.read'])
})

after(() => service.close())

const list = async (query = '') => numbersOf(await service.walk(`/api/v2/images?${query}`, key))

test('the images of all unarchived items of the house are listed, oldest first, on pages of every size', async () => {
  for (const limit of [1, 2, 100]) assert.deepEqual(await list(`limit=${limit}`), [105, 104, 103, 102, 101])
})

test('each image has the document of its own address, gallery_position and signed URLs included', async () => {
  await sql`update catalogue.images set original = ${`originals/${'c'.repeat(32)}`}, revision = revision + 1
    where public_id = ${uuid(105)}`.execute(service.db)
  const images = await service.walk('/api/v2/images?limit=2', key)
  assert.deepEqual(
    images.map((each) => each['gallery_position']),
    [null, 0, null, 0, 1],
  )
  assert.match(String(images[0]!['original_url']), /\?expires=/)
  for (const each of images) {
    const own = await service.read(`/api/v2/items/${String(each['item'])}/images/${each.id}`, key)
    assert.deepEqual(unsigned(each), unsigned(own))
  }
})

test('item and session filter by id, and an item in several lots gives each image once', async () => {
  assert.deepEqual(await list(`item=${uuid(11)}`), [103, 102, 101])
  assert.deepEqual(await list(`session=ses_${uuid(2)}&limit=1`), [103, 102, 101])
  assert.deepEqual(await list(`session=${uuid(3)}`), [104, 103, 102, 101])
  assert.deepEqual(await list(`session=${uuid(3)}&item=${uuid(12)}`), [104])
  assert.deepEqual(await list(`session=${uuid(2)}&item=${uuid(12)}`), [])
})

test('public, processing and failed filter, alone and together', async () => {
  assert.deepEqual(await list('public=true'), [104, 102, 101])
  assert.deepEqual(await list('public=false'), [105, 103])
  assert.deepEqual(await list('processing=true&limit=1'), [104, 102])
  assert.deepEqual(await list('processing=false'), [105, 103, 101])
  assert.deepEqual(await list('failed=true'), [104, 103])
  assert.deepEqual(await list('failed=false'), [105, 102, 101])
  assert.deepEqual(await list('failed=true&processing=false'), [103])
  assert.deepEqual(await list(`session=${uuid(2)}&public=true&processing=true`), [102])
})

test('an archived item, an unknown or foreign item or session gives an empty page', async () => {
  for (const query of [`item=${uuid(14)}`, `item=${uuid(99)}`, `item=${uuid(9_011)}`, `session=${uuid(9_002)}`])
    assert.deepEqual(await list(query), [], query)
})

test('malformed ids, other values of booleans, unknown filters and keys without permission are refused', async () => {
  for (const query of ['item=x', `item=lot_${uuid(11)}`, 'session=', 'public=1', 'failed=', 'processing=TRUE'])
    await service.refused(`/api/v2/images?${query}`, key, 400, 'invalid-parameter')
  for (const query of ['external_reference=a', 'featured=true', 'expand[]=item', 'item[]=a', 'public=true&public=true'])
    await service.refused(`/api/v2/images?${query}`, key, 400, 'invalid-parameter')
  const other = await service.issueKey('ours', ['auctions.read', 'lots.write'])
  await service.refused('/api/v2/images', other, 403, 'missing-permission')
})

test('a cursor belongs to its filters', async () => {
  const { next_cursor } = (await service.get('/api/v2/images?limit=1', key)).json<{ next_cursor: string }>()
  await service.refused(`/api/v2/images?public=true&cursor=${next_cursor}`, key, 400, 'invalid-cursor')
  await service.refused(`/api/v2/items/${uuid(11)}/images?cursor=${next_cursor}`, key, 400, 'invalid-cursor')
})

test('a page is 304 until an image on it changes, or its place in the gallery', async (t) => {
  // Its ETag also changes with each half-hour.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const url = '/api/v2/images?limit=3&public=true'
  const first = await service.get(url, key)
  const held = { 'if-none-match': String(first.headers.etag) }
  assert.equal((await service.get(url, key, held)).statusCode, 304)
  await service.load([houseLine('ours'), image(107, 11, { public: true, position: 0, created_at: null })])
  const again = await service.get(url, key, held)
  assert.equal(again.statusCode, 200)
  assert.deepEqual(
    again.json<{ data: { gallery_position: number }[] }>().data.map((each) => each.gallery_position),
    [0, 0, 2],
  )
})

test('images of two items with the same id and time come both, on whatever pages', async () => {
  const same = { created_at: '2020-01-01T00:00:00Z' }
  await service.load([houseLine('ours'), image(110, 13, same), image(110, 12, same), image(110, 11, same)])
  for (const limit of [1, 2, 3]) {
    const images = await service.walk(`/api/v2/images?public=false&limit=${limit}`, key)
    assert.deepEqual(numbersOf(images).slice(0, 4), [110, 110, 110, 105])
    assert.equal(new Set(images.map((each) => `${each.id} ${String(each['item'])}`)).size, images.length)
  }
})

test('a defective image makes the page that holds it 500, and no other', async () => {
  const late = (number: number, of: number, fields: Record<string, unknown>) =>
    image(number, of, { created_at: '2027-01-01T00:00:00Z', ...fields })
  await service.load([houseLine('ours'), { type: 'item', id: uuid(15), title: 'Twice' }])
  const nameless = { type: 'item', id: null, ref: 'nameless', title: 'Nameless' }
  const cases: [lines: Line[], filter: string][] = [
    [[late(120, 15, {}), late(120, 15, { external_reference: 'again' })], `item=${uuid(15)}`],
    [[late(121, 15, { id: null, processing: true })], 'processing=true'],
    [[nameless, { ...late(122, 15, { processing_failure: failure }), item: 'nameless' }], 'failed=true'],
  ]
  for (const [lines, filter] of cases) {
    assert.equal((await service.get(`/api/v2/images?${filter}`, key)).statusCode, 200)
    await service.load([houseLine('ours'), ...lines])
    await service.refused(`/api/v2/images?${filter}`, key, 500, 'integrity-unavailable')
    assert.equal((await service.get('/api/v2/images?limit=5', key)).statusCode, 200)
  }
})
