import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../test/support/database.ts'
import { compareUnderFire } from './search/counts.ts'
import { searchUnderFire } from './search/round.ts'

const database = await createTestDatabase()
after(() => database.drop())

for (const [index, [trouble, when]] of (
  [
    ['none', 'with concurrent writers'],
    ['commit', 'while commits are cut, delayed and swallowed'],
    ['service', 'while instances are killed'],
  ] as const
).entries())
  test(`every search finds what was acknowledged before it, and nothing that is gone, ${when}`, async () => {
    const seed = Date.now() % 1_000_000
    const told = await searchUnderFire(database.connection, { number: 1 + 2 * index, seed, trouble, checks: 200 })
    assert.ok(told.checks >= 200 && told.writes > 0, `seed ${seed}`)
  })

test('filters, facets and orders are those of plain SQL, and walks give each record once, beside bids and other writes', async () => {
  const seed = Date.now() % 1_000_000
  const comparing = compareUnderFire(database.connection, { number: 11, seed, comparisons: 300 })
  const { walks = 0, bids = 0 } = await comparing.catch((error: unknown) => {
    throw new Error(`seed ${seed}`, { cause: error })
  })
  assert.ok(walks > 0 && bids > 0, `seed ${seed}`)
})
