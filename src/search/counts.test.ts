import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

const inLanguages = (id: number, title: string, locales: string[]): Line => {
  const translations = Object.fromEntries(locales.map((locale) => [locale, { title }]))
  return { type: 'item', id: uuid(id), title, translations }
}
const others = Array.from({ length: 12 }, (_, at) => `woord${'abcdefghijkl'[at]!}`)

let service: TestService
let keys: Record<'words' | 'odd', string>

before(async () => {
  service = await startService({
    records: [
      houseLine('words', { default_locale: 'de' }),
      inLanguages(1, 'Alphonse', ['de', 'nl', 'en', 'fr']),
      ...[2, 3].map((id) => inLanguages(id, 'Betina', [])),
      { type: 'item', id: uuid(4), title: 'Jäger', description: 'Jager Jaeger' },
      inLanguages(5, 'zeldzaamst', ['de', 'nl', 'en', 'fr', 'es']),
      ...[6, 7].map((id) => inLanguages(id, others.join(' '), [])),
      ...['Mueller Muller', 'Müller Muller', 'Muller x x x x x x x x x Mueller'].map((condition, at): Line => ({
        type: 'item',
        id: uuid(20 + at),
        title: 'Beiderseits',
        condition,
      })),
      houseLine('odd'),
      { type: 'category', id: uuid(30), slug: 'art', names: { nl: 'Kunst' } },
      { type: 'item', id: uuid(31), title: 'Vaas', categories: [uuid(30)] },
    ],
  })
  keys = { words: await service.issueKey('words'), odd: await service.issueKey('odd') }
})

after(() => service.close())

async function search(house: keyof typeof keys, q: string) {
  const reply = await service.get(`/api/v2/items/search?q=${encodeURIComponent(q)}`, keys[house])
  assert.equal(reply.statusCode, 200, reply.payload)
  const { data, relaxed } = reply.json<{ data: { id: string }[]; relaxed?: true }>()
  return { ids: data.map(({ id }) => id.slice(-12).replace(/^0+/, '')), relaxed: relaxed === true }
}

test('a record that has a word in several languages counts once, so the rarest word stays and counts', async () => {
  assert.deepEqual(await search('words', 'alphonse betina '), { ids: ['1'], relaxed: true })
  assert.deepEqual((await search('words', [...others, 'zeldzaamst', ''].join(' '))).ids, [])
})

test('a record that has a word in several spellings counts once', async () => {
  assert.deepEqual(await search('words', 'jager betina '), { ids: ['4'], relaxed: true })
})

test('two words of q that one word of a text may be are beside each other where they stand so', async () => {
  const { ids } = await search('words', 'mueller muller beiderseits ')
  assert.deepEqual(ids.slice(0, 2).toSorted(), ['20', '21'])
  assert.equal(ids[2], '22')
})

test('infinite times and names that are no texts or of no language leave a house searchable', async () => {
  const { db } = service
  await sql`update catalogue.items set created_at = 'infinity' where title = 'Vaas'`.execute(db)
  await sql`update catalogue.categories set names = '{"nl": 5, "pt": "Artes", "en": "Art"}' where slug = 'art'`.execute(
    db,
  )
  assert.equal((await search('odd', 'vaas ')).ids.length, 1)
})
