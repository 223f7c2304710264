import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatWrites } from './repeat-writes/run.ts'

test('a client that repeats writes with lost answers stores each once, while service and database are killed', async () => {
  const { counts, fates, done } = await repeatWrites({ writes: 150, kills: 2 })
  assert.equal(done, 150)
  assert.equal(counts.kills, 2)
  assert.ok(counts.replayed > 0 && fates.swallowed > 0 && fates.left > 0 && fates.cut > 0)
})
