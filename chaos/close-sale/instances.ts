import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { environmentOf, spawnCommand } from '../../test/support/process.ts'
import { isReady, killServer, supervise, waitUntil } from '../lib/processes.ts'
import type { Answer, Message } from './instance.ts'
import type { Done, Order } from './orders.ts'

/**
 * What became of an order. `unknown`: the database or the instance was lost. `begun`, `ended`: by the machine's clock.
 * Milliseconds.
 */
export type Outcome = { begun: number; ended: number } & ({ done: Done } | { refused: string } | { unknown: string })

/** An instance with a clock of its own. */
export type Instance = ReturnType<typeof openInstance>

function openInstance(port: number, settings: Record<string, string>, log: string, fail: (error: Error) => void) {
  const program = path.join(import.meta.dirname, 'instance.ts')
  const pending = new Map<number, (answer: Answer | undefined) => void>()
  let [orders, minutes] = [0, 0]

  const spawn = () => {
    const env = environmentOf({ ...settings, PORT: String(port) })
    const child = fork(program, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    child.on('message', (answer: Answer) => pending.get(answer.id)?.(answer))
    child.once('exit', () => {
      for (const settle of pending.values()) settle(undefined)
    })
    tell(child, { minutes })
    return child
  }
  const running = supervise(spawn, /the instance has started/, log, fail)
  const tell = (child: ChildProcess, message: Message) => child.send(message, () => undefined)

  return {
    port,
    running,
    /** Sets the clock: so many minutes ahead. */
    setClock(ahead: number) {
      minutes = ahead
      tell(running.child!, { minutes })
    },
    async ask(order: Order): Promise<Outcome> {
      const id = orders++
      const begun = Date.now()
      const answer = await new Promise<Answer | undefined>((settle) => {
        pending.set(id, settle)
        running.child!.send({ id, order } satisfies Message, (error) => error && settle(undefined))
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
    isReady: async () => running.isStarted && (await isReady(port)),
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
  const spawnWorker = () => spawnCommand({ ...settings, WORKER: 'only', LOG_LEVEL: 'info' }, ['serve'])
  const worker = supervise(spawnWorker, /working off/, path.join(folder, 'worker.log'), (error) => fail(error))
  const untilReady = () =>
    waitUntil('the instances are not ready', async () =>
      (await Promise.all(all.map((instance) => instance.isReady()))).every(Boolean),
    )

  return {
    all,
    failed,
    untilReady,
    async start() {
      for (const { running } of all) running.start()
      worker.start()
      await untilReady()
    },
    /** Kills a process. Returns when the instances are ready again. */
    async kill(victim: Victim, choice: number) {
      if (victim === 'database') await killServer(folder)
      else await (victim === 'worker' ? worker : all[choice % all.length]!.running).kill()
      await untilReady()
    },
    async stop() {
      await worker.stop('SIGTERM')
      for (const { running } of all) await running.stop('SIGKILL').catch(() => undefined)
    },
  }
}

/** See `openProcesses`. */
export type Processes = ReturnType<typeof openProcesses>
