import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../../test/support/pictures.ts'
import { CatalogueError, Conflict, Invalid, NotFound, RateLimited, Unavailable } from '../src/index.ts'
import { answer, createNetwork, type Fate } from './network.ts'
import { serveCatalogue } from './service.ts'

const { ids, catalogue, connect, close } = await serveCatalogue()
after(close)

function connectBadly(fates: Fate[], options: Parameters<typeof connect>[0] = {}) {
  const { fetch, attempts } = createNetwork(...fates)
  return { bad: connect({ fetch, ...options }), attempts }
}

async function failureOf(promise: Promise<unknown>): Promise<CatalogueError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof CatalogueError, String(error))
  return error
}

const countItems = async (external_reference: string) =>
  (await catalogue.items.list({ external_reference }).page()).data.length
let references = 0
const newItem = () => ({ external_reference: `R-${++references}`, title: 'Vaas' })

test('a read is repeated after a network failure, half a body, and an error of a busy service or a proxy', async () => {
  for (const fate of [
    'unsent',
    'lost',
    'half',
    ...[408, 429, 502, 503, 504].map((status) => answer(status)),
  ] as const) {
    const { bad, attempts } = connectBadly([fate])
    assert.equal((await bad.items.get(ids.item)).title, 'Stilleven')
    assert.equal(attempts.length, 2)
  }
})

test('no repetition comes later than the longest wait with its jitter', async () => {
  const { bad, attempts } = connectBadly(
    Array.from({ length: 12 }, () => 'unsent' as const),
    { retries: Infinity, longestWait: 0.02 },
  )
  await bad.items.get(ids.item)
  assert.equal(attempts.length, 13)
})

test('writes and uploads need no randomUUID, which a page without TLS lacks', async (context) => {
  context.mock.method(crypto, 'randomUUID', () => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  const { id } = await catalogue.items.create(newItem())
  await catalogue.images.upload(id, { file: new Blob(['no picture']), external_reference: 'one' }).catch(failAsPicture)
})
const failAsPicture = (error: unknown) => assert.equal((error as CatalogueError).code, 'unsupported-media-type')

test('no other answer is repeated', async () => {
  for (const status of [301, 400, 401, 403, 404, 409, 412, 413, 415, 422, 428, 500]) {
    const { bad, attempts } = connectBadly([answer(status)])
    assert.equal((await failureOf(bad.items.get(ids.item))).status, status)
    assert.equal(attempts.length, 1, `${status}`)
  }
})

test('a repetition waits for Retry-After, in seconds or as a date', async () => {
  const seconds = connectBadly([answer(503, { 'retry-after': '1' })])
  await seconds.bad.items.get(ids.item)
  assert.ok(seconds.attempts[1]!.at - seconds.attempts[0]!.at >= 1000)
  const date = new Date(Date.now() + 2500).toUTCString()
  const dated = connectBadly([answer(503, { 'retry-after': date })])
  await dated.bad.items.get(ids.item)
  assert.ok(Date.now() >= Date.parse(date))
})

test('the failure is thrown after the last repetition', async () => {
  const busy = connectBadly([answer(429), answer(429), answer(429)], { retries: 2 })
  assert.ok((await failureOf(busy.bad.items.get(ids.item))) instanceof RateLimited)
  assert.equal(busy.attempts.length, 3)
  const none = connectBadly(['unsent'], { retries: 0 })
  const failure = await failureOf(none.bad.items.get(ids.item))
  assert.ok(failure instanceof Unavailable)
  assert.deepEqual([failure.status, failure.code, failure.uncertain], [0, 'network-failure', false])
  assert.equal(none.attempts.length, 1)
})

test('all attempts of a write have one Idempotency-Key, each write another, and a read or a dry run none', async () => {
  const { bad, attempts } = connectBadly(['unsent', 'unsent'])
  await bad.items.update(ids.item, { weight: '1 kg' })
  await bad.items.update(ids.item, { weight: '2 kg' })
  await bad.items.update(ids.item, { weight: '3 kg' }, { idempotencyKey: 'mine' })
  await bad.items.get(ids.item)
  await bad.items.update(ids.item, {}, { dryRun: true }).catch(() => undefined)
  const keys = attempts.map(({ headers }) => headers.get('idempotency-key'))
  assert.match(keys[0]!, /^[0-9a-f]{32}$/)
  assert.deepEqual(keys.slice(1), [keys[0], keys[0], keys[3], 'mine', null, null])
  assert.notEqual(keys[3], keys[0])
})

test('a write whose answers are all lost is uncertain, and was done once', async () => {
  const item = newItem()
  const { bad, attempts } = connectBadly(['lost', 'lost', 'lost'], { retries: 2 })
  const failure = await failureOf(bad.items.create(item))
  assert.deepEqual([failure.name, failure.uncertain, attempts.length], ['Unavailable', true, 3])
  assert.equal(await countItems(item.external_reference), 1)
})

test('a write stays uncertain after a refusal that does not exclude an earlier success', async () => {
  const missing = 'itm_00000000-0000-4000-8000-000000000000'
  const cases: [fates: Fate[], code: string, uncertain: boolean][] = [
    [['lost', answer(401)], 'http-401', true],
    [['lost', answer(403)], 'http-403', true],
    [['lost', answer(500)], 'http-500', true],
    [['lost'], 'not-found', false],
    [[answer(503)], 'not-found', false],
    [[answer(401)], 'http-401', false],
    [[answer(500)], 'http-500', false],
  ]
  for (const [fates, code, uncertain] of cases) {
    const { bad } = connectBadly(fates)
    const failure = await failureOf(bad.items.update(missing, { weight: '1 kg' }))
    assert.deepEqual([failure.code, failure.uncertain], [code, uncertain])
  }
})

test('a refused write is certain', async () => {
  const invalid = await failureOf(catalogue.items.create({ external_reference: '' }))
  assert.ok(invalid instanceof Invalid && !invalid.uncertain)
  const taken = await failureOf(catalogue.items.create({ external_reference: 'I-1', title: 'x' }))
  assert.ok(taken instanceof Conflict && !taken.uncertain)
  const unknown = await failureOf(catalogue.lots.update('lot_x', { active: true }))
  assert.ok(unknown instanceof NotFound && !unknown.uncertain)
})

test('a signal ends a read with its reason at any point, and no request follows', async () => {
  const reason = new Error('enough')
  const { bad, attempts } = connectBadly([answer(503, { 'retry-after': '30' })])
  const controller = new AbortController()
  const reading = bad.items.get(ids.item, { signal: controller.signal })
  void until(async () => attempts.length === 1).then(() => controller.abort(reason))
  await assert.rejects(reading, reason)
  await assert.rejects(bad.items.get(ids.item, { signal: controller.signal }), reason)
  assert.equal(attempts.length, 1)
  const all = connect({ signal: controller.signal })
  await assert.rejects(all.items.get(ids.item), reason)
})

test('after a signal the error of a write says whether it may have been done', async () => {
  const reason = new Error('enough')
  const item = newItem()
  const controller = new AbortController()
  const { bad, attempts } = connectBadly(['lost', answer(503, { 'retry-after': '30' })])
  const writing = bad.items.create(item, { signal: controller.signal })
  void until(async () => attempts.length === 2).then(() => controller.abort(reason))
  const failure = await failureOf(writing)
  assert.deepEqual([failure.code, failure.uncertain, failure.cause], ['aborted', true, reason])
  assert.equal(await countItems(item.external_reference), 1)
  await assert.rejects(bad.items.create(newItem(), { signal: controller.signal }), reason)
})

test('an undefined guard is refused, since it would guard nothing', async () => {
  const [item] = (await catalogue.items.list({ external_reference: 'I-1' }).page()).data
  const unknown = undefined as string | undefined
  await assert.rejects(catalogue.items.update(item!.id, { weight: null }, { ifMatch: unknown }), TypeError)
  await assert.rejects(catalogue.images.delete(ids.item, ids.image, { ifMatch: unknown }), TypeError)
  await assert.rejects(catalogue.images.replaceGallery(ids.item, {}, { ifMatch: unknown }), TypeError)
})

test('the url may end in /api/v2 or in a slash, and a user agent is sent', async () => {
  const origin = new URL((await catalogue.discover()).openapi).pathname
  assert.equal(origin, '/api/v2/openapi.json')
  const { bad, attempts } = connectBadly([], { userAgent: 'shop/1' })
  await bad.discover()
  assert.equal(attempts[0]!.path, '/api/v2')
  assert.equal(attempts[0]!.headers.get('user-agent'), 'shop/1')
})
