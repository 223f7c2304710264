import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur, uuid, type Line } from '../../test/support/lines.ts'
import { openWriting } from '../../test/support/writing.ts'

const service = await openWriting([
  { type: 'item', id: uuid(1), external_reference: 'long', title: 'x', translations: { en: { title: 'y' } } },
  { type: 'auction', id: uuid(2), external_reference: 'long', title: 'x' },
])
after(() => service.close())
const { post, patch, show, errorsOf, repeats } = service
const kibibyte = 1024

const picture = '🖼'
let number = 0
const bodyOf = (fields: object) => ({ external_reference: `L-${++number}`, title: 'Vaas', ...fields })
const refusedPost = (fields: object) => errorsOf('POST', 'items', bodyOf(fields))
async function create(fields: object): Promise<string> {
  const { status, data, errors } = await post('items', bodyOf(fields))
  assert.equal(status, 201, errors.join())
  return `items/${data.id}`
}

test('a title has at most a thousand characters, in any locale', async () => {
  const longest = picture.repeat(1000)
  const path = await create({ title: longest, translations: { nl: { title: longest }, de: { title: longest } } })
  assert.equal((await show(path))['title'], longest)
  assert.deepEqual(
    await refusedPost({ title: `${longest}x`, translations: { fr: { title: 'x'.repeat(1001) }, en: { title: 'x' } } }),
    ['title too_long', 'translations.fr.title too_long'],
  )
  assert.deepEqual(
    await errorsOf('PATCH', path, { title: `${longest}x`, translations: { fr: { title: `${longest}x` } } }),
    ['title too_long', 'translations.fr.title too_long'],
  )
})

test('all texts of an item have at most 256 KiB together; the refusal names the text that exceeds them', async () => {
  const text = 'é'.repeat(64 * kibibyte)
  const full = { title: 'x', description: text, translations: { en: { description: text.slice(0, -5) } } }
  assert.deepEqual(await refusedPost({ ...full, weight: 'twelve more' }), ['translations.en.description too_long'])
  assert.deepEqual(await refusedPost({ description: 'x'.repeat(256 * kibibyte), condition: 'x' }), [
    'description too_long',
  ])
  // The flat texts and those of the default locale are the same, and count once.
  const path = await create({ ...full, translations: { ...full.translations, nl: { title: 'x', description: text } } })
  assert.deepEqual(await errorsOf('PATCH', path, { weight: 'twelve more' }), ['weight too_long'])
  assert.deepEqual(await errorsOf('PATCH', path, { translations: { de: { title: 'ten more!!' } }, condition: null }), [
    'translations.de.title too_long',
  ])
  await repeats(path, { description: text, translations: { en: { description: text.slice(0, -5) } } })
  assert.equal((await patch(path, { description: 'short', translations: { de: { description: text } } })).status, 200)
  assert.equal((await patch(path, { translations: { en: { description: null } }, weight: 'twelve more' })).status, 200)
})

test('an older item beyond the bounds is shown, and takes every change that does not lengthen it', async () => {
  const [title, description] = ['t'.repeat(1500), 'd'.repeat(300 * kibibyte)]
  await sql`update catalogue.items set title = ${title}, description = ${description} where external_reference = 'long'`.execute(
    service.db,
  )
  const path = `items/${uuid(1)}`
  assert.equal((await show(path))['title'], title)
  await repeats(path, { title, description })
  assert.deepEqual(await errorsOf('PATCH', path, { title: `${title}x` }), ['title too_long'])
  assert.deepEqual(await errorsOf('PATCH', path, { weight: '1 kg', translations: { en: { title: 'z' } } }), [
    'weight too_long',
  ])
  for (const body of [
    { title: 't'.repeat(1400) },
    { translations: { nl: { title: 't'.repeat(1300) } } },
    { description: 'd'.repeat(299 * kibibyte), weight: '1 kg' },
    { description: 'd'.repeat(298 * kibibyte), translations: { de: { title: 'u'.repeat(900) } } },
    { seller: null, estimate: null },
    { description: 'd' },
    { title: 't' },
  ]) {
    const { status, errors } = await patch(path, body)
    assert.equal(status, 200, errors.join())
  }
  assert.deepEqual(await errorsOf('PATCH', path, { title: 't'.repeat(1001) }), ['title too_long'])
})

test("an auction's description has at most 64 KiB; an older longer one may be repeated and shortened", async () => {
  const longest = 'é'.repeat(32 * kibibyte)
  const body = { title: 'x', external_reference: 'A', description: `${longest}x` }
  assert.deepEqual(await errorsOf('POST', 'auctions', body), ['description too_long'])
  const { status, data } = await post('auctions', { ...body, description: longest })
  assert.equal(status, 201)
  assert.deepEqual(await errorsOf('PATCH', `auctions/${data.id}`, { description: `${longest}x` }), [
    'description too_long',
  ])
  const path = `auctions/${uuid(2)}`
  await sql`update catalogue.auctions set description = ${longest.repeat(2)} where external_reference = 'long'`.execute(
    service.db,
  )
  await repeats(path, { description: longest.repeat(2), title: 'x' })
  assert.deepEqual(await errorsOf('PATCH', path, { description: `${longest.repeat(2)}x` }), ['description too_long'])
  for (const description of [`${longest}${longest.slice(1)}`, longest, null])
    assert.equal((await patch(path, { description })).data['description'], description)
})

test('the texts of a load have the same bounds', async () => {
  const { load } = service
  const house = { type: 'house', slug: 'house' }
  const title = picture.repeat(1000)
  const text = 'x'.repeat(128 * kibibyte - 1)
  const item = {
    type: 'item',
    title: 'x',
    description: text,
    translations: { nl: { description: text }, en: { description: text } },
  }
  await load([house, { type: 'item', title, translations: [{ locale: 'en', title }] }, item])
  await load([house, { type: 'auction', title: 'x'.repeat(1024), description: 'x'.repeat(64 * kibibyte) }])
  const step = { from: eur(0), increment: eur(1) }
  const refused: [line: Line, field: string][] = [
    [{ type: 'item', title: `${title}x` }, 'title'],
    [{ type: 'item', translations: { de: { title: `${title}x` } } }, 'translations.de.title'],
    [{ type: 'item', translations: [{ locale: 'de' }, { locale: 'en', title: `${title}x` }] }, 'translations.1.title'],
    [{ ...item, weight: 'xx' }, 'translations.en.description'],
    [
      {
        ...item,
        translations: [
          { locale: 'en', description: text },
          { locale: 'en', title: 'xxx' },
        ],
      },
      'translations.1.title',
    ],
    [{ type: 'auction', description: `x${'x'.repeat(64 * kibibyte)}` }, 'description'],
    [{ type: 'auction', title: 'x'.repeat(1025) }, 'title'],
    [{ type: 'session', auction: 'a', kind: 'live', titles: { nl: 'x'.repeat(1025) } }, 'titles.nl'],
    [{ type: 'seller', profile_name: 'x'.repeat(1025) }, 'profile_name'],
    [{ type: 'seller', account_name: 'x'.repeat(1025) }, 'account_name'],
    [{ type: 'category', names: { nl: 'x'.repeat(1025) } }, 'names.nl'],
    [{ type: 'delivery_class', instructions: 'x'.repeat(64 * kibibyte + 1) }, 'instructions'],
    [{ type: 'increment_strategy', steps: Array.from({ length: 1001 }, () => step) }, 'steps'],
  ]
  for (const [line, field] of refused)
    await assert.rejects(
      load([house, { type: 'maker', name: 'M' }, line]),
      { name: 'LoadError', line: 3, field },
      field,
    )
})
