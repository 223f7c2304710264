import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../test/support/database.ts'
import { openInstances } from './changes/instances.ts'
import { runRound } from './changes/round.ts'

const database = await createTestDatabase()
const instances = await openInstances(database.connection)
after(async () => {
  await instances.close()
  await database.drop()
})

let first = 1
for (const [trouble, when] of [
  ['none', 'with concurrent writers'],
  ['cut', 'while connections are cut off'],
  ['service', 'while instances are killed'],
  ['restore', 'after a restored backup'],
] as const)
  test(`mirrors miss nothing and equal the catalogue in the end, ${when}`, async () => {
    const seed = Date.now() % 1_000_000
    const { writes, pages, restarts } = await runRound(instances, { first, count: 5, seed, trouble })
    first += 5
    assert.ok(writes > 0 && pages > 0, `seed ${seed}`)
    assert.equal(restarts > 0, trouble === 'restore', `seed ${seed}`)
  })
