import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { findServerProcess, spawnCommand, stopProcess } from '../../test/support/process.ts'

const readyMilliseconds = 60_000

const services = ['server', 'worker', 'routed'] as const
type Service = (typeof services)[number]

// The processes that can be killed.
type Victim = Service | 'database'

/**
 * A server and a worker on one folder, with the database that they start and share, or the one at the URL `shared`. A second
 * server, with a worker in it, reaches this database through `url`. The output of each goes into a file beside the folder.
 */
export function openProcesses(
  dataDir: string,
  ports: { server: number; routed: number },
  url: string,
  shared?: string,
) {
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(ports.server),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...(shared !== undefined && { DATABASE_URL: shared }),
  }
  const own = {
    server: { WORKER: 'off' },
    worker: { WORKER: 'only', LOG_LEVEL: 'info' },
    routed: { PORT: String(ports.routed), DATABASE_URL: url },
  }
  const running = new Map<Service, ChildProcess>()
  const logs = Object.fromEntries(services.map((kind) => [kind, createWriteStream(`${dataDir}-${kind}.log`)]))
  let startsAgain = 0

  // A start may fail because the database is killed meanwhile. It is repeated, as a supervisor would do.
  const start = (kind: Service) => {
    const child = spawnCommand({ ...settings, ...own[kind] }, ['serve'])
    let started = false
    child.stdout!.on('data', (text) => (started ||= /\/api\/v2|working off/.test(String(text))))
    child.stdout!.pipe(logs[kind]!, { end: false })
    child.stderr!.pipe(logs[kind]!, { end: false })
    running.set(kind, child)
    child.once('exit', (code) => {
      if (running.get(kind) !== child) return
      if (started) return fail(new Error(`the ${kind} ended by itself with ${code}`))
      startsAgain++
      start(kind)
    })
  }

  let fail: (error: Error) => void
  /** Rejects when a process that had started ends by itself. */
  const failed = new Promise<never>((_, reject) => (fail = reject))

  const stop = async (kind: Service, signal: NodeJS.Signals) => {
    const child = running.get(kind)
    running.delete(kind)
    if (!child || child.exitCode !== null || child.signalCode !== null) return undefined
    return stopProcess(child, signal)
  }

  const isReady = async () => {
    const asked = Object.values(ports).map((port) => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))
    return (await Promise.all(asked)).every((reply) => reply?.status === 200)
  }

  const waitUntil = async (what: string, holds: () => Promise<boolean>) => {
    const end = Date.now() + readyMilliseconds
    while (!(await holds())) {
      assert.ok(Date.now() < end, `${what} after ${readyMilliseconds / 1000} s`)
      await sleep(20)
    }
  }

  /** Kills a process and starts it again. Returns the milliseconds until the service is ready. */
  const kill = async (kind: Victim): Promise<number> => {
    const begun = performance.now()
    if (kind === 'database') {
      const pid = await findServerProcess(dataDir)
      assert.ok(pid !== undefined, 'the service is ready without a database')
      process.kill(pid, 'SIGKILL')
      await waitUntil('no new database', async () => {
        const successor = await findServerProcess(dataDir)
        return successor !== undefined && successor !== pid
      })
    } else {
      await stop(kind, 'SIGKILL')
      start(kind)
    }
    await waitUntil(`not ready again after the ${kind} was killed`, isReady)
    return performance.now() - begun
  }

  return {
    settings,
    failed,
    kill,
    countStartsAgain: () => startsAgain,
    untilReady: () => waitUntil('the service is not ready', isReady),
    async start() {
      for (const kind of services) start(kind)
      await waitUntil('the service is not ready', isReady)
    },
    /** Stops the processes one after the other; the last one stops the database. Returns their exit codes. */
    async stop() {
      const codes: (number | null | undefined)[] = []
      for (const kind of services.toReversed()) codes.push(await stop(kind, 'SIGTERM'))
      return codes
    },
  }
}
