import path from 'node:path'
import { spawnCommand } from '../../test/support/process.ts'
import { superviseInstance, type Answer } from '../lib/instances.ts'
import { killServer, supervise, untilReady, waitUntil } from '../lib/processes.ts'
import type { Clock } from './instance.ts'
import type { Done, Order } from './orders.ts'

/** What became of an order. `begun`, `ended`: by the machine's clock. Milliseconds. */
export type Outcome = { begun: number; ended: number } & Exclude<Answer<Done>, { fault: string }>

/**
 * Instances at these ports with a worker and a clock each, and a worker of its own, on the database at `url`. The
 * database's files are in `folder`, and another process restarts it.
 */
export function openProcesses(folder: string, url: string, ports: number[]) {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: path.join(folder, 'data'),
    SECRET: 'the same on all of the processes',
    PUBLIC_URL: 'http://catalogue.test',
    RATE_LIMIT_PER_MINUTE: '0',
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
  }

  function openInstance(port: number) {
    const program = path.join(import.meta.dirname, 'instance.ts')
    const own = { ...settings, PORT: String(port), CLOCK_MINUTES: '0' }
    const running = superviseInstance<Done>(program, own, path.join(folder, `${port}.log`), fail)
    return {
      running,
      /** Sets the clock: so many minutes ahead. */
      setClock(minutes: number) {
        own.CLOCK_MINUTES = String(minutes)
        void running.carryOut({ minutes } satisfies Clock)
      },
      async ask(order: Order): Promise<Outcome> {
        const begun = Date.now()
        const answer = await running.carryOut(order)
        if (!('fault' in answer)) return { begun, ended: Date.now(), ...answer }
        const error = new Error(`${JSON.stringify(order)}: ${answer.fault}`)
        fail(error)
        throw error
      },
    }
  }

  const all = ports.map(openInstance)
  const spawnWorker = () => spawnCommand({ ...settings, WORKER: 'only', LOG_LEVEL: 'info' }, ['serve'])
  const worker = supervise(spawnWorker, /working off/, path.join(folder, 'worker.log'), fail)

  async function areReady(): Promise<void> {
    await waitUntil('the instances have not started', async () => all.every(({ running }) => running.isStarted))
    await untilReady(ports)
  }

  return {
    all,
    /** Rejects when a process ends by itself, or an instance meets an error that must not happen. */
    failed,
    async start() {
      for (const { running } of all) running.start()
      worker.start()
      await areReady()
    },
    /** Kills a process. Returns when the instances are ready again. */
    async kill(victim: 'instance' | 'worker' | 'database', choice: number) {
      if (victim === 'database') await killServer(folder)
      else await (victim === 'worker' ? worker : all[choice]!.running).kill()
      await areReady()
    },
    async stop() {
      await worker.stop('SIGTERM')
      for (const { running } of all) await running.stop('SIGKILL').catch(() => undefined)
    },
  }
}

/** See `openProcesses`. */
export type Processes = ReturnType<typeof openProcesses>
