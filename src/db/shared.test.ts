import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { shareRuns } from './shared.ts'

/** Work that ends on request. Its results are the version at its beginning. */
function heldWork() {
  const state = { version: 1, runs: [] as string[][], ends: [] as (() => void)[] }
  const work = async (asked: string[]) => {
    const { version } = state
    state.runs.push(asked)
    await new Promise<void>((resolve) => state.ends.push(resolve))
    return asked.map((each) => `${each}${version}`)
  }
  return { state, work }
}

// A run that takes a second has fallen silent.
const holdClock = (t: TestContext) => void t.mock.method(performance, 'now', () => 0)

test('waiting calls share one run, and those with the same name share one entry in it', async (t) => {
  holdClock(t)
  const { state, work } = heldWork()
  const ask = shareRuns(work, 10)
  const calls = ['a', 'b', 'a'].map((each) => ask(each, each))
  await pause()
  state.ends.shift()!()
  assert.deepEqual(await Promise.all(calls), ['a1', 'b1', 'a1'])
  assert.deepEqual(state.runs, [['a', 'b']])
})

test('calls during a run are answered together by a later run', async (t) => {
  holdClock(t)
  const { state, work } = heldWork()
  const ask = shareRuns(work, 10)
  const before = ask('a', 'a')
  await pause()
  state.version = 2
  const after = [ask('a', 'a'), ask('a', 'a')]
  await pause()
  assert.deepEqual(state.runs, [['a']])
  state.ends.shift()!()
  assert.equal(await before, 'a1')
  await pause()
  state.ends.shift()!()
  assert.deepEqual(await Promise.all(after), ['a2', 'a2'])
  assert.deepEqual(state.runs, [['a'], ['a']])
})

test('at most two runs are under way, unless more calls wait than one run takes', async (t) => {
  holdClock(t)
  const { state, work } = heldWork()
  const ask = shareRuns(work, 2)
  const calls: Promise<string>[] = []
  for (const each of ['a', 'b', 'c']) {
    calls.push(ask(each, each))
    await pause()
  }
  assert.deepEqual(state.runs, [['a'], ['b']])
  calls.push(ask('d', 'd'))
  await pause()
  assert.deepEqual(state.runs.at(-1), ['c', 'd'])
  for (const end of state.ends) end()
  assert.deepEqual(await Promise.all(calls), ['a1', 'b1', 'c1', 'd1'])
})

test('a failed run fails its own calls, and the next ones are answered', async () => {
  let fails = true
  const ask = shareRuns(async (asked: string[]) => {
    if (fails) throw new Error('away')
    return asked
  }, 10)
  const outcomes = await Promise.allSettled([ask('a', 'a'), ask('b', 'b')])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  fails = false
  assert.equal(await ask('a', 'a'), 'a')
})

test('a call that comes a second after a run has fallen silent is answered by another run', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const { state, work } = heldWork()
  const ask = shareRuns(work, 10)
  void ask('a', 'a')
  await pause()
  now = 1_000
  const later = ask('a', 'a')
  await pause()
  assert.equal(state.ends.length, 2)
  state.ends[1]!()
  assert.equal(await later, 'a1')
})
