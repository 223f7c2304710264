import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { EmbeddedServer } from '../../src/db/embedded/server.ts'

let folder: string
let door: Server | undefined
let started: Promise<EmbeddedServer> | undefined

// Tests of pure rules need no database. So PostgreSQL starts when the first file asks for it.
async function start(): Promise<EmbeddedServer> {
  const { acquireEmbeddedServer } = await import('../../src/db/embedded/server.ts')
  const server = await acquireEmbeddedServer(folder, { durable: false })
  process.env.TEST_DATABASE_HOST = server.connection.host
  await (await import('./template.ts')).makeTemplate()
  return server
}

/** Uses the server of TEST_DATABASE_URL for the whole run. Otherwise opens the door at which files ask for a PostgreSQL. */
export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return (await import('./template.ts')).makeTemplate()
  folder = await mkdtemp(path.join(tmpdir(), 'catalogue-test-'))
  const address = path.join(folder, 'door')
  door = createServer(async (asking) => {
    started ??= start()
    await started.then(
      ({ connection }) => asking.end(connection.host),
      (error: unknown) => asking.destroy(error as Error),
    )
  }).listen(address)
  await once(door, 'listening')
  process.env.TEST_DATABASE_DOOR = address
}

/** Stops what was started. */
export async function globalTeardown(): Promise<void> {
  if (door === undefined) return
  door.close()
  await (await started)?.release()
  await rm(folder, { recursive: true, force: true })
}
