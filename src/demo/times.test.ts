import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveTime } from './times.ts'

function expectTimes(now: string, expected: Record<string, string>) {
  const resolved = Object.keys(expected).map((text) => [text, resolveTime(text, new Date(now)).toISOString()])
  assert.deepEqual(Object.fromEntries(resolved), expected, now)
}

test('a time of a day is the time of the clock in Amsterdam, in winter and in summer', () => {
  expectTimes('2026-12-20T12:00:00Z', {
    'day -29, 10:00': '2026-11-21T09:00:00.000Z',
    'day 0, 19:01:30': '2026-12-20T18:01:30.000Z',
    'day +18, 00:00': '2027-01-06T23:00:00.000Z',
  })
  expectTimes('2026-07-20T12:00:00Z', {
    'day -29, 10:00': '2026-06-21T08:00:00.000Z',
    'day 0, 19:01:30': '2026-07-20T17:01:30.000Z',
    'day +18, 00:00': '2026-08-06T22:00:00.000Z',
  })
})

test('today is the day in Amsterdam, not the day in UTC', () => {
  expectTimes('2026-07-20T21:59:59.999Z', { 'day 0, 10:00': '2026-07-20T08:00:00.000Z' })
  expectTimes('2026-07-20T22:00:00.000Z', { 'day 0, 10:00': '2026-07-21T08:00:00.000Z' })
  expectTimes('2026-12-31T23:30:00.000Z', { 'day -1, 10:00': '2026-12-31T09:00:00.000Z' })
  expectTimes('2028-03-01T12:00:00.000Z', { 'day -1, 10:00': '2028-02-29T09:00:00.000Z' })
})

test('days are counted across the change to summer time, from the day before, the same day and the day after', () => {
  expectTimes('2027-03-10T12:00:00Z', {
    'day +17, 10:00': '2027-03-27T09:00:00.000Z',
    'day +18, 10:00': '2027-03-28T08:00:00.000Z',
  })
  // An hour before the clock is put forward, and the moment after.
  for (const now of ['2027-03-28T00:00:00Z', '2027-03-28T01:00:00Z']) {
    expectTimes(now, {
      'day -1, 10:00': '2027-03-27T09:00:00.000Z',
      'day 0, 00:00': '2027-03-27T23:00:00.000Z',
      'day 0, 01:59:59': '2027-03-28T00:59:59.000Z',
      'day 0, 03:00': '2027-03-28T01:00:00.000Z',
      'day 0, 10:00': '2027-03-28T08:00:00.000Z',
      'day +1, 00:00': '2027-03-28T22:00:00.000Z',
    })
  }
  expectTimes('2027-04-26T12:00:00Z', {
    'day -30, 10:00': '2027-03-27T09:00:00.000Z',
    'day -29, 10:00': '2027-03-28T08:00:00.000Z',
  })
})

test('days are counted across the change to winter time, from the day before, the same day and the day after', () => {
  expectTimes('2026-10-07T12:00:00Z', {
    'day +17, 10:00': '2026-10-24T08:00:00.000Z',
    'day +18, 10:00': '2026-10-25T09:00:00.000Z',
  })
  // The first half past two of the day, and the second.
  for (const now of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']) {
    expectTimes(now, {
      'day -1, 10:00': '2026-10-24T08:00:00.000Z',
      'day 0, 00:00': '2026-10-24T22:00:00.000Z',
      'day 0, 01:59:59': '2026-10-24T23:59:59.000Z',
      'day 0, 03:00': '2026-10-25T02:00:00.000Z',
      'day 0, 10:00': '2026-10-25T09:00:00.000Z',
      'day +1, 00:00': '2026-10-25T23:00:00.000Z',
    })
  }
  expectTimes('2026-11-23T12:00:00Z', {
    'day -30, 10:00': '2026-10-24T08:00:00.000Z',
    'day -29, 10:00': '2026-10-25T09:00:00.000Z',
  })
})

test('a time that the clock skips is an hour later, and one that it shows twice is the first of the two', () => {
  for (const [now, days] of [
    ['2027-03-20T12:00:00Z', '+8'],
    ['2027-03-28T12:00:00Z', '0'],
    ['2027-04-02T12:00:00Z', '-5'],
  ] as const) {
    expectTimes(now, {
      [`day ${days}, 02:00`]: '2027-03-28T01:00:00.000Z',
      [`day ${days}, 02:30`]: '2027-03-28T01:30:00.000Z',
    })
  }
  for (const [now, days] of [
    ['2026-10-20T12:00:00Z', '+5'],
    ['2026-10-25T12:00:00Z', '0'],
    ['2026-10-30T12:00:00Z', '-5'],
  ] as const) {
    expectTimes(now, {
      [`day ${days}, 02:00`]: '2026-10-25T00:00:00.000Z',
      [`day ${days}, 02:30`]: '2026-10-25T00:30:00.000Z',
    })
  }
})

test('times from now count from the minute of the load, also across a change of the clock', () => {
  expectTimes('2026-10-25T00:59:59.999Z', {
    now: '2026-10-25T00:59:00.000Z',
    'now +4 min': '2026-10-25T01:03:00.000Z',
    'now -21 min 40 s': '2026-10-25T00:37:20.000Z',
    'now -13 h 48 min 44 s': '2026-10-24T11:10:16.000Z',
    'now +1 h': '2026-10-25T01:59:00.000Z',
  })
})

test('any other text is not a time', () => {
  for (const text of [
    '',
    'tomorrow',
    'now +',
    'now 4 min',
    'now +4 days',
    'day 1',
    'day -29, 10',
    '2026-10-25T01:03:00Z',
  ])
    assert.throws(() => resolveTime(text, new Date()), /is no time of the demo house/, text)
})
