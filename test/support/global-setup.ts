import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedServer } from '../../src/db/embedded/server.ts'

const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30

// In memory, a file of PostgreSQL costs a tenth of one on a disk. What tests run from the disk is in its own temporary folder.
function findPlace(): string {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize < neededBytes ? tmpdir() : memory
  } catch {
    return tmpdir()
  }
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Makes the folder of this run. Removes those of runs that were killed. */
async function makeFolder(): Promise<string> {
  const place = findPlace()
  for (const name of await readdir(place)) {
    const [, pid] = /^catalogue-test-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(path.join(place, name), { recursive: true, force: true })
  }
  return mkdtemp(path.join(place, `catalogue-test-${process.pid}-`))
}

let folder: string
let fixtures: Server | undefined
let server: EmbeddedServer | undefined
let removeService: (() => Promise<void>) | undefined
let made: Map<string, Promise<string>>

async function startDatabase(): Promise<string> {
  const { acquireEmbeddedServer } = await import('../../src/db/embedded/server.ts')
  server = await acquireEmbeddedServer(path.join(folder, 'database'), { durable: false })
  process.env.TEST_DATABASE_HOST = server.connection.host
  await (await import('./template.ts')).makeTemplate()
  return server.connection.host
}

// Drawing the photographs of the demo house takes longer than most tests of a page, so only those of the running sale
// are drawn. The jobs for the others are deleted.
async function drawDemo(): Promise<string> {
  const [{ serveDemo }, { openCatalogue }, { readConfig }, { sql }] = await Promise.all([
    import('./process.ts'),
    import('../../src/running/catalogue.ts'),
    import('../../src/settings/config.ts'),
    import('kysely'),
  ])
  const DATA_DIR = path.join(folder, 'demo')
  const service = await serveDemo(DATA_DIR, { RATE_LIMIT_PER_MINUTE: '0' })
  type Page<Record> = { data: Record[] }
  const read = async <Record>(path: string) => {
    let reply = await service.read(path)
    // A busy machine makes the service refuse some requests.
    for (; reply.status === 503; reply = await service.read(path)) await sleep(200)
    return reply.body as unknown as Page<Record>
  }
  const [running] = (await read<{ id: string }>('/sessions?external_reference=veiling-113-online')).data
  const lots = `/lots?session=${running!.id}&limit=100&expand[]=item.images`
  const isDrawn = async () => {
    const { data } = await read<{ item: { images: { mini_url: string | null }[] } }>(lots)
    return data.every(({ item }) => item.images.every(({ mini_url: address }) => address !== null))
  }
  while (!(await isDrawn())) await sleep(200)
  const catalogue = await openCatalogue(readConfig({ DATA_DIR }))
  await sql`delete from graphile_worker._private_jobs where locked_at is null and task_id in (
    select id from graphile_worker._private_tasks where identifier = 'draw_demo_picture')`.execute(catalogue.db)
  await catalogue.close()
  await service.stop()
  return DATA_DIR
}

// A service with a demo house, for tests that make houses of their own.
async function serveShared(): Promise<string> {
  const { copyDemo, serveDemo } = await import('./process.ts')
  const { dataDir, remove } = await copyDemo()
  const { printed, stop } = await serveDemo(dataDir, { RATE_LIMIT_PER_MINUTE: '0' })
  removeService = async () => {
    await stop()
    await remove()
  }
  return JSON.stringify({ ...(JSON.parse(printed) as object), dataDir })
}

/**
 * Opens the server from which test files get shared, slow fixtures: a PostgreSQL with the migrated template, the data of
 * a demo house, and a service with a copy of these data. Each is made at the first request. The server of TEST_DATABASE_URL is used as it is.
 */
export async function globalSetup(): Promise<void> {
  folder = await makeFolder()
  process.env.TEST_FOLDER = folder
  made = new Map()
  const makers: Record<string, () => Promise<string>> = {
    database: startDatabase,
    demo: drawDemo,
    service: serveShared,
  }
  const address = path.join(folder, 'socket')
  fixtures = createServer((asking) => {
    asking.once('data', (name) => {
      const work = made.get(String(name)) ?? makers[String(name)]!()
      made.set(String(name), work)
      void work.then(
        (answer) => asking.end(answer),
        (error: unknown) => {
          console.error(error)
          asking.end()
        },
      )
    })
  }).listen(address)
  await once(fixtures, 'listening')
  process.env.TEST_FIXTURES = address
  if (process.env.TEST_DATABASE_URL !== undefined) await (await import('./template.ts')).makeTemplate()
}

/** Stops everything that was started. The next `globalSetup` starts anew. */
export async function globalTeardown(): Promise<void> {
  fixtures?.close()
  // A run may end while a fixture is being made: its service would outlive the run.
  await Promise.allSettled(made.values())
  await removeService?.()
  await server?.release()
  if (server !== undefined) delete process.env.TEST_DATABASE_HOST
  ;[removeService, server] = [undefined, undefined]
  await rm(folder, { recursive: true, force: true })
}
