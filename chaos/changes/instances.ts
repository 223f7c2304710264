import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import { deriveKeyrings } from '../../src/secret.ts'

const publicUrl = 'https://catalogue.test'
const keyrings = deriveKeyrings('a secret of the histories, long enough')

/** The name of the connection that nobody cuts off. */
export const observerName = 'observer'

/** Instances of the service on one database and one folder, each with a pool of its own. */
export type Instances = Awaited<ReturnType<typeof openInstances>>

/** Opens so many instances. */
export async function openInstances(connection: Connection, count: number) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'catalogue-histories-'))
  const media = openFileStore({ dataDir, publicUrl, keyring: keyrings.addresses })
  const opened = Array.from({ length: count }, () => openDatabase(connection, 8))
  const observer = openDatabase(connection, 4, { applicationName: observerName })
  const common = { keyrings, media, publicUrl, rateLimitPerMinute: 0, cacheBytes: 0, logger: pino({ level: 'silent' }) }
  const apps = await Promise.all(
    opened.map(({ db }) => createApp({ ...common, db, windows: { in: 'memory' }, connection })),
  )
  return {
    apps,
    media,
    dataDir,
    /** A connection of the test's own. */
    observer: observer.db,
    databases: opened.map(({ db }) => db),
    async close() {
      for (const app of apps) await app.close()
      for (const { pool } of [...opened, observer]) await pool.end()
      await rm(dataDir, { recursive: true })
    },
  }
}
