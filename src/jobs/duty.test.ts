import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { noteRequest } from '../values/traffic.ts'
import { doDuty } from './duty.ts'

test('batches of the duty run one at a time, in their order, under traffic and without', async () => {
  let underWay = 0
  const order: number[] = []
  const batch = (number: number) => async () => {
    underWay += 1
    assert.equal(underWay, 1)
    if (number === 2) noteRequest()
    await nextTurn()
    order.push(number)
    underWay -= 1
    return number
  }
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map((number) => doDuty(batch(number)))), [1, 2, 3, 4])
  assert.deepEqual(order, [1, 2, 3, 4])
})

test('a batch that fails is an error of its caller alone', async () => {
  const failed = doDuty(() => Promise.reject(new Error('lost')))
  const next = doDuty(async () => 'done')
  await assert.rejects(failed, /lost/)
  assert.equal(await next, 'done')
})
