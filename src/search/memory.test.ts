import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

const houses = ['eerste', 'tweede', 'derde', 'vierde']
const items = 1_100
let service: TestService

before(async () => {
  service = await startService({
    searchBytes: 4 * 1024 * 1024,
    records: houses.flatMap((slug, house) => [
      houseLine(slug),
      ...Array.from({ length: items }, (_, at) => {
        return { type: 'item', id: uuid(house * 10_000 + at), title: `Vaas ${slug} ${at}` }
      }),
    ]),
  })
})

after(() => service.close())

test('houses that do not fit into the memory together are searched in turn and at once, at least their newest items', async () => {
  const keys = await Promise.all(houses.map((slug) => service.issueKey(slug)))
  const ask = async (at: number) => {
    const reply = await service.get(`/api/v2/items/search?q=${houses[at]!}+`, keys[at]!)
    assert.equal(reply.statusCode, 200, reply.payload)
    const { total, complete = true } = reply.json<{ total: number; complete?: false }>()
    assert.ok(complete ? total === items : total >= 1_000, `${total} ${complete}`)
  }
  for (let round = 0; round < 3; round++) for (const at of keys.keys()) await ask(at)
  for (let round = 0; round < 5; round++) await Promise.all([...keys.keys(), ...keys.keys()].map(ask))
})
