import { list } from './lib/counts.ts'
import { openServer } from './lib/database.ts'
import { searchUnderFire, troubles, type Told } from './search/round.ts'

// Random writers, staff, loads and jobs change records of two houses with the same words, while searchers ask two
// instances for exactly these records (chaos/search/round.ts): undisturbed, while connections or commits are cut, while
// instances are killed, and while PostgreSQL is killed. Ends at the first search that misses what was acknowledged
// before it began, or that shows what is archived, replaced or of another house.
// npx node chaos/search.ts [CHECKS] [SEED]

const [checks = 10_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const checksOfRound = 500
const server = await openServer('search')
const told: Told = { checks: 0, writes: 0, unknown: 0, unanswered: 0, struck: 0, kills: 0 }

try {
  for (let round = 0; told.checks < checks; round++) {
    const trouble = troubles[round % troubles.length]!
    const asked = { number: 1 + 2 * round, seed: seed + round, trouble, checks: checksOfRound }
    await searchUnderFire(server.connection, asked, server.kill, told).catch((error: unknown) => {
      throw new Error(`seed ${seed}, ${JSON.stringify(asked)}`, { cause: error })
    })
    console.log(`${trouble}: ${list(told)}`)
  }
} finally {
  await server.release()
  await server.remove()
}
