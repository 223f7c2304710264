import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises'
import { catalogueOf } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'
import type { House } from '../context.ts'
import { createResponseCache, type ResponseSource } from './cache.ts'

const house = (id: string) => ({ id }) as House
const [north, south] = [house('north'), house('south')]
const mebibyte = 1024 * 1024

/** A question whose tag is its version, and which counts how often it was checked and built. */
function question(size = 10) {
  const state = { version: 1, checks: 0, builds: 0 }
  const open = (): ResponseSource => ({
    async check() {
      const { version } = state
      state.checks += 1
      await pause()
      return String(version)
    },
    async build() {
      const { version } = state
      state.builds += 1
      await pause()
      return { tag: String(version), body: Buffer.alloc(size, String(version)) }
    },
  })
  return { state, open }
}

test('a response is built once, and built anew when its tag has changed', async () => {
  const told: [outcome: string, bytes: number][] = []
  const cache = createResponseCache(mebibyte, (...outcome) => told.push(outcome))
  const { state, open } = question()
  const first = await cache.get(north, '/a', undefined, open)
  assert.equal(await cache.get(north, '/a', undefined, open), first)
  state.version = 2
  assert.equal((await cache.get(north, '/a', undefined, open)).body?.toString(), '2222222222')
  assert.deepEqual(state, { version: 2, checks: 2, builds: 2 })
  const bytes = cache.size()
  assert.deepEqual(told, [
    ['built', bytes],
    ['kept', bytes],
    ['built', bytes],
  ])
})

test('who asks while a check is under way gets what the next one finds, together with all who wait', async () => {
  const cache = createResponseCache(mebibyte)
  const { state, open } = question()
  await cache.get(north, '/a', undefined, open)
  const before = cache.get(north, '/a', undefined, open)
  await Promise.resolve()
  await Promise.resolve()
  assert.equal(state.checks, 1)
  state.version = 2
  const after = Array.from({ length: 10 }, () => cache.get(north, '/a', undefined, open))
  assert.equal((await before).tag, '1')
  for (const answer of await Promise.all(after)) assert.equal(answer.tag, '2')
  assert.deepEqual([state.checks, state.builds], [2, 2])
})

test('a client that holds the present response costs a check and no build, cached or not', async () => {
  const cache = createResponseCache(mebibyte)
  const { state, open } = question()
  assert.deepEqual(await cache.get(north, '/a', (tag) => tag === '1', open), { tag: '1' })
  assert.deepEqual([state.checks, state.builds], [1, 0])
  assert.ok((await cache.get(north, '/a', (tag) => tag === '0', open)).body)
})

test('what cannot be built is kept by nobody, and fails for all who asked', async () => {
  const cache = createResponseCache(mebibyte)
  const failing = (): ResponseSource => ({
    check: async () => '1',
    build: () => Promise.reject(new Error('away')),
  })
  const asked = [1, 2].map(() => cache.get(north, '/a', undefined, failing))
  for (const outcome of await Promise.allSettled(asked)) assert.equal(outcome.status, 'rejected')
  assert.equal(cache.size(), 0)
  assert.equal((await cache.get(north, '/a', undefined, question().open)).tag, '1')
})

test('responses never take more than the bound, whatever their size and number', async () => {
  const cache = createResponseCache(mebibyte)
  for (let n = 0; n < 100; n++) {
    await cache.get(north, `/${n}`, undefined, question(n * 10_000).open)
    assert.ok(cache.size() <= mebibyte)
  }
  await cache.get(north, '/huge', undefined, question(2 * mebibyte).open)
  assert.ok(cache.size() <= mebibyte)
})

test('a house that asks for much loses its own responses, not those of the others', async () => {
  const cache = createResponseCache(mebibyte)
  const { state, open } = question(100_000)
  await cache.get(south, '/quiet', undefined, open)
  for (let n = 0; n < 100; n++) await cache.get(north, `/${n}`, undefined, question(100_000).open)
  await cache.get(south, '/quiet', undefined, open)
  assert.equal(state.builds, 1)
})

test('two houses at one URL have a response each', async () => {
  const cache = createResponseCache(mebibyte)
  const [ours, theirs] = [question(1), question(2)]
  await cache.get(north, '/a', undefined, ours.open)
  const answer = await cache.get(south, '/a', undefined, theirs.open)
  assert.equal(answer.body?.length, 2)
})

test('switched off nothing is kept', async () => {
  const cache = createResponseCache(0)
  const { state, open } = question()
  await cache.get(north, '/a', undefined, open)
  await cache.get(north, '/a', undefined, open)
  assert.deepEqual([state.checks, state.builds, cache.size()], [0, 2, 0])
})

test('who asks a second after a check has fallen silent is answered by another one', async () => {
  const cache = createResponseCache(mebibyte)
  const { open } = question()
  let silent = true
  const entry = question()
  await cache.get(north, '/b', undefined, () => ({
    ...entry.open(),
    check: () => (silent ? new Promise<string>(() => undefined) : entry.open().check()),
  }))
  void cache.get(north, '/b', undefined, open)
  await sleep(1_100)
  silent = false
  assert.equal((await cache.get(north, '/b', undefined, open)).tag, '1')
  assert.deepEqual([entry.state.checks, entry.state.builds], [1, 1])
})

test('clients that hold the response and ask at one moment share a check, also where nothing is cached', async () => {
  const cache = createResponseCache(mebibyte)
  const { state, open } = question()
  const holds = (tag: string) => tag === '1'
  const all = Array.from({ length: 10 }, () => cache.get(north, '/a', holds, open))
  for (const answer of await Promise.all(all)) assert.deepEqual(answer, { tag: '1' })
  assert.deepEqual([state.checks, state.builds], [1, 0])
})

test('nothing is kept of an address that is too long to be asked for again', async () => {
  const cache = createResponseCache(mebibyte)
  await cache.get(north, `/${'x'.repeat(2_000)}`, undefined, question().open)
  assert.equal(cache.size(), 0)
})

test('a house is known by its id and settings: a thousand of them keep a response each, however often they are looked up', async () => {
  const cache = createResponseCache(64 * mebibyte)
  const questions = Array.from({ length: 1_000 }, () => question(1_000))
  for (let round = 0; round < 3; round++) {
    for (const [n, { open }] of questions.entries()) await cache.get(house(`${n}`), '/a', undefined, open)
  }
  assert.deepEqual([...new Set(questions.map(({ state }) => state.builds))], [1])
})

test('what was kept for other settings of a house is neither given nor held any more', async () => {
  const cache = createResponseCache(mebibyte)
  const { state, open } = question()
  const [before, after] = ['EUR', 'USD'].map((currency) => ({ id: 'north', currency }) as House)
  await cache.get(before!, '/a', undefined, open)
  const held = cache.size()
  await cache.get(after!, '/a', undefined, open)
  assert.deepEqual([state.builds, cache.size()], [2, held])
})

test('a body is counted with all the memory that it keeps from being freed, and one that the service builds with its own alone', async () => {
  const cache = createResponseCache(mebibyte)
  const slab = Buffer.alloc(100_000)
  await cache.get(north, '/a', undefined, () => ({
    check: async () => '1',
    build: async () => ({ tag: '1', body: slab.subarray(0, 10) }),
  }))
  assert.ok(cache.size() > 100_000)

  const { slug, ids, lines } = catalogueOf(1)
  const service = await startService({ records: lines })
  const reply = await service.get(`/api/v2/lots/${ids.lot}`, await service.issueKey(slug))
  assert.equal(reply.statusCode, 200)
  assert.ok(service.app.site.responseCache.size() < reply.payload.length + 8_192)
  await service.close()
})
