import { sql } from 'kysely'
import { openDatabase, type Connection } from '../src/db/pool.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import type { Told } from './changes/history.ts'
import { openInstances } from './changes/instances.ts'
import { runRound } from './changes/round.ts'
import { list } from './lib/counts.ts'
import { openServer } from './lib/database.ts'

// Histories of random writers (of images too), held transactions, rollbacks and loads on two instances, with mirrors that follow them
// (chaos/changes/round.ts). They run twenty at a time: undisturbed, then while connections are cut, while instances are killed,
// while PostgreSQL is killed, and while a backup is restored.
// npx node chaos/changes.ts [HISTORIES] [SEED]
// If DATABASE_URL names an empty database that is distributed over at least two workers of Citus, the last two troubles
// are replaced by one: houses move between the workers.

const [histories = 100, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const url = process.env.DATABASE_URL
const count = 20
const server = url === undefined ? await openServer('changes') : undefined
const troubles = (['none', 'cut', 'service', 'database', 'restore', 'move'] as const).filter((trouble) =>
  server ? trouble !== 'move' : trouble !== 'database' && trouble !== 'restore',
)
const told: Told = { writes: 0, failed: 0, pages: 0, restarts: 0 }

/** Runs a round of histories for each trouble. The houses are numbered from `first`. */
async function runRounds(connection: Connection, first: number): Promise<void> {
  const { db, pool } = openDatabase(connection, 2)
  await migrate({ db, pool })
  await pool.end()
  const instances = await openInstances(connection, server?.kill)
  for (const [index, trouble] of troubles.entries()) {
    const round = { first: first + index * count, count, seed, trouble }
    await runRound(instances, round, told).catch((error: unknown) => {
      throw new Error(`seed ${seed}, ${JSON.stringify(round)}`, { cause: error })
    })
  }
  await instances.close()
}

/** Runs the work with a database of its own: a restored backup would affect all histories of a shared one. */
async function withDatabase(name: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  if (!server) return work({ connectionString: url! })
  const { db, pool } = openDatabase(server.connection, 1)
  await sql`create database ${sql.id(name)}`.execute(db)
  await work({ ...server.connection, database: name })
  await sql`drop database ${sql.id(name)} with (force)`.execute(db)
  await pool.end()
}

try {
  for (let done = 0; done < histories;) {
    await withDatabase(`histories_${done}`, (connection) => runRounds(connection, done + 1))
    done += troubles.length * count
    console.log(`${done} histories: ${list(told)} (failed: refused or cut off; restarts: mirrors that began again)`)
  }
} finally {
  await server?.release()
  await server?.remove()
}
