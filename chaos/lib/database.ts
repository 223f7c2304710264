import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { acquireEmbeddedServer } from '../../src/db/embedded/server.ts'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { faults, openCommitProxy } from '../../test/support/commits.ts'
import { count, type Counts } from './counts.ts'
import { killServer } from './processes.ts'
import { random } from './random.ts'

/** A PostgreSQL of its own in a new folder, for a program that kills it; it is then started again. */
export async function openServer(name: string) {
  const folder = await mkdtemp(path.join(tmpdir(), `catalogue-${name}-`))
  const server = await acquireEmbeddedServer(folder, { durable: false })
  const { db, pool } = openDatabase(server.connection, 2)
  // Only the process of PostgreSQL is killed, not the machine. So a commit need not reach the disk.
  await sql`alter role catalogue set synchronous_commit = on`.execute(db)
  await migrate({ db, pool })
  await pool.end()
  return {
    folder,
    connection: server.connection,
    kill: () => killServer(folder),
    release: () => server.release(),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * A proxy to a database that breaks commits and statements of the job queue while it is told to. `choose` may break others:
 * it gets the statements of a transaction.
 */
export async function openStriker(
  connection: Connection,
  choose: (statements: string) => boolean | undefined = () => undefined,
) {
  let left = 0
  const strikes: Counts = {}
  const proxy = await openCommitProxy(connection, (statements) => {
    const isChosen = choose(statements)
    if (isChosen === false) return undefined
    if (!isChosen) {
      if (left === 0 || !/\ncommit$|graphile_worker/i.test(statements)) return undefined
      left--
    }
    const fault = random.pick(faults)
    count(strikes, fault)
    return fault
  })
  return {
    ...proxy,
    /** How many commits were broken, and how. */
    strikes,
    /** Breaks this many commits, or those of a few seconds. */
    async strike(count: number): Promise<void> {
      left = count
      const end = Date.now() + 5_000
      const isOver = () => left === 0 || Date.now() >= end
      while (!isOver()) await sleep(10)
      left = 0
      await proxy.settled()
    },
  }
}
