import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findObstacle, type SessionState } from './preparation.ts'
import { scheduleLots } from './schedule.ts'

const first = new Date('2099-05-08T10:00:00Z')
const closesOf = (group_size: number, interval_seconds: number, numbers: (number | null)[]) =>
  Object.fromEntries(
    scheduleLots(
      { first_closes_at: first, group_size, interval_seconds },
      numbers.map((lot_number, id) => ({ id: String(id), lot_number })),
    ).map(({ id, closes_at }) => [id, closes_at.toISOString().slice(11, 19)]),
  )

test('lots close in the order of their numbers, group by group, those without a number last', () => {
  assert.deepEqual(closesOf(2, 90, [7, null, -3, 40, 5]), {
    2: '10:00:00',
    4: '10:00:00',
    0: '10:01:30',
    3: '10:01:30',
    1: '10:03:00',
  })
  assert.deepEqual(closesOf(2147483647, 1, [1, 2]), { 0: '10:00:00', 1: '10:00:00' })
  assert.deepEqual(closesOf(1, 60, []), {})
})

test('no lot closes after the year 9999, with any interval', () => {
  const lots = Array.from({ length: 5000 }, (_, index) => ({ id: String(index), lot_number: index }))
  const closes = scheduleLots({ first_closes_at: first, group_size: 1, interval_seconds: 2147483647 }, lots)
  assert.equal(closes.at(-1)!.closes_at.toISOString(), '9999-12-31T23:59:59.000Z')
})

const ready: SessionState = {
  id: '1',
  kind: 'timed',
  opens_at: new Date('2099-05-01T10:00:00Z'),
  first_closes_at: first,
  group_size: 1,
  interval_seconds: 60,
  finished: false,
}
const obstacle = (changes: Partial<SessionState>, hasBids = false, now = '2099-05-01T09:55:00.000Z') =>
  findObstacle({ ...ready, ...changes }, hasBids, new Date(now))

test('lots can be switched until five minutes before the session opens, to the millisecond', () => {
  assert.equal(obstacle({}), undefined)
  assert.equal(obstacle({}, false, '2099-05-01T09:55:00.001Z'), 'opens_soon')
  assert.equal(obstacle({}, false, '2099-05-01T09:59:59.999Z'), 'opens_soon')
  assert.equal(obstacle({}, false, '2099-05-01T10:00:00.000Z'), 'opened')
})

test('each unmet condition of a session has its own obstacle', () => {
  assert.equal(obstacle({ finished: true }), 'finished')
  assert.equal(obstacle({ opens_at: null }), 'no_schedule')
  assert.equal(obstacle({}, true), 'has_bids')
  for (const changes of [
    { first_closes_at: null },
    { first_closes_at: ready.opens_at },
    { group_size: 0 },
    { interval_seconds: null },
    { interval_seconds: -1 },
  ]) {
    assert.equal(obstacle(changes), 'no_schedule')
    assert.equal(obstacle({ ...changes, kind: 'live' }), undefined)
  }
})
