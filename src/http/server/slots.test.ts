import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { Problem } from '../../problems.ts'
import { createSlots, type Slots } from './slots.ts'

/** Takes a slot, and tells what has happened so far. */
function ask(slots: Slots, name: string, client?: EventEmitter) {
  const asked: { state: 'waiting' | 'working' | 'refused'; free: () => void } = {
    state: 'waiting',
    free: () => undefined,
  }
  slots.take(name, client).then(
    (free) => Object.assign(asked, { state: 'working', free }),
    (error: unknown) => {
      assert.ok(error instanceof Problem && error.code === 'temporarily-unavailable')
      asked.state = 'refused'
    },
  )
  return asked
}

const askMany = (slots: Slots, name: string, count: number) => Array.from({ length: count }, () => ask(slots, name))
const count = (asked: { state: string }[]) =>
  ['working', 'waiting', 'refused'].map((state) => asked.filter((each) => each.state === state).length)

test('a single holder gets all slots but the last eighth, and all places in the queue; the rest is refused', async () => {
  const slots = createSlots(16, 10)
  const asked = askMany(slots, 'a', 30)
  await pause()
  assert.deepEqual(count(asked), [14, 10, 6])
})

test('a holder without a slot gets one of the last eighth at once', async () => {
  const slots = createSlots(16, 10)
  const greedy = askMany(slots, 'a', 30)
  const newcomer = ask(slots, 'b')
  await pause()
  assert.equal(newcomer.state, 'working')
  assert.deepEqual(count(greedy), [14, 10, 6])
})

test('when the queue is full, the holder with the most requests loses its latest one', async () => {
  const slots = createSlots(8, 10)
  const greedy = askMany(slots, 'a', 17)
  const newcomers = askMany(slots, 'b', 4)
  await pause()
  assert.deepEqual(count(newcomers), [1, 3, 0])
  assert.deepEqual(count(greedy), [7, 7, 3])
  assert.deepEqual(
    greedy.slice(-3).map(({ state }) => state),
    ['refused', 'refused', 'refused'],
  )
})

test('a newcomer with as many requests as the largest holder displaces none', async () => {
  const slots = createSlots(8, 4)
  const asked = ['a', 'b', 'c', 'd'].map((name) => askMany(slots, name, 3)).flat()
  await pause()
  assert.deepEqual(count(asked), [8, 4, 0])
  const late = ask(slots, 'a')
  await pause()
  assert.equal(late.state, 'refused')
  assert.deepEqual(count(asked), [8, 4, 0])
})

test('a free slot goes to the holder with the fewest, in the order of its requests', async () => {
  const slots = createSlots(8, 100)
  const greedy = askMany(slots, 'a', 50)
  const modest = askMany(slots, 'b', 4)
  await pause()
  assert.deepEqual([count(greedy)[0], count(modest)[0]], [7, 1])
  for (const { free } of greedy.slice(0, 3)) free()
  await pause()
  assert.deepEqual([count(greedy)[0], count(modest)[0]], [7, 3])
  assert.deepEqual(
    modest.map(({ state }) => state),
    ['working', 'working', 'working', 'waiting'],
  )
})

test('a slot is freed once, even if it is released twice', async () => {
  const slots = createSlots(8, 10)
  const asked = askMany(slots, 'a', 10)
  await pause()
  asked[0]!.free()
  asked[0]!.free()
  await pause()
  assert.deepEqual(count(asked), [8, 2, 0])
})

test('a client that leaves while it waits frees its place in the queue', async () => {
  const slots = createSlots(1, 1)
  askMany(slots, 'a', 1)
  const client = new EventEmitter()
  const left = ask(slots, 'a', client)
  client.emit('close')
  const next = ask(slots, 'a')
  await pause()
  assert.deepEqual([left.state, next.state], ['refused', 'waiting'])
  assert.equal(client.listenerCount('close'), 0)
})

test('a request that has waited for five seconds is refused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const slots = createSlots(1, 1)
  const [working, waiting] = [ask(slots, 'a'), ask(slots, 'b')]
  t.mock.timers.tick(5_000)
  await pause()
  assert.deepEqual([working.state, waiting.state], ['working', 'refused'])
})
