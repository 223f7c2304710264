import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentOf, findServerProcess, spawnCommand, stopProcess } from '../../test/support/process.ts'
import type { Answer, Message } from './instance.ts'
import type { Done, Order } from './orders.ts'

const readyMilliseconds = 300_000

/**
 * What became of an order. `unknown`: the database or the instance was lost. `begun`, `ended`: by the machine's clock.
 * Milliseconds.
 */
export type Outcome = { begun: number; ended: number } & ({ done: Done } | { refused: string } | { unknown: string })

/** An instance with a clock of its own. */
export type Instance = ReturnType<typeof openInstance>

function openInstance(port: number, settings: Record<string, string>, log: string, fail: (error: Error) => void) {
  const program = path.join(import.meta.dirname, 'instance.ts')
  const output = createWriteStream(log, { flags: 'a' })
  const pending = new Map<number, (answer: Answer | undefined) => void>()
  let [orders, minutes] = [0, 0]
  let running: ChildProcess | undefined
  let isStarted = false

  // A start may fail because the database is killed meanwhile. It is repeated, as a supervisor would do.
  function start() {
    const child = fork(program, {
      env: environmentOf({ ...settings, PORT: String(port) }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout!, child.stderr!]) stream.pipe(output, { end: false })
    running = child
    child.on('message', (message: 'started' | Answer) => {
      if (message === 'started') isStarted = true
      else pending.get(message.id)?.(message)
    })
    child.once('exit', (code) => {
      for (const settle of pending.values()) settle(undefined)
      if (running !== child) return
      if (isStarted) fail(new Error(`an instance ended by itself with ${code}: see ${log}`))
      else start()
    })
    tell(child, { minutes })
  }

  const tell = (child: ChildProcess, message: Message) => child.send(message, () => undefined)

  return {
    port,
    start,
    get isStarted() {
      return isStarted
    },
    /** Sets the clock: so many minutes ahead. */
    setClock(ahead: number) {
      minutes = ahead
      tell(running!, { minutes })
    },
    async ask(order: Order): Promise<Outcome> {
      const id = orders++
      const begun = Date.now()
      const answer = await new Promise<Answer | undefined>((settle) => {
        pending.set(id, settle)
        running!.send({ id, order } satisfies Message, (error) => error && settle(undefined))
      })
      pending.delete(id)
      const ended = Date.now()
      if (!answer) return { begun, ended, unknown: 'the instance was killed' }
      if ('fault' in answer) {
        const error = new Error(`${JSON.stringify(order)}: ${answer.fault}`)
        fail(error)
        throw error
      }
      return { begun, ended, ...answer }
    },
    async isReady(): Promise<boolean> {
      if (!isStarted) return false
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      return reply?.status === 200
    },
    async stop(signal: NodeJS.Signals) {
      const child = running!
      ;[running, isStarted] = [undefined, false]
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      child.kill(signal)
      await ended
    },
  }
}

/** The processes that can be killed. */
export type Victim = 'instance' | 'worker' | 'database'

/**
 * Instances at these ports with a worker each, and a worker of its own, on the database at `url`. The database's files are in
 * `folder`, and another process restarts it.
 */
export function openProcesses(folder: string, url: string, ports: number[]) {
  let fail: (error: Error) => void
  /** Rejects when a process ends by itself, or an instance meets an error that must not happen. */
  const failed = new Promise<never>((_, reject) => (fail = reject))
  failed.catch(() => undefined)
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: path.join(folder, 'data'),
    SECRET: 'the same on all of the processes',
    PUBLIC_URL: 'http://catalogue.test',
    RATE_LIMIT_PER_MINUTE: '0',
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
  }
  const all = ports.map((port) =>
    openInstance(port, settings, path.join(folder, `${port}.log`), (error) => fail(error)),
  )
  const workerLog = createWriteStream(path.join(folder, 'worker.log'), { flags: 'a' })
  let worker: ChildProcess | undefined

  function startWorker() {
    const child = spawnCommand({ ...settings, WORKER: 'only', LOG_LEVEL: 'info' }, ['serve'])
    let started = false
    child.stdout!.on('data', (text) => (started ||= String(text).includes('working off')))
    for (const stream of [child.stdout!, child.stderr!]) stream.pipe(workerLog, { end: false })
    worker = child
    child.once('exit', (code) => {
      if (worker !== child) return
      if (started) fail(new Error(`the worker ended by itself with ${code}`))
      else startWorker()
    })
  }

  async function waitUntil(what: string, holds: () => Promise<boolean>) {
    const end = Date.now() + readyMilliseconds
    while (!(await holds())) {
      assert.ok(Date.now() < end, `${what} after ${readyMilliseconds / 1000} s`)
      await sleep(50)
    }
  }

  const untilReady = () =>
    waitUntil('the instances are not ready', async () =>
      (await Promise.all(all.map((instance) => instance.isReady()))).every(Boolean),
    )

  async function stopWorker(signal: NodeJS.Signals) {
    const child = worker
    worker = undefined
    if (child && child.exitCode === null && child.signalCode === null) await stopProcess(child, signal)
  }

  return {
    all,
    failed,
    untilReady,
    async start() {
      for (const instance of all) instance.start()
      startWorker()
      await untilReady()
    },
    /** Kills a process. Returns when the instances are ready again. */
    async kill(victim: Victim, choice: number) {
      if (victim === 'instance') {
        const instance = all[choice % all.length]!
        await instance.stop('SIGKILL')
        instance.start()
      } else if (victim === 'worker') {
        await stopWorker('SIGKILL')
        startWorker()
      } else {
        const pid = await findServerProcess(folder)
        assert.ok(pid !== undefined, 'the instances are ready without a database')
        process.kill(pid, 'SIGKILL')
        await waitUntil('no new database', async () => {
          const successor = await findServerProcess(folder)
          return successor !== undefined && successor !== pid
        })
      }
      await untilReady()
    },
    async stop() {
      await stopWorker('SIGTERM')
      for (const instance of all) await instance.stop('SIGKILL').catch(() => undefined)
    },
  }
}

/** See `openProcesses`. */
export type Processes = ReturnType<typeof openProcesses>
