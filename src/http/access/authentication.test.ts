import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { whileLocked } from '../../../test/support/locks.ts'
import { catalogueOf } from '../../../test/support/lines.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { permissions } from '../../context.ts'
import { findHouse } from '../../houses/locks.ts'
import { createKey, revokeKey, rotateKey } from '../../houses/api-keys.ts'
import type { Problem } from '../../problems.ts'
import { createAuthenticator, hashKey, type Credentials } from './authentication.ts'

const { slug, ids, lines } = catalogueOf(1)
const other = catalogueOf(2)

let service: TestService

before(async () => {
  service = await startService({ records: [...lines, ...other.lines] })
})

after(() => service.close())

async function issue() {
  const house = await findHouse(service.db, slug)
  return createKey(service.db, house!, [...permissions], null, new Date())
}

const statusOf = async (key: string) => (await service.get('/api/v2', key)).statusCode

/** Advances the clock by which look-ups of keys grow old. */
function pass(milliseconds: number): void {
  const { now } = performance
  mock.method(performance, 'now', () => now.call(performance) + milliseconds)
}

test('a revoked key is refused within a second, however often it was used', async () => {
  const { id, key } = await issue()
  assert.equal(await statusOf(key), 200)
  await revokeKey(service.db, id, new Date())
  pass(1000)
  assert.equal(await statusOf(key), 401)
})

test('a rotated key works through its grace period and not beyond', async () => {
  const [kept, ended] = [await issue(), await issue()]
  const successor = await service.db.transaction().execute((tx) => rotateKey(tx, kept.id, 3600, new Date()))
  await service.db.transaction().execute((tx) => rotateKey(tx, ended.id, 0, new Date()))
  assert.equal(await statusOf(kept.key), 200)
  assert.equal(await statusOf(successor.key), 200)
  assert.equal(await statusOf(ended.key), 401)
})

test('a key that is revoked while it is rotated has no successor', async () => {
  const { id } = await issue()
  const [outcome] = await whileLocked(
    service.db,
    (tx) => sql`update catalogue.api_keys set revoked_at = now() where public_id = ${id.slice(4)}`.execute(tx),
    () => rotateKey(service.db, id, 3600, new Date()),
  )
  assert.match(String(outcome!.status === 'rejected' && outcome!.reason), /is revoked/)
})

test('the scheme is read in any letter case', async () => {
  const { key } = await issue()
  for (const authorization of [`bearer ${key}`, `BEARER  ${key} `]) {
    assert.equal((await service.request({ url: '/api/v2', headers: { authorization } })).statusCode, 200)
  }
})

test('the database looks up a key once for all requests in half a second', async (t) => {
  const now = performance.now()
  t.mock.method(performance, 'now', () => now)
  const { key } = await issue()
  service.statements.length = 0
  await Promise.all(Array.from({ length: 20 }, () => statusOf(key)))
  assert.equal(service.statements.length, 1)
})

test('an expansion needs the permission of its kind, checked after those of the read', async () => {
  const lotsOnly = await service.issueKey(slug, ['lots.read'])
  const auctionsOnly = await service.issueKey(slug, ['auctions.read'])
  for (const url of ['/api/v2/lots', `/api/v2/lots/${ids.lot}`]) {
    assert.equal((await service.get(`${url}?expand[]=item&expand[]=images`, lotsOnly)).statusCode, 200)
    for (const query of [
      'expand[]=session',
      'expand%5B%5D=session',
      'expand[]=item&expand[]=session',
      'x=1&expand[]=session',
    ]) {
      const refused = await service.get(`${url}?${query}`, lotsOnly)
      assert.equal(refused.statusCode, 403, query)
      assert.match(refused.json<{ detail: string }>().detail, /auctions\.read/)
      assert.match(String(refused.headers['www-authenticate']), /insufficient_scope/)
    }
    const first = await service.get(`${url}?expand[]=session`, await service.issueKey(slug, ['categories.read']))
    assert.match(first.json<{ detail: string }>().detail, /lots\.read/)
  }
  assert.equal((await service.get('/api/v2/auctions?expand[]=sessions', auctionsOnly)).statusCode, 200)
  assert.equal((await service.get('/api/v2/sessions?expand[]=auction', auctionsOnly)).statusCode, 200)
})

test('a cached answer is never given to a key without the permission', async () => {
  const { id, key } = await issue()
  const urls = [
    `/api/v2/lots/${ids.lot}?expand[]=session`,
    '/api/v2/lots?expand[]=session',
    `/api/v2/items/${ids.item}`,
  ]
  const lesser = await service.issueKey(slug, ['categories.read'])
  const foreign = await service.issueKey(other.slug)
  for (const url of urls) {
    const kept = await service.get(url, key)
    const again = await service.get(url, key)
    assert.deepEqual([kept.statusCode, again.statusCode, again.payload], [200, 200, kept.payload])
    assert.equal((await service.get(url, lesser)).statusCode, 403)
    const theirs = await service.get(url, foreign)
    if (theirs.statusCode === 200) assert.ok(!theirs.payload.includes(ids.lot))
    else assert.equal(theirs.statusCode, 404)
    const headers = { authorization: `Bearer ${foreign}`, 'if-none-match': String(kept.headers.etag) }
    assert.notEqual((await service.request({ url, headers })).statusCode, 304)
  }
  await revokeKey(service.db, id, new Date())
  pass(1000)
  for (const url of urls) {
    const headers = { authorization: `Bearer ${key}`, 'if-none-match': '*' }
    assert.equal((await service.request({ url, headers })).statusCode, 401)
  }
})

test('unknown keys are looked up a few at a time, and a key that was found before does not wait for them', async () => {
  const asked: string[] = []
  const valid = hashKey('valid').toString('hex')
  let hangs = false
  const { authenticate } = createAuthenticator((hash) => {
    asked.push(hash.toString('hex'))
    const found = hash.toString('hex') === valid
    if (hangs && !found) return new Promise(() => undefined)
    return Promise.resolve(found ? ({ key: 'key_valid' } as Credentials) : undefined)
  })
  assert.equal((await authenticate('Bearer valid')).key, 'key_valid')
  hangs = true
  asked.length = 0
  const refused: unknown[] = []
  for (let count = 0; count < 400; count++)
    authenticate(`Bearer ${count}`).catch((error: unknown) => refused.push(error))
  pass(600)
  await nextTurn()
  assert.ok(asked.length <= 4)
  assert.ok(refused.length >= 290)
  for (const error of refused) assert.equal((error as Problem).code, 'temporarily-unavailable')
  assert.equal((await authenticate('Bearer valid')).key, 'key_valid')
  assert.equal(asked.at(-1), valid)
})
