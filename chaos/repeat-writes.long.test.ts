import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatWrites } from './repeat-writes/run.ts'

test('writes whose answers are lost are stored once by who repeats them, while service and database are killed', async () => {
  const { counts, fates, done } = await repeatWrites({ writes: 150, kills: 2 })
  assert.equal(done, 150)
  assert.equal(counts.kills, 2)
  assert.ok(counts.replayed > 0 && fates.swallowed > 0 && fates.left > 0 && fates.cut > 0)
})
