import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { acquireEmbeddedServer } from '../src/db/embedded/server.ts'
import { openDatabase } from '../src/db/pool.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { findServerProcess } from '../test/support/process.ts'
import { searchUnderFire, troubles, type Told } from './search/round.ts'

// Random writers, staff, loads and jobs change records of two houses with the same words, while searchers ask two
// instances for exactly these records (chaos/search/round.ts): undisturbed, while connections or commits are cut, while
// instances are killed, and while PostgreSQL is killed. Ends at the first search that misses what was acknowledged
// before it began, or that shows what is archived, replaced or of another house.
// npx node chaos/search.ts [CHECKS] [SEED]

const checks = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const checksOfRound = 500
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-search-'))
const server = await acquireEmbeddedServer(folder, { durable: false })
const sum: Told = { checks: 0, writes: 0, unknown: 0, unanswered: 0, struck: 0, kills: 0 }

async function killDatabase(): Promise<void> {
  const pid = await findServerProcess(folder)
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

try {
  const { db, pool } = openDatabase(server.connection, 2)
  // Only the process of PostgreSQL is killed, not the machine. So a commit need not reach the disk.
  await sql`alter role catalogue set synchronous_commit = on`.execute(db)
  await migrate({ db, pool })
  await pool.end()
  for (let round = 0; sum.checks < checks; round++) {
    const trouble = troubles[round % troubles.length]!
    const asked = { number: 1 + 2 * round, seed: seed + round, trouble, checks: checksOfRound }
    const told = await searchUnderFire(server.connection, asked, killDatabase).catch((error: unknown) => {
      throw new Error(`seed ${seed}, ${JSON.stringify(asked)}`, { cause: error })
    })
    for (const name of Object.keys(sum) as (keyof Told)[]) sum[name] += told[name]
    console.log(`${trouble}: ${JSON.stringify(sum)}`)
  }
} finally {
  await server.release()
  await rm(folder, { recursive: true, force: true })
}
