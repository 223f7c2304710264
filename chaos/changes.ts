import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { acquireEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/pool.ts'
import { openInstances } from './changes/instances.ts'
import { runHistory } from './changes/history.ts'

// Histories of random writers, held transactions, rollbacks, loads and cut connections on two instances, with mirrors
// that follow them (chaos/changes/history.ts). Every fourth cuts off connections.
// node chaos/changes.ts [HISTORIES] [SEED]
// With the DATABASE_URL of an empty database distributed over two workers of Citus or more, its house moves between them in
// every fourth, too.

const histories = Number(process.argv[2] ?? 100)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const url = process.env.DATABASE_URL
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-changes-'))
const server = url === undefined ? await acquireEmbeddedServer(folder, { durable: false }) : undefined
const connection = server?.connection ?? { connectionString: url! }
const disturbances = ['cuts', 'none', url === undefined ? 'none' : 'moves', 'none'] as const
try {
  const { db, pool } = openDatabase(connection, 2)
  await migrate({ db, pool })
  await pool.end()
  const instances = await openInstances(connection, 2)
  const sum = { writes: 0, failed: 0, pages: 0 }
  for (let run = 1; run <= histories; run++) {
    const told = await runHistory(instances, run, seed + run, disturbances[run % 4]!).catch((error: unknown) => {
      throw new Error(`history ${run} of seed ${seed}`, { cause: error })
    })
    for (const name of ['writes', 'failed', 'pages'] as const) sum[name] += told[name]
    if (run % 100 === 0 || run === histories)
      process.stdout.write(
        `${run} histories: ${sum.writes} writes, ${sum.failed} refused or cut off, ${sum.pages} pages\n`,
      )
  }
  await instances.close()
} finally {
  await server?.release()
  await rm(folder, { recursive: true, force: true })
}
