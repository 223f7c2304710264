import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { houseLine } from '../../test/support/lines.ts'
import { publicUrl, startService } from '../../test/support/service.ts'
import { permissions } from '../context.ts'
import { createKey } from '../houses/api-keys.ts'
import { changeHouse } from '../houses/houses.ts'
import { findHouse } from '../houses/locks.ts'

const zoned = { name: 'Noord', default_locale: 'de', currency: 'GBP', time_zone: 'Europe/London' }
const service = await startService({
  records: [houseLine('noord', zoned), houseLine('zuid')],
  rateLimitPerMinute: 1_000,
})
after(() => service.close())

type Discovery = { house: Record<string, unknown>; key: Record<string, unknown>; changes: string }

async function discover(key: string): Promise<Discovery> {
  const reply = await service.get('/api/v2', key)
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<Discovery>()
}

test('each key learns the name, language, currency and time zone of its own house', async () => {
  const [noord, zuid] = [await service.issueKey('noord', ['lots.write']), await service.issueKey('zuid', [])]
  const { house } = await discover(noord)
  assert.deepEqual(house, { name: 'Noord', locale: 'de', currency: 'GBP', time_zone: 'Europe/London' })
  assert.deepEqual((await discover(zuid)).house, {
    name: 'House zuid',
    locale: 'nl',
    currency: 'EUR',
    time_zone: null,
  })
})

test('a key learns its name, its terms and its permissions, these in the order of the specification', async () => {
  const plain = await service.issueKey('noord', permissions.toReversed())
  assert.deepEqual((await discover(plain)).key, {
    name: null,
    permissions: [...permissions],
    rate_limit: 1_000,
    require_if_match: false,
  })
  const house = (await findHouse(service.db, 'noord'))!
  const terms = { rate_limit: 7, require_if_match: true }
  const { key } = await createKey(service.db, house, ['lots.write', 'auctions.read'], 'office', new Date(), terms)
  assert.deepEqual((await discover(key)).key, {
    name: 'office',
    permissions: ['auctions.read', 'lots.write'],
    rate_limit: 7,
    require_if_match: true,
  })
  const unlimited = await service.issueKey('noord', [], { rate_limit: 0 })
  assert.deepEqual((await discover(unlimited)).key, {
    name: null,
    permissions: [],
    rate_limit: 0,
    require_if_match: false,
  })
})

test('the address of the feed answers, with and without a slash at the end of the path of discovery', async () => {
  const key = await service.issueKey('noord')
  const { changes } = await discover(key)
  assert.equal((await service.get(changes.slice(publicUrl.length), key)).statusCode, 200)
  assert.equal((await service.get('/api/v2/', key)).json<Discovery>().changes, changes)
})

test('a change of the house is in the next look-up of its key, under another ETag, and nothing else is', async (t) => {
  const key = await service.issueKey('zuid')
  const first = await service.get('/api/v2', key)
  const etag = String(first.headers.etag)
  const { next_cursor } = (await service.get('/api/v2/changes', key)).json<{ next_cursor: string }>()
  assert.equal((await service.get('/api/v2', key, { 'if-none-match': etag })).statusCode, 304)
  await changeHouse(service.db, 'zuid', { timeZone: 'Asia/Tokyo' }, new Date())
  // A key is looked up again after half a second.
  const { now } = performance
  t.mock.method(performance, 'now', () => now.call(performance) + 600)
  const second = await service.get('/api/v2', key, { 'if-none-match': etag })
  assert.equal(second.statusCode, 200)
  const before = first.json<Discovery>()
  assert.equal((await service.get(`/api/v2/changes?after=${next_cursor}`, key)).statusCode, 200)
  assert.deepEqual(second.json(), { ...before, house: { ...before.house, time_zone: 'Asia/Tokyo' } })
})
