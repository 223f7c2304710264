import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { everyText, eur, houseLine, linesOf, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { publicUrl, startService, type Json, type TestService } from '../../test/support/service.ts'
import { noTexts } from './texts.ts'

const item = linesOf('item', (number) => ({ title: `Item ${number}` }))
const image = (number: number, of: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'image',
  id: `img_${uuid(number)}`,
  item: uuid(of),
  public: true,
  ...fields,
})
const nameless = (type: string, fields: Record<string, unknown> = {}): Line => ({
  type,
  ref: type,
  id: null,
  ...fields,
})

let service: TestService
let key: string

before(async () => {
  service = await startService({
    records: [
      houseLine('reads', { default_locale: 'fr' }),
      { type: 'seller', id: uuid(1), seller_number: 1, archived: true },
      { type: 'category', id: uuid(2), slug: 'a' },
      { type: 'category', id: uuid(3), slug: 'b' },
      { type: 'maker', id: uuid(4), name: 'M' },
      { type: 'maker', id: uuid(5), name: 'N', active: false },
      { type: 'delivery_class', id: uuid(6), name: 'D' },
      { type: 'consignment', id: uuid(7), number: 'C', archived: true, seller: uuid(1) },
      item(11, { created_at: '2026-01-02T00:00:00Z', external_reference: 'Ref' }),
      item(12, { created_at: '2026-01-02T00:00:00Z', external_reference: 'ref ' }),
      item(13, { created_at: null, updated_at: null }),
      item(14, { created_at: '2026-01-03T00:00:00Z', archived: true, external_reference: 'gone' }),
      item(15, {
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:01Z',
        external_reference: '  é"\\ %  ',
        ...everyText,
        title: 'Vase "bleu", \\ 1900\n€ 🎨',
        description: '"timed":null,',
        condition: '',
        translations: [
          { locale: 'nl', title: 'Vaas', description: null },
          { locale: 'fr', title: 'Vase "bleu", \\ 1900\n€ 🎨', description: '"timed":null,', condition: '' },
          { locale: 'hu', title: null },
        ],
        estimate: { low: null, high: eur(214748364700) },
        seller: uuid(1),
        categories: [uuid(3), uuid(2)],
        makers: [uuid(5), uuid(4)],
        delivery_class: uuid(6),
        consignment: uuid(7),
      }),
      item(16, { created_at: null, estimate: { low: eur(0), high: null } }),
      // Positions with gaps, repeated and missing; private images between them.
      image(21, 15, { position: null, created_at: '2026-01-02T00:00:00Z' }),
      image(22, 15, { position: 40, featured: true }),
      image(23, 15, { position: 7, created_at: '2026-01-02T00:00:00Z' }),
      image(24, 15, { position: 7, created_at: '2026-01-01T00:00:00Z' }),
      image(25, 15, { position: 1, public: false, featured: true }),
      image(26, 15, { position: null, created_at: '2026-01-01T00:00:00Z' }),
      image(28, 15, { position: 7, created_at: null }),
      image(27, 15, { position: 7, created_at: null }),
      image(29, 15, { position: -3, processing: true }),
      houseLine('broken'),
      nameless('seller'),
      nameless('category', { slug: 'x' }),
      nameless('maker', { name: 'x' }),
      nameless('delivery_class', { name: 'x' }),
      nameless('consignment', { number: 'x' }),
      item(40),
      item(41, { id: null, external_reference: 'nameless' }),
      item(42, { title: null }),
      item(43, {
        translations: [
          { locale: 'en', title: 'a' },
          { locale: 'en', title: 'a' },
        ],
      }),
      item(44, { seller: 'seller' }),
      item(45, { categories: ['category'] }),
      item(46, { makers: ['maker'] }),
      item(47, { delivery_class: 'delivery_class' }),
      item(48, { consignment: 'consignment' }),
      item(49),
      item(50),
      item(51),
      image(61, 49, { id: null }),
      image(62, 50),
      image(62, 50),
      image(63, 51, { id: null, public: false }),
      image(62, 51),
    ],
  })
  key = await service.issueKey('reads')
})

after(() => service.close())

const list = async (query: string) => numbersOf(await service.walk(`/api/v2/items?${query}`, key))

test('items are listed newest first, ties by id downwards, those without a time last, archived ones not at all', async () => {
  for (const limit of [1, 2, 100]) assert.deepEqual(await list(`limit=${limit}`), [12, 11, 15, 16, 13])
  await service.refused(`/api/v2/items/${uuid(14)}`, key, 404, 'not-found')
})

test('external_reference matches exactly, letter case and white space included', async () => {
  const find = (reference: string) => list(`external_reference=${encodeURIComponent(reference)}`)
  assert.deepEqual(await find('Ref'), [11])
  assert.deepEqual(await find('ref '), [12])
  assert.deepEqual(await find('  é"\\ %  '), [15])
  for (const reference of ['ref', 'REF', ' Ref', 'gone', '%', 'nameless']) assert.deepEqual(await find(reference), [])
})

test('an item shows every field, its texts byte for byte, only stored translations, and links in their order', async () => {
  assert.deepEqual(await service.read(`/api/v2/items/${uuid(15)}`, key), {
    id: `itm_${uuid(15)}`,
    external_reference: '  é"\\ %  ',
    ...everyText,
    title: 'Vase "bleu", \\ 1900\n€ 🎨',
    description: '"timed":null,',
    condition: '',
    estimate: { high: eur(214748364700) },
    images: [29, 24, 23, 27, 28, 22, 26, 21].map((number) => `img_${uuid(number)}`),
    translations: {
      nl: { title: 'Vaas' },
      fr: { title: 'Vase "bleu", \\ 1900\n€ 🎨', description: '"timed":null,', condition: '' },
    },
    seller: `sel_${uuid(1)}`,
    categories: [`cat_${uuid(3)}`, `cat_${uuid(2)}`],
    makers: [`mkr_${uuid(5)}`, `mkr_${uuid(4)}`],
    delivery_class: `dlc_${uuid(6)}`,
    consignment: `con_${uuid(7)}`,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:01.000Z',
  })
})

test('a legacy item shows null or an empty list for values that are not stored', async () => {
  const { title: _, ...freeTexts } = noTexts
  const { id, title, ...rest } = await service.read(`/api/v2/items/${uuid(13)}`, key)
  assert.deepEqual([id, title], [`itm_${uuid(13)}`, 'Item 13'])
  assert.deepEqual(rest, {
    external_reference: null,
    ...freeTexts,
    estimate: null,
    images: [],
    translations: {},
    seller: null,
    categories: [],
    makers: [],
    delivery_class: null,
    consignment: null,
    created_at: null,
    updated_at: null,
  })
  const low = await service.read(`/api/v2/items/${uuid(16)}`, key)
  assert.deepEqual(low['estimate'], { low: eur(0) })
})

test('expand[]=images gives the public gallery: dense positions, addresses of existing files, never the original', async () => {
  const folder = `public/${'a'.repeat(32)}`
  await sql`update catalogue.images set renditions = ${folder}, original = ${`originals/${'b'.repeat(32)}`},
      width = 600, height = 400, placeholder = 'AAAA', sources_folder = ${folder}, source_widths = array[480, 600],
      source_heights = array[320, 400], alts = '{"fr": "De face", "en": "Front"}'
    where public_id = ${uuid(22)}`.execute(service.db)
  await sql`update catalogue.items set revision = revision + 1 where public_id = ${uuid(15)}`.execute(service.db)
  const { images } = await service.read<{ images: Json[] }>(`/api/v2/items/${uuid(15)}?expand[]=images`, key)
  assert.deepEqual(numbersOf(images), [29, 24, 23, 27, 28, 22, 26, 21])
  assert.deepEqual(
    images.map(({ position }) => position),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
  const address = (name: string) => `${publicUrl}/media/${folder}/${name}.webp`
  assert.deepEqual(images[5], {
    id: `img_${uuid(22)}`,
    url: address('image'),
    preview_url: address('preview'),
    thumbnail_url: address('thumbnail'),
    mini_url: address('mini'),
    width: 600,
    height: 400,
    placeholder: 'AAAA',
    sources: [
      { url: address('480'), width: 480, height: 320, type: 'image/webp' },
      { url: address('600'), width: 600, height: 400, type: 'image/webp' },
    ],
    alt: 'De face',
    alt_translations: { fr: 'De face', en: 'Front' },
    position: 5,
    featured: true,
  })
  assert.deepEqual(images[0], {
    id: `img_${uuid(29)}`,
    url: null,
    preview_url: null,
    thumbnail_url: null,
    mini_url: null,
    width: null,
    height: null,
    placeholder: null,
    sources: [],
    alt: null,
    alt_translations: {},
    position: 0,
    featured: false,
  })
  // The version before this one has moved the renditions, without the sources.
  await sql`update catalogue.images set sources_folder = ${`public/${'c'.repeat(32)}`}
    where public_id = ${uuid(22)}`.execute(service.db)
  await sql`update catalogue.items set revision = revision + 1 where public_id = ${uuid(15)}`.execute(service.db)
  const { images: moved } = await service.read<{ images: Json[] }>(`/api/v2/items/${uuid(15)}?expand[]=images`, key)
  const { url, sources, placeholder, width } = moved[5]!
  assert.deepEqual([url, sources, placeholder, width], [address('image'), [], null, 600])
})

test('only reads that show an invalid item answer 500', async () => {
  const broken = await service.issueKey('broken')
  await service.read(`/api/v2/items/${uuid(40)}`, broken)
  for (const number of [42, 43, 44, 45, 46, 47, 48, 49, 50]) {
    for (const query of ['', '?expand[]=images']) {
      await service.refused(`/api/v2/items/${uuid(number)}${query}`, broken, 500, 'integrity-unavailable')
    }
  }
  await service.refused('/api/v2/items?external_reference=nameless', broken, 500, 'integrity-unavailable')
  await service.refused('/api/v2/items', broken, 500, 'integrity-unavailable')
  await service.read(`/api/v2/items/${uuid(51)}?expand[]=images`, broken)
})

test('a change that would make an item unreadable is refused with the error of its read, and stores nothing', async () => {
  const broken = await service.issueKey('broken')
  const numbers = [42, 44, 45, 46, 47, 48, 49, 50]
  const stored = sql`select id, condition, updated_at from catalogue.items
    where public_id = any(${numbers.map(uuid)}::uuid[]) order by id`
  const { rows: before } = await stored.execute(service.db)
  for (const number of numbers) {
    const url = `/api/v2/items/${uuid(number)}`
    const { detail } = (await service.get(url, broken)).json<{ detail: string }>()
    for (const headers of [{}, { 'idempotency-key': `${number}` }]) {
      const reply = await service.request({ method: 'PATCH', url, key: broken, headers, body: { condition: 'new' } })
      assert.equal(reply.statusCode, 500)
      assert.equal(reply.json<{ detail: string }>().detail, detail)
    }
  }
  assert.deepEqual((await stored.execute(service.db)).rows, before)
})
