import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from './config.ts'

// A process that cannot be started is tried again at this pace.
const againMilliseconds = 1_000

type Log = { error(details: object, message: string): void }

/** What a process says when it listens, or why it cannot. */
type Message = { hasWindow: boolean } | { refusal: string }

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && ('hasWindow' in message || 'refusal' in message)

/** Whether another process has started this one, to answer requests beside others. */
export const isOneOfSeveral = cluster.isWorker

/** Tells the process that has started this one that it listens, or why it cannot. */
export function tell(message: Message): void {
  process.send?.(message)
}

async function start(): Promise<{ hasWindow: boolean }> {
  const worker = cluster.fork()
  const told = new Promise<Message>((resolve) =>
    worker.on('message', (message: unknown) => isMessage(message) && resolve(message)),
  )
  const ended = once(worker, 'exit').then(([code, signal]: unknown[]): Message => {
    throw new Error(`it ended at its start: ${String(signal ?? code)}`)
  })
  const message = await Promise.race([told, ended])
  ended.catch(() => undefined)
  if ('refusal' in message) throw new ConfigError(message.refusal)
  return message
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await ended
}

/**
 * Starts so many processes of this program. They answer requests on one port. One that ends is replaced: its requests are
 * lost, those of the others are not. `stop()` lets requests finish.
 * @throws ConfigError if they cannot listen on the address
 */
export async function startProcesses(count: number, log: Log) {
  let isStopping = false
  const stop = async () => {
    isStopping = true
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => end(worker!)))
  }
  async function replace(): Promise<void> {
    while (!isStopping) {
      try {
        await start()
        return
      } catch (error) {
        if (!isStopping) log.error({ reason: (error as Error).message }, 'a process of the service cannot be started')
        await sleep(againMilliseconds)
      }
    }
  }
  // What the others find in the database, this one has put there.
  cluster.setupPrimary({ args: process.argv.slice(2).filter((word) => word !== '--demo') })
  try {
    const [first] = await Promise.all(Array.from({ length: count }, start))
    cluster.on('exit', ({ process: { pid } }, code, signal) => {
      if (isStopping) return
      log.error({ pid, code, signal }, 'a process of the service has ended, and another takes its place')
      void replace()
    })
    return { hasWindow: first!.hasWindow, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
