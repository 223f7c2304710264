import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises'
import { catalogueOf } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'
import type { House } from '../context.ts'
import { createAnswers, type Question } from './cache.ts'

const house = (id: string) => ({ id }) as House
const [north, south] = [house('north'), house('south')]
const mebibyte = 1024 * 1024

/** A question whose tag is its version, and which counts how often it was checked and built. */
function question(size = 10) {
  const state = { version: 1, checks: 0, builds: 0 }
  const open = (): Question => ({
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

test('an answer is built once, and built anew when its tag has changed', async () => {
  const told: [outcome: string, bytes: number][] = []
  const answers = createAnswers(mebibyte, (...outcome) => told.push(outcome))
  const { state, open } = question()
  const first = await answers.answer(north, '/a', undefined, open)
  assert.equal(await answers.answer(north, '/a', undefined, open), first)
  state.version = 2
  assert.equal((await answers.answer(north, '/a', undefined, open)).body?.toString(), '2222222222')
  assert.deepEqual(state, { version: 2, checks: 2, builds: 2 })
  const bytes = answers.size()
  assert.deepEqual(told, [
    ['built', bytes],
    ['kept', bytes],
    ['built', bytes],
  ])
})

test('who asks while a check is under way gets what the next one finds, together with all who wait', async () => {
  const answers = createAnswers(mebibyte)
  const { state, open } = question()
  await answers.answer(north, '/a', undefined, open)
  const before = answers.answer(north, '/a', undefined, open)
  await Promise.resolve()
  await Promise.resolve()
  assert.equal(state.checks, 1)
  state.version = 2
  const after = Array.from({ length: 10 }, () => answers.answer(north, '/a', undefined, open))
  assert.equal((await before).tag, '1')
  for (const answer of await Promise.all(after)) assert.equal(answer.tag, '2')
  assert.deepEqual([state.checks, state.builds], [2, 2])
})

test('a client that holds the present answer costs a check and no build, kept or not', async () => {
  const answers = createAnswers(mebibyte)
  const { state, open } = question()
  assert.deepEqual(await answers.answer(north, '/a', (tag) => tag === '1', open), { tag: '1' })
  assert.deepEqual([state.checks, state.builds], [1, 0])
  assert.ok((await answers.answer(north, '/a', (tag) => tag === '0', open)).body)
})

test('what cannot be built is kept by nobody, and fails for all who asked', async () => {
  const answers = createAnswers(mebibyte)
  const failing = (): Question => ({
    check: async () => '1',
    build: () => Promise.reject(new Error('away')),
  })
  const asked = [1, 2].map(() => answers.answer(north, '/a', undefined, failing))
  for (const outcome of await Promise.allSettled(asked)) assert.equal(outcome.status, 'rejected')
  assert.equal(answers.size(), 0)
  assert.equal((await answers.answer(north, '/a', undefined, question().open)).tag, '1')
})

test('answers never take more than the bound, whatever their size and number', async () => {
  const answers = createAnswers(mebibyte)
  for (let n = 0; n < 100; n++) {
    await answers.answer(north, `/${n}`, undefined, question(n * 10_000).open)
    assert.ok(answers.size() <= mebibyte)
  }
  await answers.answer(north, '/huge', undefined, question(2 * mebibyte).open)
  assert.ok(answers.size() <= mebibyte)
})

test('a house that asks for much loses its own answers, not those of the others', async () => {
  const answers = createAnswers(mebibyte)
  const { state, open } = question(100_000)
  await answers.answer(south, '/quiet', undefined, open)
  for (let n = 0; n < 100; n++) await answers.answer(north, `/${n}`, undefined, question(100_000).open)
  await answers.answer(south, '/quiet', undefined, open)
  assert.equal(state.builds, 1)
})

test('two houses at one address have an answer each', async () => {
  const answers = createAnswers(mebibyte)
  const [ours, theirs] = [question(1), question(2)]
  await answers.answer(north, '/a', undefined, ours.open)
  const answer = await answers.answer(south, '/a', undefined, theirs.open)
  assert.equal(answer.body?.length, 2)
})

test('switched off nothing is kept', async () => {
  const answers = createAnswers(0)
  const { state, open } = question()
  await answers.answer(north, '/a', undefined, open)
  await answers.answer(north, '/a', undefined, open)
  assert.deepEqual([state.checks, state.builds, answers.size()], [0, 2, 0])
})

test('who asks a second after a check has fallen silent is answered by another one', async () => {
  const answers = createAnswers(mebibyte)
  const { open } = question()
  let silent = true
  const entry = question()
  await answers.answer(north, '/b', undefined, () => ({
    ...entry.open(),
    check: () => (silent ? new Promise<string>(() => undefined) : entry.open().check()),
  }))
  void answers.answer(north, '/b', undefined, open)
  await sleep(1_100)
  silent = false
  assert.equal((await answers.answer(north, '/b', undefined, open)).tag, '1')
  assert.deepEqual([entry.state.checks, entry.state.builds], [1, 1])
})

test('clients that hold the answer and ask at one moment share a check, also where nothing is kept', async () => {
  const answers = createAnswers(mebibyte)
  const { state, open } = question()
  const holds = (tag: string) => tag === '1'
  const all = Array.from({ length: 10 }, () => answers.answer(north, '/a', holds, open))
  for (const answer of await Promise.all(all)) assert.deepEqual(answer, { tag: '1' })
  assert.deepEqual([state.checks, state.builds], [1, 0])
})

test('nothing is kept of an address that is too long to be asked for again', async () => {
  const answers = createAnswers(mebibyte)
  await answers.answer(north, `/${'x'.repeat(2_000)}`, undefined, question().open)
  assert.equal(answers.size(), 0)
})

test('a house is known by its id and settings: a thousand of them keep an answer each, however often they are looked up', async () => {
  const answers = createAnswers(64 * mebibyte)
  const questions = Array.from({ length: 1_000 }, () => question(1_000))
  for (let round = 0; round < 3; round++) {
    for (const [n, { open }] of questions.entries()) await answers.answer(house(`${n}`), '/a', undefined, open)
  }
  assert.deepEqual([...new Set(questions.map(({ state }) => state.builds))], [1])
})

test('what was kept for other settings of a house is neither given nor held any more', async () => {
  const answers = createAnswers(mebibyte)
  const { state, open } = question()
  const [before, after] = ['EUR', 'USD'].map((currency) => ({ id: 'north', currency }) as House)
  await answers.answer(before!, '/a', undefined, open)
  const held = answers.size()
  await answers.answer(after!, '/a', undefined, open)
  assert.deepEqual([state.builds, answers.size()], [2, held])
})

test('a body is counted with all the memory that it keeps from being freed, and one that the service builds with its own alone', async () => {
  const answers = createAnswers(mebibyte)
  const slab = Buffer.alloc(100_000)
  await answers.answer(north, '/a', undefined, () => ({
    check: async () => '1',
    build: async () => ({ tag: '1', body: slab.subarray(0, 10) }),
  }))
  assert.ok(answers.size() > 100_000)

  const { slug, ids, lines } = catalogueOf(1)
  const service = await startService({ records: lines })
  const reply = await service.get(`/api/v2/lots/${ids.lot}`, await service.issueKey(slug))
  assert.equal(reply.statusCode, 200)
  assert.ok(service.app.site.answers.size() < reply.payload.length + 8_192)
  await service.close()
})
