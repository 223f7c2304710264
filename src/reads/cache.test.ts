import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { catalogueOf } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'
import type { House } from '../context.ts'
import { Forms } from '../http/encoding/forms.ts'
import { createAnswerCache, type Answer } from './cache.ts'

const house = (id: string) => ({ id }) as House
const [north, south] = [house('north'), house('south')]
const mebibyte = 1024 * 1024

const answer = (size = 10): Answer => ({
  tag: '1',
  body: Buffer.alloc(size),
  ends: new Uint32Array(1),
  forms: new Forms(),
})

test('an answer stays cached until it is replaced or forgotten, and its bytes with it', () => {
  const told: [outcome: string, bytes: number][] = []
  const cache = createAnswerCache(mebibyte, (...use) => told.push(use))
  const [first, second] = [answer(10), answer(20)]
  cache.keep(north, 'a', first)
  assert.equal(cache.find(north, 'a'), first)
  cache.noteKept()
  cache.keep(north, 'a', second)
  assert.equal(cache.find(north, 'a'), second)
  const bytes = cache.size()
  assert.deepEqual(told, [
    ['built', bytes - 10],
    ['kept', bytes - 10],
    ['built', bytes],
  ])
  cache.forget(north, 'a')
  assert.equal(cache.find(north, 'a'), undefined)
  assert.equal(cache.size(), 0)
})

test('answers never exceed the bound, whatever their size and number', () => {
  const cache = createAnswerCache(mebibyte)
  for (let n = 0; n < 100; n++) {
    cache.keep(north, `${n}`, answer(n * 10_000))
    assert.ok(cache.size() <= mebibyte)
  }
  cache.keep(north, 'huge', answer(2 * mebibyte))
  assert.ok(cache.size() > 0)
  assert.ok(cache.size() <= mebibyte)
})

test('a house with many reads loses its own answers, not those of others', () => {
  const cache = createAnswerCache(mebibyte)
  const quiet = answer(100_000)
  cache.keep(south, 'quiet', quiet)
  for (let n = 0; n < 100; n++) cache.keep(north, `${n}`, answer(100_000))
  assert.equal(cache.find(south, 'quiet'), quiet)
})

test('the least recently requested answer is lost first', () => {
  const cache = createAnswerCache(mebibyte)
  for (let n = 0; n < 9; n++) cache.keep(north, `${n}`, answer(100_000))
  cache.find(north, '0')
  cache.keep(north, '9', answer(100_000))
  cache.keep(north, '10', answer(100_000))
  assert.ok(cache.find(north, '0'))
  assert.equal(cache.find(north, '1'), undefined)
})

test('after any history the cache has the most recently requested answers', () => {
  const cache = createAnswerCache(mebibyte)
  let order: string[] = []
  for (let step = 0; step < 5_000; step++) {
    const name = `${(step * 7_919 + (step % 13)) % 40}`
    const others = order.filter((each) => each !== name)
    if (step % 11 === 0) {
      cache.forget(north, name)
      order = others
    } else if (step % 3 === 0) {
      assert.equal(cache.find(north, name) !== undefined, order.includes(name))
      if (order.includes(name)) order = [...others, name]
    } else {
      cache.keep(north, name, answer(100_000))
      order = [...others, name].slice(-10)
    }
    // Now and then all of them are forgotten.
    if (step % 500 === 499) for (const each of order.splice(0)) cache.forget(north, each)
  }
})

/** The bytes in use after garbage collection: those of objects and those of buffers. */
function measureHeld(): { heap: number; buffers: number } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let time = 0; time < 3; time++) collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers }
}

test('a million hits and 20,000 rebuilt answers use no more memory than the answers in the cache', () => {
  const cache = createAnswerCache(64 * mebibyte)
  const before = measureHeld()
  for (let n = 0; n < 100; n++) cache.keep(north, `${n}`, answer(50_000))
  for (let n = 0; n < 1_000_000; n++) cache.find(north, `${n % 100}`)
  for (let n = 0; n < 20_000; n++) {
    cache.find(north, `${n % 100}`)
    cache.keep(north, `${n % 100}`, answer(50_000))
  }
  const after = measureHeld()
  assert.ok(after.buffers - before.buffers <= 100 * 51_000)
  assert.ok(after.heap - before.heap <= 4 * mebibyte)
  assert.ok(cache.find(north, '99'))
})

test('the house that uses the most memory makes room for another, with its least recently requested answers', () => {
  const cache = createAnswerCache(mebibyte)
  for (let n = 0; n < 8; n++) cache.keep(north, `${n}`, answer(100_000))
  cache.keep(south, 'first', answer(100_000))
  cache.find(north, '0')
  cache.keep(south, 'second', answer(300_000))
  assert.deepEqual(
    Array.from({ length: 8 }, (_, n) => cache.find(north, `${n}`) !== undefined),
    [true, false, false, true, true, true, true, true],
  )
  assert.ok(cache.find(south, 'first'))
})

test('two houses have their own answers to the same read', () => {
  const cache = createAnswerCache(mebibyte)
  cache.keep(north, 'a', answer(1))
  cache.keep(south, 'a', answer(2))
  assert.equal(cache.find(north, 'a')!.body.length, 1)
})

test('a cache of 0 bytes keeps nothing, and no cache keeps a read with a long name', () => {
  const off = createAnswerCache(0)
  off.keep(north, 'a', answer())
  assert.deepEqual([off.find(north, 'a'), off.size()], [undefined, 0])
  const on = createAnswerCache(mebibyte)
  on.keep(north, 'x'.repeat(2_000), answer())
  assert.equal(on.size(), 0)
})

test('a house is identified by id and settings: a thousand of them keep an answer each, however often they are looked up', () => {
  const cache = createAnswerCache(64 * mebibyte)
  for (let n = 0; n < 1_000; n++) cache.keep(house(`${n}`), 'a', answer(1_000))
  for (let n = 0; n < 1_000; n++) assert.ok(cache.find(house(`${n}`), 'a'))
})

test('the encoded forms of an answer count with it, until it is replaced', async () => {
  const cache = createAnswerCache(mebibyte)
  const [first, second] = [answer(10_000), answer(10_000)]
  cache.keep(north, 'a', first)
  const plain = cache.size()
  const form = await first.forms.take(first.body, 'gzip', 'a key')
  assert.equal(await first.forms.take(first.body, 'gzip', 'a key'), form)
  assert.equal(cache.size(), plain + first.forms.bytes)
  await first.forms.take(first.body, 'br', 'a key')
  assert.equal(cache.size(), plain + first.forms.bytes)
  cache.keep(north, 'a', second)
  await first.forms.take(first.body, 'br', 'a key')
  assert.equal(cache.size(), plain)
  assert.equal(cache.find(north, 'a'), second)
})

test('an answer that its forms make too large for the cache is forgotten', async () => {
  const size = 60_000
  const random = { ...answer(), body: randomBytes(size) }
  const cache = createAnswerCache(size + 3_000)
  cache.keep(north, 'a', random)
  assert.ok(cache.find(north, 'a'))
  await random.forms.take(random.body, 'gzip', 'a key')
  assert.deepEqual([cache.find(north, 'a'), cache.size()], [undefined, 0])
})

test('an answer made with old settings of a house is neither returned nor kept', () => {
  const cache = createAnswerCache(mebibyte)
  const [before, after] = ['EUR', 'USD'].map((currency) => ({ id: 'north', currency }) as House)
  cache.keep(before!, 'a', answer())
  const held = cache.size()
  assert.equal(cache.find(after!, 'a'), undefined)
  cache.keep(after!, 'a', answer())
  assert.equal(cache.size(), held)
})

test('a body counts with all the memory that it keeps alive, and a body of the service with its own bytes alone', async () => {
  const cache = createAnswerCache(mebibyte)
  cache.keep(north, 'a', { ...answer(), body: Buffer.alloc(100_000).subarray(0, 10) })
  assert.ok(cache.size() > 100_000)

  const { slug, ids, lines } = catalogueOf(1)
  const service = await startService({ records: lines })
  const reply = await service.get(`/api/v2/lots/${ids.lot}`, await service.issueKey(slug))
  assert.equal(reply.statusCode, 200)
  assert.ok(service.app.site.answers.size() < reply.payload.length + 2_048)
  await service.close()
})
