import cluster, { type Worker } from 'node:cluster'
import { on, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../settings/config.ts'

// How long to wait before a process that failed to start is started again.
const againMilliseconds = 1_000
const answerMilliseconds = 1_000

type Log = { error(details: object, message: string): void }

/** What a process reports: that it listens, or why it cannot. */
type Message = { hasWindow: boolean } | { refusal: string }

const has = <Name extends string>(message: unknown, name: Name): message is Record<Name, unknown> =>
  typeof message === 'object' && message !== null && name in message

const isMessage = (message: unknown): message is Message => has(message, 'hasWindow') || has(message, 'refusal')

const question = 'what have you counted?'

/** Whether this process is one of several that answer requests. */
export const isOneOfSeveral = cluster.isWorker

/** Tells the primary process that this one listens. */
export function tell(message: { hasWindow: boolean }): void {
  process.send?.(message)
}

/** Tells the primary process why this one cannot listen, and exits. The channel would keep this process alive. */
export async function refuse(error: Error): Promise<never> {
  await new Promise((sent) => process.send!({ refusal: error.message }, sent))
  process.exit(1)
}

/** Sends the counters of this process to the primary process on request. */
export function answerWith(count: () => Promise<unknown>): void {
  process.on('message', (message) => {
    if (message === question) void count().then((answer) => process.send?.({ answer }))
  })
}

const listening = new Set<Worker>()

async function ask(worker: Worker): Promise<unknown> {
  const signal = AbortSignal.timeout(answerMilliseconds)
  const messages = on(worker, 'message', { signal, close: ['exit'] })
  // A send fails only to a process that has ended. Its `exit` event follows.
  worker.send(question, () => undefined)
  try {
    for await (const [message] of messages as AsyncIterable<unknown[]>)
      if (has(message, 'answer')) return message.answer
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return undefined
}

/**
 * Asks each listening process for its counters. Returns the answers by process number: undefined if the process ends
 * meanwhile, or is silent for a second.
 */
export async function askProcesses<Answer>(): Promise<Map<number, Answer | undefined>> {
  const workers = [...listening]
  const answers = (await Promise.all(workers.map(ask))) as (Answer | undefined)[]
  return new Map(workers.map(({ id }, index) => [id, answers[index]]))
}

type OnEnd = (pid: number | undefined, code: unknown, signal: unknown) => void

/** Starts a process. `onEnd` is called if it ends after it has listened. */
async function start(onEnd: OnEnd): Promise<{ hasWindow: boolean }> {
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
  listening.add(worker)
  worker.once('exit', (code, signal) => {
    listening.delete(worker)
    onEnd(worker.process.pid, code, signal)
  })
  return message
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await ended
}

/**
 * Starts `count` processes of this program, which answer requests on one port. A process that ends is replaced: its
 * requests are lost, those of the others are not. `stop()` waits for running requests.
 * @throws ConfigError if the processes cannot listen on the address
 */
export async function startProcesses(count: number, log: Log) {
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => end(worker!)))
  }
  async function replace(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await start(noteEnd)
        return
      } catch (error) {
        if (!stopping.signal.aborted)
          log.error({ reason: (error as Error).message }, 'a process of the service cannot be started')
        await sleep(againMilliseconds)
      }
    }
  }
  function noteEnd(pid: number | undefined, code: unknown, signal: unknown) {
    if (stopping.signal.aborted) return
    log.error({ pid, code, signal }, 'a process of the service has ended and is being replaced')
    void replace()
  }
  // The primary process fills the demo house, so the others start without `--demo`.
  cluster.setupPrimary({ args: process.argv.slice(2).filter((word) => word !== '--demo') })
  try {
    const [first] = await Promise.all(Array.from({ length: count }, () => start(noteEnd)))
    return { hasWindow: first!.hasWindow, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
