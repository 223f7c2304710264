import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

// Those with higher numbers are newer.
const item = (number: number, title: string, description: string | null = null, fields: object = {}): Line => {
  const created_at = new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString()
  return { type: 'item', id: uuid(number), title, description, created_at, ...fields }
}

const filler = 'een twee drie vier vijf zes zeven acht negen tien'
const wordsOf = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`).join(' ')
const apart = `rode ${filler} vaas`

let service: TestService

before(async () => {
  service = await startService({
    records: [
      houseLine('phrases'),
      item(1, 'Art deco lamp van brons met glas'),
      item(2, 'Lamp', 'in art deco stijl'),
      houseLine('makers'),
      { type: 'maker', id: uuid(10), name: 'Rembrandt' },
      item(11, 'Ets', null, { makers: [uuid(10)] }),
      item(12, 'Rembrandtsplein'),
      houseLine('titles'),
      item(21, `Vaas ${wordsOf(24)}`),
      item(22, `Vaas ${wordsOf(25)}`),
      houseLine('corrected'),
      item(31, 'Bord', 'rode kandelaar uit een kerk'),
      item(32, 'Bord', 'rode uit een kerk kandelaar'),
      houseLine('frequent'),
      ...Array.from({ length: 400 }, (_, at) => item(100 + at, filler, `${apart} kandelaars`)),
      item(50, filler, `rode vaas ${filler}`),
      item(51, 'Bord', apart),
      item(52, `Kandelaars ${wordsOf(40)}`),
      item(53, 'Bord', 'kandelaars'),
    ],
  })
})

after(() => service.close())

async function find(slug: string, q: string, count = 2): Promise<number[]> {
  const key = await service.issueKey(slug)
  const reply = await service.get(`/api/v2/items/search?limit=${count}&q=${encodeURIComponent(q)}`, key)
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<{ data: { id: string }[] }>().data.map(({ id }) => Number(id.slice(-12)))
}

test('a phrase in a title comes before one in a description, however short the other title', async () => {
  assert.deepEqual(await find('phrases', '"art deco"'), [1, 2])
})

test('a form of a name of a maker comes before a part of a title', async () => {
  assert.deepEqual(await find('makers', 'rembrandts'), [11, 12])
})

test('of the same words a shorter title comes first, also of long titles', async () => {
  assert.deepEqual(await find('titles', 'vaas '), [21, 22])
})

test('of corrected words those near to each other come first', async () => {
  assert.deepEqual(await find('corrected', 'rode kandelaer '), [31, 32])
})

test('frequent words near to each other come before scattered ones in a shorter title', async () => {
  assert.deepEqual(await find('frequent', 'rode vaas '), [50, 51])
})

test('a form of a frequent word in a title comes before one in a description', async () => {
  assert.deepEqual(await find('frequent', 'kandelaar '), [52, 53])
})
