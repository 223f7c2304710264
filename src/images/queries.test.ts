import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { houseLine, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { publicUrl, startService, type TestService } from '../../test/support/service.ts'

const image = (number: number, of: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'image',
  id: `img_${uuid(number)}`,
  item: uuid(of),
  ...fields,
})

const early = '2026-01-01T00:00:00Z'
const late = '2026-01-02T00:00:00Z'

let service: TestService
let key: string

before(async () => {
  service = await startService({
    records: [
      houseLine('reads'),
      { type: 'item', id: uuid(1), title: 'I' },
      { type: 'item', id: uuid(2), title: 'J' },
      { type: 'item', id: uuid(3), title: 'K', archived: true },
      { type: 'item', id: uuid(4), title: 'L' },
      { type: 'item', id: uuid(5), title: 'M' },
      image(11, 1, { created_at: late, public: true, position: 9, external_reference: 'Front' }),
      image(12, 1, { created_at: early, external_reference: 'back', featured: true }),
      image(13, 1, { created_at: null, public: true, position: 3, featured: true, updated_at: null }),
      image(14, 1, { created_at: late, public: true, position: null, external_reference: 'Front', processing: true }),
      image(10, 1, {
        created_at: null,
        processing_failure: { code: 'derivative_processing_failed', at: '2026-03-01T10:00:00+01:00' },
      }),
      image(15, 1, { created_at: early, public: true, position: 3 }),
      image(16, 2),
      image(17, 3),
      image(11, 4),
      image(18, 4, { external_reference: 'x' }),
      image(18, 4, { external_reference: 'y', public: true }),
      image(19, 5, { created_at: early }),
      image(20, 5, { created_at: late, id: null, external_reference: 'nameless' }),
    ],
  })
  key = await service.issueKey('reads')
})

after(() => service.close())

const of = (item: number) => `/api/v2/items/${uuid(item)}/images`
const list = async (query: string) => numbersOf(await service.walk(`${of(1)}?${query}`, key))

test('images are listed oldest first, ties by id upwards, those without a time last, private ones too', async () => {
  for (const limit of [1, 2, 100]) assert.deepEqual(await list(`limit=${limit}`), [12, 15, 11, 14, 10, 13])
})

test('external_reference filters exactly, and several images may have it', async () => {
  assert.deepEqual(await list('external_reference=Front'), [11, 14])
  assert.deepEqual(await list('external_reference=Front&limit=1'), [11, 14])
  assert.deepEqual(await list('external_reference=front'), [])
})

test('gallery_position counts the whole public gallery, on every page and with every filter, and is null for a private image', async () => {
  const expected = { 15: 0, 13: 1, 11: 2, 14: 3, 12: null, 10: null }
  for (const query of ['', '?limit=1', '?limit=4']) {
    const images = await service.walk(of(1) + query, key)
    const positions = images.map((each) => [Number(each.id.slice(-12)), each['gallery_position']])
    assert.deepEqual(Object.fromEntries(positions), expected)
  }
  const filtered = await service.walk(`${of(1)}?external_reference=Front`, key)
  assert.deepEqual(
    filtered.map((each) => each['gallery_position']),
    [2, 3],
  )
  const one = await service.read(`${of(1)}/${uuid(14)}`, key)
  assert.equal(one['gallery_position'], 3)
})

test('a managed image shows every field; a private one is never featured; without files its addresses are null', async () => {
  const addresses = { url: null, preview_url: null, thumbnail_url: null, mini_url: null, original_url: null }
  const unknown = { width: null, height: null, placeholder: null, sources: [], alt: null, alt_translations: {} }
  const none = { ...addresses, ...unknown }
  assert.deepEqual(await service.read(`${of(1)}/img_${uuid(10)}`, key), {
    id: `img_${uuid(10)}`,
    item: `itm_${uuid(1)}`,
    external_reference: null,
    public: false,
    featured: false,
    processing: false,
    processing_failure: { code: 'derivative_processing_failed', at: '2026-03-01T09:00:00.000Z' },
    gallery_position: null,
    ...none,
    created_at: null,
    updated_at: (await service.read(`${of(1)}/${uuid(10)}`, key))['updated_at'],
  })
  const [, featured] = [
    await service.read(`${of(1)}/${uuid(12)}`, key),
    await service.read(`${of(1)}/${uuid(13)}`, key),
  ]
  assert.equal((await service.read(`${of(1)}/${uuid(12)}`, key))['featured'], false)
  assert.deepEqual([featured['featured'], featured['created_at'], featured['updated_at']], [true, null, null])
})

test('addresses of public renditions are permanent, those of private ones and of every original are signed', async () => {
  const [shown, hidden] = [`public/${'a'.repeat(32)}`, `private/${'b'.repeat(32)}`]
  const original = `originals/${'c'.repeat(32)}`
  const store = (folder: string, number: number) =>
    sql`update catalogue.images set renditions = ${folder}, original = ${original}, revision = revision + 1 where public_id = ${uuid(number)}
      and item_id = (select id from catalogue.items where public_id = ${uuid(1)})`.execute(service.db)
  await store(shown, 11)
  await store(hidden, 12)
  const names = { url: 'image', preview_url: 'preview', thumbnail_url: 'thumbnail', mini_url: 'mini' }
  const [open, closed] = [
    await service.read(`${of(1)}/${uuid(11)}`, key),
    await service.read(`${of(1)}/${uuid(12)}`, key),
  ]
  for (const [field, name] of Object.entries(names)) {
    assert.equal(open[field], `${publicUrl}/media/${shown}/${name}.webp`)
    assert.match(String(closed[field]), new RegExp(`^${publicUrl}/media/${hidden}/${name}\\.webp\\?.+`))
  }
  for (const each of [open, closed]) {
    assert.match(String(each['original_url']), new RegExp(`^${publicUrl}/media/${original}\\?.+`))
  }
})

test('an image is found only below its own item, and not below an archived one', async () => {
  await service.refused(`${of(2)}/${uuid(11)}`, key, 404, 'not-found')
  await service.refused(`${of(1)}/${uuid(16)}`, key, 404, 'not-found')
  await service.refused(`${of(99)}/${uuid(11)}`, key, 404, 'not-found')
  await service.refused(of(99), key, 404, 'not-found')
  await service.refused(of(3), key, 404, 'not-found')
  await service.refused(`${of(3)}/${uuid(17)}`, key, 404, 'not-found')
})

test('an id that two images of an item share is never resolved; images of two items may share one', async () => {
  await service.refused(`${of(4)}/${uuid(18)}`, key, 500, 'integrity-unavailable')
  await service.refused(of(4), key, 500, 'integrity-unavailable')
  for (const reference of ['x', 'y']) {
    await service.refused(`${of(4)}?external_reference=${reference}`, key, 500, 'integrity-unavailable')
  }
  await service.read(`${of(4)}/${uuid(11)}`, key)
  await service.read(`${of(1)}/${uuid(11)}`, key)
})

test('only pages that show a record without a public id answer 500', async () => {
  await service.read(`${of(5)}?limit=1`, key)
  await service.refused(of(5), key, 500, 'integrity-unavailable')
  await service.refused(`${of(5)}?external_reference=nameless`, key, 500, 'integrity-unavailable')
  await service.read(`${of(5)}/${uuid(19)}`, key)
})

test('a private image with the id of an image on an earlier page makes its page 500, even with a cached page', async () => {
  const records: Line[] = [
    { type: 'item', id: uuid(6), title: 'N' },
    image(21, 6, { created_at: early, public: true }),
    image(22, 6, { created_at: late }),
  ]
  await service.load([houseLine('reads'), ...records])
  const url = `${of(6)}?limit=1`
  const before = await service.get(url, key)
  assert.equal(before.statusCode, 200)
  await service.load([houseLine('reads'), image(21, 6, { created_at: null })])
  await service.refused(url, key, 500, 'integrity-unavailable')
  const condition = { 'if-none-match': String(before.headers.etag) }
  assert.equal((await service.get(url, key, condition)).statusCode, 500)
})
