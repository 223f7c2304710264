import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeSales } from './close-sale/run.ts'

test('while processes are killed, clocks differ and clerks interfere, each lot of a sale ends with one result, at its highest bid', async () => {
  const seed = Date.now() % 1_000_000
  const [told] = await closeSales({ sales: 1, seed, lots: 60, seconds: 60, calm: false })
  const { counts, late, kills, results } = told!
  const decided = Object.values(results).reduce((sum, count) => sum + count, 0)
  assert.equal(decided, 60, `seed ${seed}`)
  assert.ok(counts.stored! > 0 && counts.extensions! > 0 && late.length > 0, `seed ${seed}`)
  assert.ok(Object.keys(kills).length > 0, `seed ${seed}`)
})
