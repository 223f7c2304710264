import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { acquireEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/pool.ts'
import { findServerProcess } from '../test/support/process.ts'
import type { Told } from './changes/history.ts'
import { openInstances } from './changes/instances.ts'
import { runRound } from './changes/round.ts'
import { troubles } from './changes/troubles.ts'

// Histories of random writers, held transactions, rollbacks and loads on two instances, with mirrors that follow them
// (chaos/changes/round.ts). They run twenty at a time: undisturbed, then while connections are cut, while instances are killed,
// while PostgreSQL is killed, and while a backup is restored.
// node chaos/changes.ts [HISTORIES] [SEED]

const histories = Number(process.argv[2] ?? 100)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const count = 20
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-changes-'))
const server = await acquireEmbeddedServer(folder, { durable: false })

async function killDatabase(): Promise<void> {
  const pid = await findServerProcess(folder)
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

const sum: Told = { writes: 0, failed: 0, pages: 0, restarts: 0 }
try {
  const own = openDatabase(server.connection, 1)
  // The machine goes on when PostgreSQL is killed. So it is enough that what was committed has left the process.
  await sql`alter role catalogue set synchronous_commit = on`.execute(own.db)
  for (let done = 0; done < histories;) {
    const name = `histories_${done}`
    await sql`create database ${sql.id(name)}`.execute(own.db)
    const connection = { ...server.connection, database: name }
    const { db, pool } = openDatabase(connection, 2)
    await migrate({ db, pool })
    await pool.end()
    const instances = await openInstances(connection, 2)
    for (const trouble of troubles) {
      const told = await runRound(instances, { first: done + 1, count, seed, trouble }, killDatabase).catch(
        (error: unknown) => {
          throw new Error(`histories from ${done + 1} of seed ${seed}, trouble ${trouble}`, { cause: error })
        },
      )
      for (const each of Object.keys(sum) as (keyof Told)[]) sum[each] += told[each]
      done += count
    }
    await instances.close()
    await sql`drop database ${sql.id(name)} with (force)`.execute(own.db)
    const { writes, failed, pages, restarts } = sum
    console.log(
      `${done} histories: ${writes} writes, ${failed} refused or cut off, ${pages} pages, ${restarts} mirrors began again`,
    )
  }
  await own.pool.end()
} finally {
  await server.release()
  await rm(folder, { recursive: true, force: true })
}
