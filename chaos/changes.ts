import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { acquireEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { openDatabase, type Connection } from '../src/db/pool.ts'
import { findServerProcess } from '../test/support/process.ts'
import type { Told } from './changes/history.ts'
import { openInstances } from './changes/instances.ts'
import { runRound } from './changes/round.ts'
import type { Trouble } from './changes/troubles.ts'

// Histories of random writers (of images too), held transactions, rollbacks and loads on two instances, with mirrors that follow them
// (chaos/changes/round.ts). They run twenty at a time: undisturbed, then while connections are cut, while instances are killed,
// while PostgreSQL is killed, and while a backup is restored.
// npx node chaos/changes.ts [HISTORIES] [SEED]
// If DATABASE_URL names an empty database that is distributed over at least two workers of Citus, the last two troubles
// are replaced by one: houses move between the workers.

const histories = Number(process.argv[2] ?? 100)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const url = process.env.DATABASE_URL
const count = 20
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-changes-'))
const server = url === undefined ? await acquireEmbeddedServer(folder, { durable: false }) : undefined
const troubles: Trouble[] =
  url === undefined ? ['none', 'cut', 'service', 'database', 'restore'] : ['none', 'cut', 'service', 'move']
const sum: Told = { writes: 0, failed: 0, pages: 0, restarts: 0 }

async function killDatabase(): Promise<void> {
  const pid = await findServerProcess(folder)
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

/** Runs a round of histories for each trouble. The houses are numbered from `first`. */
async function runRounds(connection: Connection, first: number): Promise<void> {
  const { db, pool } = openDatabase(connection, 2)
  await migrate({ db, pool })
  await pool.end()
  const instances = await openInstances(connection, 2)
  for (const [index, trouble] of troubles.entries()) {
    const round = { first: first + index * count, count, seed, trouble }
    const told = await runRound(instances, round, killDatabase).catch((error: unknown) => {
      throw new Error(`seed ${seed}, ${JSON.stringify(round)}`, { cause: error })
    })
    for (const each of Object.keys(sum) as (keyof Told)[]) sum[each] += told[each]
  }
  await instances.close()
}

/** Runs the work with a database of its own: a restored backup would affect all histories of a shared one. */
async function withDatabase(name: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  if (!server) return work({ connectionString: url! })
  const { db, pool } = openDatabase(server.connection, 1)
  // Only the process of PostgreSQL is killed, not the machine. So a commit need not reach the disk.
  await sql`alter role catalogue set synchronous_commit = on`.execute(db)
  await sql`create database ${sql.id(name)}`.execute(db)
  await work({ ...server.connection, database: name })
  await sql`drop database ${sql.id(name)} with (force)`.execute(db)
  await pool.end()
}

try {
  for (let done = 0; done < histories; done += troubles.length * count) {
    await withDatabase(`histories_${done}`, (connection) => runRounds(connection, done + 1))
    const { writes, failed, pages, restarts } = sum
    console.log(
      `${done + troubles.length * count} histories: ${writes} writes, ${failed} refused or cut off, ${pages} pages, ${restarts} mirrors began again`,
    )
  }
} finally {
  await server?.release()
  await rm(folder, { recursive: true, force: true })
}
