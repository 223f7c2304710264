import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { catalogueOf } from '../../test/support/lines.ts'
import { createMirror } from '../../test/support/mirror.ts'
import { form, picture, unsigned, workOff, type Part } from '../../test/support/pictures.ts'
import { startService, type Json } from '../../test/support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
const theirs = catalogueOf(2)
const service = await startService({ records: [...lines, ...theirs.lines] })
after(() => service.close())
const key = await service.issueKey(slug)
const item = `/api/v2/items/${ids.item}`
const [shown, hidden] = [`${item}/images/${ids.image}`, `${item}/images/${ids.spareImage}`]
const bytes = await picture()

const patch = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  service.request({ method: 'PATCH', url, key, body, headers })
const textsOf = ({ alt, alt_translations }: Json) => [alt, alt_translations]
const upload = (...parts: Part[]) =>
  service.request({
    method: 'POST',
    url: `${item}/images`,
    key,
    ...form(['external_reference', crypto.randomUUID()], ...parts, ['file', bytes, 'a.jpg']),
  })

/** Sends a change. Returns the texts of the answer, which the reads of the image and of its gallery also show. */
async function change(url: string, body: unknown): Promise<unknown[]> {
  const reply = await patch(url, body)
  assert.equal(reply.statusCode, 200, reply.payload)
  const { data } = reply.json<{ data: Json }>()
  assert.deepEqual(unsigned(await service.read(url, key)), unsigned(data))
  const { images } = await service.read<{ images: Json[] }>(`/api/v2/items/${ids.item}?expand[]=images`, key)
  const inGallery = images.find(({ id }) => id === data['id'])
  assert.deepEqual(inGallery && textsOf(inGallery), data['public'] ? textsOf(data) : undefined)
  return textsOf(data)
}

/** The fields and codes of a refusal. */
async function errorsOf(reply: { statusCode: number; payload: string }): Promise<string[]> {
  assert.equal(reply.statusCode, 422, reply.payload)
  const { errors } = JSON.parse(reply.payload) as { errors: { field: string; code: string }[] }
  return errors.map(({ field, code }) => `${field} ${code}`)
}

const timesOf = async () => {
  const { rows } = await sql<{ name: string; at: Date }>`
    select 'item' as name, updated_at as at from catalogue.items where public_id = ${ids.item.slice(4)}
    union all select 'lot', updated_at from catalogue.lots where public_id = ${ids.lot.slice(4)}
    union all select 'shown', updated_at from catalogue.images where public_id = ${ids.image.slice(4)}
    union all select 'hidden', updated_at from catalogue.images where public_id = ${ids.spareImage.slice(4)}`.execute(
    service.db,
  )
  return Object.fromEntries(rows.map(({ name, at }) => [name, at.getTime()]))
}

/** What an action advances: names of `timesOf`. */
async function advancedBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = await timesOf()
  await work()
  const now = await timesOf()
  return Object.keys(now).filter((name) => now[name]! > before[name]!)
}

test('a text and that of the default locale are one; a text that is left out is kept, and null clears one', async () => {
  assert.deepEqual(await change(shown, { alt_translations: { en: null } }), ['Een vaas', { nl: 'Een vaas' }])
  assert.deepEqual(await change(shown, { alt: 'Van voren' }), ['Van voren', { nl: 'Van voren' }])
  const both = { nl: 'Van opzij', en: 'From the side' }
  assert.deepEqual(await change(shown, { alt_translations: both }), ['Van opzij', both])
  assert.deepEqual(await change(shown, {}), ['Van opzij', both])
  assert.deepEqual(await change(shown, { alt: 'Van opzij', alt_translations: { nl: 'Van opzij' } }), [
    'Van opzij',
    both,
  ])
  assert.deepEqual(await change(shown, { alt: null }), [null, { en: 'From the side' }])
  assert.deepEqual(await change(shown, { alt_translations: { en: null } }), [null, {}])
})

test('a text is refused if it is blank, too long, contradictory or of an unknown locale, and so is any other field', async () => {
  const long = '🏺'.repeat(1000)
  assert.deepEqual(await change(hidden, { alt: long }), [long, { nl: long }])
  const refused: [body: unknown, ...errors: string[]][] = [
    [{ alt: '' }, 'alt blank'],
    [{ alt: ' \u200b' }, 'alt blank'],
    [{ alt: `${long}a` }, 'alt too_long'],
    [{ alt: 1 }, 'alt wrong_type'],
    [{ alt_translations: null }, 'alt_translations not_clearable'],
    [{ alt_translations: { en: '' } }, 'alt_translations.en blank'],
    [{ alt_translations: { da: 'x' } }, 'alt_translations.da unsupported_locale'],
    [{ alt: 'a', alt_translations: { nl: 'b' } }, 'alt invalid'],
    [{ alt: null, alt_translations: { nl: 'b' } }, 'alt invalid'],
    [{ public: true, url: 'x' }, 'public unknown_field', 'url unknown_field'],
    [[], ' wrong_type'],
  ]
  for (const [body, ...errors] of refused) assert.deepEqual(await errorsOf(await patch(hidden, body)), errors)
  assert.deepEqual(textsOf(await service.read(hidden, key)), [long, { nl: long }])
})

test('a change moves the image, that of a public one its item and lots too; the same text moves nothing', async () => {
  assert.deepEqual(await advancedBy(() => change(hidden, { alt: 'Verborgen' })), ['hidden'])
  assert.deepEqual((await advancedBy(() => change(shown, { alt: 'Vooraan' }))).toSorted(), ['item', 'lot', 'shown'])
  assert.deepEqual(await advancedBy(() => change(shown, { alt_translations: { nl: 'Vooraan' } })), [])
})

test('the feed names the image, and of a public one its item and lots', async () => {
  const ask = async <T>(path: string): Promise<T> => (await service.get(`/api/v2${path}`, key)).json<T>()
  const mirror = createMirror(ask, ['item', 'lot', 'image'])
  await mirror.follow()
  const namesAfter = async (url: string, alt: string) => {
    await change(url, { alt })
    const { data } = await mirror.step()
    await mirror.prove()
    return data.map(({ id }) => String(id)).toSorted()
  }
  assert.deepEqual(await namesAfter(hidden, 'Stil'), [ids.spareImage])
  const after = await namesAfter(shown, 'Luid')
  assert.ok([ids.image, ids.item, ids.lot].every((id) => after.includes(id)))
})

test('an image has a text while it is processed, and keeps it afterwards', async () => {
  const location = String((await upload()).headers.location)
  assert.deepEqual(await change(location, { alt: 'Nog niet klaar' }), ['Nog niet klaar', { nl: 'Nog niet klaar' }])
  await workOff(service)
  const { processing, placeholder, alt } = await service.read(location, key)
  assert.deepEqual([processing, typeof placeholder, alt], [false, 'string', 'Nog niet klaar'])
})

test('an upload may bring its texts, and is refused with the errors of all of them', async () => {
  const translations = JSON.stringify({ en: 'Front — 🏺', nl: 'Voor' })
  const reply = await upload(['alt', 'Voor'], ['alt_translations', translations])
  assert.deepEqual(textsOf(reply.json<{ data: Json }>().data), ['Voor', { en: 'Front — 🏺', nl: 'Voor' }])
  const longest = JSON.stringify(Object.fromEntries(['nl', 'en', 'zh', 'hu'].map((each) => [each, '🏺'.repeat(1000)])))
  assert.equal((await upload(['alt_translations', longest])).statusCode, 201)
  const refused: [parts: Part[], ...errors: string[]][] = [
    [[['alt', '']], 'alt blank'],
    [[['alt', 'a'.repeat(1001)]], 'alt too_long'],
    [
      [
        ['alt', 'a'],
        ['alt', 'a'],
      ],
      'alt duplicate',
    ],
    [[['alt_translations', 'Voor']], 'alt_translations wrong_type'],
    [[['alt_translations', '{"en":"a","en":"b"}']], 'alt_translations wrong_type'],
    [[['alt_translations', '{"da":"a"}']], 'alt_translations.da unsupported_locale'],
    [[['alt_translations', '{"en":null}']], 'alt_translations.en wrong_type'],
    [
      [
        ['alt', 'a'],
        ['alt_translations', '{"nl":"b"}'],
      ],
      'alt invalid',
    ],
  ]
  for (const [parts, ...errors] of refused) assert.deepEqual(await errorsOf(await upload(...parts)), errors)
})

test('a rehearsal changes nothing, a repetition changes once, and another version is refused', async () => {
  const before = await service.read(shown, key)
  const tried = await patch(`${shown}?dry_run=true`, { alt: 'Geprobeerd' })
  assert.deepEqual([tried.statusCode, tried.json<{ data: Json }>().data['alt']], [200, 'Geprobeerd'])
  assert.deepEqual(unsigned(await service.read(shown, key)), unsigned(before))
  const { etag } = (await service.get(shown, key)).headers
  const named = { 'if-match': String(etag), 'idempotency-key': 'once' }
  const first = await patch(shown, { alt: 'Eenmaal' }, named)
  assert.deepEqual(
    [first.statusCode, await patch(shown, { alt: 'Eenmaal' }, named).then((each) => each.payload)],
    [200, first.payload],
  )
  assert.equal((await patch(shown, { alt: 'Nog eens' }, { 'if-match': String(etag) })).statusCode, 412)
  assert.equal((await patch(shown, { alt: 'Nog eens' }, { 'if-match': String(first.headers.etag) })).statusCode, 200)
})

test('only a key of the house that writes and reads lots changes a text', async () => {
  for (const permission of ['lots.read', 'lots.write'] as const) {
    const weak = await service.issueKey(slug, [permission])
    const reply = await service.request({ method: 'PATCH', url: shown, key: weak, body: { alt: 'x' } })
    assert.equal(reply.statusCode, 403)
  }
  const other = await service.issueKey(theirs.slug)
  const urls = [shown, `/api/v2/items/${theirs.ids.item}/images/${ids.image}`]
  for (const url of urls)
    assert.equal((await service.request({ method: 'PATCH', url, key: other, body: { alt: 'x' } })).statusCode, 404)
})

test('the journal has the texts of an upload and of each change', async () => {
  const location = String((await upload(['alt', 'Eerst'])).headers.location)
  await change(location, { alt: 'Dan', alt_translations: { en: 'Then' } })
  const { rows } = await sql<{ operation: string; changes: { field: string; old: string | null; new: string }[] }>`
    select operation, changes::jsonb as changes from catalogue.journal order by at desc, id limit 2`.execute(service.db)
  const found = rows.map(({ operation, changes }) => [
    operation,
    ...changes.filter(({ field }) => field.startsWith('alt')).map((each) => `${each.field} ${each.old} ${each.new}`),
  ])
  assert.deepEqual(found, [
    ['updateImage', 'alt Eerst Dan', 'alt_translations.en null Then'],
    ['uploadImage', 'alt null Eerst'],
  ])
})
