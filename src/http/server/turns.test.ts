import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurns } from './turns.ts'

test('a holder begins as many requests per turn as it may, in order, and the others in the next turns', async () => {
  const takeTurn = createTurns((endTurn) => void setImmediate(endTurn))
  const begun: number[] = []
  for (let each = 1; each <= 5; each++) takeTurn('a', 2, () => begun.push(each) > 0)
  assert.deepEqual(begun, [1, 2])
  await nextTurn()
  assert.deepEqual(begun, [1, 2, 3, 4])
  takeTurn('a', 2, () => begun.push(6) > 0)
  assert.deepEqual(begun, [1, 2, 3, 4])
  await nextTurn()
  assert.deepEqual(begun, [1, 2, 3, 4, 5, 6])
  await nextTurn()
  takeTurn('a', 2, () => begun.push(7) > 0)
  assert.equal(begun.at(-1), 7)
})

test('a holder with thousands of requests delays no other holder', async () => {
  const takeTurn = createTurns((endTurn) => void setImmediate(endTurn))
  const begun: string[] = []
  for (let each = 0; each < 5_000; each++) takeTurn('flood', 1, () => begun.push('flood') > 0)
  await nextTurn()
  takeTurn('reader', 1, () => begun.push('reader') > 0)
  assert.deepEqual(begun, ['flood', 'flood', 'reader'])
})

test('requests whose clients have left take no turns', async () => {
  const takeTurn = createTurns((endTurn) => void setImmediate(endTurn))
  const begun: string[] = []
  takeTurn('a', 1, () => begun.push('first') > 0)
  for (let each = 0; each < 5_000; each++) takeTurn('a', 1, () => false)
  takeTurn('a', 1, () => begun.push('next') > 0)
  await nextTurn()
  assert.deepEqual(begun, ['first', 'next'])
  await nextTurn()
  takeTurn('a', 1, () => false)
  takeTurn('a', 1, () => begun.push('last') > 0)
  assert.equal(begun.at(-1), 'last')
})
