import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { findHouse } from '../houses/locks.ts'
import { createSearcher } from './searcher.ts'
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

test('what the indexes take is measured, and houses that are whole, displaced and too large are told apart', async () => {
  const { db } = service
  const found = await Promise.all(houses.map(async (slug) => (await findHouse(db, slug))!))
  const partial: string[] = []
  const small = createSearcher(1024, Infinity, (slug) => partial.push(slug))
  const large = createSearcher(1024 * 1024 * 1024, Infinity)
  const asked = { kind: 'item', q: 'vaas', filters: {}, sorting: undefined, facets: [], after: undefined } as const
  const search = async ({ search, measure }: typeof small, at: number) => {
    const context = { db, house: found[at]!, now: new Date() }
    const { isComplete } = await search(context, { ...asked, limit: 1, categories: true, walk: undefined })
    return [isComplete, measure().houses]
  }
  try {
    assert.equal(large.measure().bytes, 0)
    assert.deepEqual(await search(large, 0), [true, { whole: 1, displaced: 0, too_large: 0 }])
    const { bytes } = large.measure()
    assert.ok(bytes > items * 100)
    assert.deepEqual(await search(large, 1), [true, { whole: 2, displaced: 0, too_large: 0 }])
    assert.ok(large.measure().bytes > 1.5 * bytes)
    assert.deepEqual(await search(small, 0), [false, { whole: 0, displaced: 0, too_large: 1 }])
    assert.deepEqual(await search(small, 1), [false, { whole: 0, displaced: 0, too_large: 1 }])
    assert.deepEqual(await search(small, 0), [false, { whole: 0, displaced: 1, too_large: 0 }])
    assert.deepEqual(partial, [houses[0], houses[1]])
  } finally {
    await Promise.all([small.close(), large.close()])
  }
})
