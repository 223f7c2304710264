import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Names } from '../src/names.ts'

test('each of 100,000 names has the number that was set last, and no other name has one', () => {
  const names = new Names()
  const count = 100_000
  for (let number = 0; number < count; number++) names.set(`V-${number}`, number + 1)
  for (let number = 0; number < count; number++) names.set(`V-${number}`, number)
  for (let number = 0; number < count; number++) assert.equal(names.get(`V-${number}`), number)
  for (let number = 0; number < count; number++) assert.equal(names.get(`W-${number}`), undefined)
})
