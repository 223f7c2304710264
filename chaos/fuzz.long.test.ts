import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz/run.ts'

test('two thousand requests, valid, almost valid and hostile, get only answers that the document has', async () => {
  const { violations } = await fuzz({ requests: 2_000, seed: 1 })
  assert.deepEqual(violations, [])
})
