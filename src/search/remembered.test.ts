import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

const item = (number: number, title: string, fields: object = {}): Line => {
  return { type: 'item', id: uuid(number), title, ...fields }
}
const category = (number: number, name: string): Line => {
  return { type: 'category', id: uuid(number), slug: `c-${number}`, names: { nl: name } }
}
const delft = (first: number) => [item(first, 'Delfts vaas'), item(first + 1, 'Delfst'), item(first + 2, 'Bord')]
const table = (first: number) => [item(first, 'Tablecloth'), item(first + 1, 'Table')]
const english = { default_locale: 'en' }

let service: TestService

before(async () => {
  service = await startService({
    records: [
      houseLine('renamed'),
      ...delft(1),
      houseLine('named'),
      ...delft(11),
      category(20, 'Delfste'),
      houseLine('unnamed'),
      ...delft(31),
      category(40, 'Kunst'),
      houseLine('translated', english),
      ...table(51),
      houseLine('dutch', english),
      ...table(61),
      category(70, 'Kunst'),
      houseLine('plain', english),
      ...table(81),
      houseLine('bridges'),
      item(91, 'Bruggenconstructor'),
      item(92, 'Bruggen'),
    ],
  })
})

after(() => service.close())

async function find(q: string, key: string) {
  const reply = await service.get(`/api/v2/items/search?q=${encodeURIComponent(q)}`, key)
  assert.equal(reply.statusCode, 200, `${q} ${reply.payload}`)
  const { data, corrected, relaxed } = reply.json<{ data: { title: string }[]; corrected?: object; relaxed?: true }>()
  return { titles: data.map(({ title }) => title), corrected, relaxed }
}

async function change(number: number, key: string, fields: object) {
  const url = `/api/v2/items/itm_${uuid(number)}`
  const reply = await service.request({ method: 'PATCH', url, key, body: fields })
  assert.equal(reply.statusCode, 200, reply.payload)
}

test('a word that no record has any longer is taken as before it was written', async () => {
  const key = await service.issueKey('renamed')
  const before = await find('delfste vaas ', key)
  await change(3, key, { title: 'Delfste' })
  await find('delfste ', key)
  await change(3, key, { title: 'Bord' })
  assert.deepEqual(await find('delfste vaas ', key), before)
})

test('a key without categories.read is answered alike whatever categories are named', async () => {
  const ask = async (slug: string, q: string) => find(q, await service.issueKey(slug, ['lots.read']))
  assert.deepEqual(await ask('named', 'delfste vaas '), await ask('unnamed', 'delfste vaas '))
})

test('a key without categories.read is answered alike whatever language categories are named in', async () => {
  const ask = async (slug: string, q: string) => find(q, await service.issueKey(slug, ['lots.read']))
  assert.deepEqual(await ask('dutch', 'cloth '), await ask('plain', 'cloth '))
})

test('parts of compounds are found as before once the last text of their language has gone', async () => {
  const key = await service.issueKey('translated')
  const before = await find('cloth ', key)
  await change(52, key, { translations: { nl: { title: 'Tafel' } } })
  await find('tafel ', key)
  await change(52, key, { translations: { nl: { title: null } } })
  assert.deepEqual(await find('cloth ', key), before)
})

test('parts of compounds in names of categories are found with categories.read, whatever language texts are in', async () => {
  const ask = async (key: string) => (await find('cloth ', key)).titles
  assert.deepEqual(await ask(await service.issueKey('dutch', ['lots.read', 'categories.read'])), ['Tablecloth'])
  assert.deepEqual(await ask(await service.issueKey('dutch', ['lots.read'])), [])
})

test('a part of a compound may be the name of a property', async () => {
  assert.deepEqual((await find('constructor ', await service.issueKey('bridges'))).titles, ['Bruggenconstructor'])
})

test('of a word that no record has, nothing is taken away', async () => {
  assert.deepEqual((await find('-stoel', await service.issueKey('bridges'))).titles.length, 2)
})
