import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printLocal, readLocal } from '../src/staff/preparing/zone.ts'

const zone = 'Europe/Amsterdam'

test('a typed time is read on the clock of its zone, in summer and in winter', () => {
  assert.equal(readLocal('2026-07-01T19:00', zone), '2026-07-01T17:00:00Z')
  assert.equal(readLocal('2026-12-01T19:00:30', zone), '2026-12-01T18:00:30Z')
  assert.equal(readLocal('2026-12-01T19:00', 'America/New_York'), '2026-12-02T00:00:00Z')
  assert.equal(readLocal('2026-12-01T00:10', 'Asia/Kolkata'), '2026-11-30T18:40:00Z')
})

test('a time that the clock skips is refused, and of one that comes twice the first is meant', () => {
  assert.equal(readLocal('2026-03-29T02:30', zone), undefined)
  assert.equal(readLocal('2026-03-29T01:59', zone), '2026-03-29T00:59:00Z')
  assert.equal(readLocal('2026-03-29T03:00', zone), '2026-03-29T01:00:00Z')
  assert.equal(readLocal('2026-10-25T02:30', zone), '2026-10-25T00:30:00Z')
  assert.equal(readLocal('no time', zone), undefined)
})

test('a printed time is read as the same instant', () => {
  for (const at of ['2026-03-29T00:59:59Z', '2026-10-25T00:30:00Z', '2026-12-31T23:30:00Z'])
    assert.equal(readLocal(printLocal(at, zone), zone), at)
})
