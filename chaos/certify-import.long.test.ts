import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certifyImport } from './certify-import/run.ts'

test('imports over a bad network, killed with their service at random, end complete and with true reports', async () => {
  const counts = await certifyImport({ runs: 10, seed: 17, atOnce: 10, tell: () => {} })
  assert.ok(counts.kills > 0 && counts.serviceKills > 0 && counts.rejected > 0, JSON.stringify(counts))
})
