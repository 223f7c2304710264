import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureProgress } from '../src/report/progress.ts'

const none = { requests: 0, wait: undefined }

test('the time left counts the pictures that are still being processed', () => {
  const counts = { item: { same: 10 }, image: { created: 85, rejected: 5 } }
  const run = { totals: { house: 1, item: 10, image: 90 }, counts, processing: 50 }
  const { done, total, rejected, per_second, seconds_left, waiting_for } = measureProgress(run, 10, none)
  assert.deepEqual([done, total, rejected, per_second, seconds_left], [50, 100, 5, 5, 10])
  assert.equal(waiting_for, '50 pictures in processing')
  assert.equal(measureProgress({ ...run, processing: 0 }, 10, none).seconds_left, 0)
})

test('there is no rate at the beginning, and the wait of requests is shown before that of pictures', () => {
  const run = { totals: { image: 4 }, counts: { image: { created: 2 } }, processing: 1 }
  const early = measureProgress(run, 2, { requests: 7, wait: 'waiting for the rate limit' })
  assert.deepEqual([early.per_second, early.seconds_left], [undefined, undefined])
  assert.deepEqual([early.requests, early.waiting_for], [7, 'waiting for the rate limit'])
})
