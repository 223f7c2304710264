import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import { stopProcess } from '../../test/support/process.ts'
import type { Order, Written } from './writers.ts'

/** The name of the connections that are never cut. */
export const observerName = 'observer'

/** The answer of an instance; status 0, and the error as text, if it was killed meanwhile. */
export type Reply = { status: number; text: string }

type Answer = { id: number; written?: Written[]; refused?: string }
type Pending = { resolve: (written: Written[]) => void; reject: (error: Error) => void }

/** An instance of the service, in a process of its own. */
export type Instance = ReturnType<typeof createInstance>

function createInstance(connection: Connection, dataDir: string) {
  const program = path.join(import.meta.dirname, 'instance.ts')
  const pending = new Map<number, Pending>()
  let orders = 0

  function start() {
    const child = fork(program, [JSON.stringify({ connection, dataDir })])
    const isReady = once(child, 'message').then(
      (messages) => `http://127.0.0.1:${(messages as [{ port: number }])[0].port}`,
    )
    child.on('message', ({ id, written, refused }: Answer) => {
      const order = pending.get(id)
      pending.delete(id)
      if (written) order?.resolve(written)
      else order?.reject(new Error(refused))
    })
    child.once('exit', () => {
      for (const { reject } of pending.values()) reject(new Error('the instance was killed'))
      pending.clear()
    })
    return { child, isReady }
  }

  let running = start()

  return {
    async ask(path: string, key: string, request?: { method: string; body: object }): Promise<Reply> {
      const url = await running.isReady
      const headers: Record<string, string> = { authorization: `Bearer ${key}` }
      if (request) headers['content-type'] = 'application/json'
      try {
        const { method, body } = request ?? { method: 'GET', body: undefined }
        const reply = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
        return { status: reply.status, text: await reply.text() }
      } catch (error) {
        return { status: 0, text: inspect(error) }
      }
    },
    /** Lets the instance do a write. Throws if the write was refused, or its outcome is unknown. */
    async write(order: Order): Promise<Written[]> {
      await running.isReady
      return new Promise((resolve, reject) => {
        const id = orders++
        pending.set(id, { resolve, reject })
        running.child.send({ ...order, id }, (error) => error && reject(error))
      })
    },
    isReady: async () => void (await running.isReady),
    /** Kills the instance. Returns when the server has ended its transactions too. */
    async kill(observer: ReturnType<typeof openDatabase>['db']) {
      const { child } = running
      await stopProcess(child, 'SIGKILL')
      for (;;) {
        // A busy machine may not connect in time. Then it is asked again.
        const found = await sql`select from pg_stat_activity where application_name = ${`instance-${child.pid}`}`
          .execute(observer)
          .catch(() => undefined)
        if (found?.rows.length === 0) return
        await sleep(5)
      }
    },
    restart() {
      running = start()
    },
    stop: () => stopProcess(running.child),
  }
}

/** Instances of the service on one database and one folder, with the means to disturb them. */
export type Instances = Awaited<ReturnType<typeof openInstances>>

/** Starts this many instances. */
export async function openInstances(connection: Connection, count: number) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'catalogue-histories-'))
  const media = openFileStore({ dataDir, publicUrl: 'https://catalogue.test', keyring: ['unused by histories'] })
  const observer = openDatabase(connection, 6, { applicationName: observerName })
  const all = Array.from({ length: count }, () => createInstance(connection, dataDir))
  await Promise.all(all.map((instance) => instance.isReady()))
  return {
    all,
    connection,
    media,
    dataDir,
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
