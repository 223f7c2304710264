import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../test/support/database.ts'
import { openInstances } from './changes/instances.ts'
import { runHistory } from './changes/history.ts'

const database = await createTestDatabase()
const instances = await openInstances(database.connection, 2)
after(async () => {
  await instances.close()
  await database.drop()
})

for (const disturbance of ['none', 'cuts'] as const)
  test(`mirrors miss nothing and end as the catalogue, ${disturbance === 'cuts' ? 'while connections are cut off' : 'whoever writes at the same time'}`, async () => {
    const seed = Date.now() % 1_000_000
    for (let run = 1; run <= 6; run++) {
      const { writes, pages } = await runHistory(
        instances,
        run + (disturbance === 'cuts' ? 100 : 0),
        seed + run,
        disturbance,
      )
      assert.ok(writes > 0 && pages > 0, `seed ${seed + run}`)
    }
  })
