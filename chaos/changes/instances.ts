import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { openDatabase, type Connection, type Database } from '../../src/db/pool.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import { json, openClient } from '../../test/support/client.ts'
import { findPort } from '../../test/support/process.ts'
import { superviseInstance } from '../lib/instances.ts'
import { waitUntil } from '../lib/processes.ts'
import type { Order, Written } from './writers.ts'

/** The name of the connections that are never cut. */
export const observerName = 'observer'

/** The answer of an instance; status 0, and the error as text, if it was killed meanwhile. */
export type Reply = { status: number; text: string }

function openInstance(connection: Connection, dataDir: string, port: number, fail: (error: Error) => void) {
  const program = path.join(import.meta.dirname, 'instance.ts')
  const settings = { CONNECTION: JSON.stringify(connection), DATA_DIR: dataDir, PORT: String(port) }
  const running = superviseInstance<Written[]>(program, settings, path.join(dataDir, `${port}.log`), fail)
  const untilStarted = () => waitUntil('an instance has not started', async () => running.isStarted)
  running.start()

  return {
    untilStarted,
    async ask(path: string, key: string, method = 'GET', body?: object): Promise<Reply> {
      await untilStarted()
      const client = openClient(`http://127.0.0.1:${port}`, key)
      const asked = client.call(method, path, body && json(body))
      return asked.catch((error: unknown) => ({ status: 0, text: inspect(error) })).finally(client.close)
    },
    /** Lets the instance do a write. Throws if the write was refused, or its outcome is unknown. */
    async write(order: Order): Promise<Written[]> {
      await untilStarted()
      const answer = await running.carryOut(order)
      if ('done' in answer) return answer.done
      throw new Error(JSON.stringify(answer))
    },
    /** Kills the instance. Returns when the server has ended its transactions too. */
    async kill(observer: Database): Promise<void> {
      const name = `instance-${running.child!.pid}`
      await running.stop('SIGKILL')
      for (;;) {
        // A busy machine may not connect in time. Then it is asked again.
        const found = await sql`select from pg_stat_activity where application_name = ${name}`
          .execute(observer)
          .catch(() => undefined)
        if (found?.rows.length === 0) return
        await sleep(5)
      }
    },
    restart: running.start,
    stop: () => running.stop('SIGTERM'),
  }
}

/** Instances of the service on one database and one folder, with the means to disturb them. */
export type Instances = Awaited<ReturnType<typeof openInstances>>

/** Starts two instances. `killDatabase` kills the server, which its supervisor starts again. */
export async function openInstances(connection: Connection, killDatabase?: () => Promise<void>) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'catalogue-histories-'))
  const media = openFileStore({ dataDir, publicUrl: 'https://catalogue.test', keyring: ['unused by histories'] })
  const observer = openDatabase(connection, 6, { applicationName: observerName })
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  const ports = [await findPort(), await findPort()]
  const all = ports.map((port) => openInstance(connection, dataDir, port, fail))
  await Promise.all(all.map((instance) => instance.untilStarted()))
  return {
    all,
    /** Rejects when an instance ends by itself. */
    failed,
    connection,
    media,
    dataDir,
    killDatabase,
    /** Connections of the test's own. */
    observer,
    /** Advances when a backup is restored. Send no requests until `isOpen`. */
    age: 0,
    isOpen: Promise.resolve(),
    async close() {
      for (const instance of all) await instance.stop()
      await observer.pool.end()
      await rm(dataDir, { recursive: true })
    },
  }
}
