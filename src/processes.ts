import cluster, { type Worker } from 'node:cluster'
import { on, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from './config.ts'

// A process that cannot be started is tried again at this pace.
const againMilliseconds = 1_000
const answerMilliseconds = 1_000

type Log = { error(details: object, message: string): void }

/** What a process says when it listens, or why it cannot. */
type Message = { hasWindow: boolean } | { refusal: string }

const has = <Name extends string>(message: unknown, name: Name): message is Record<Name, unknown> =>
  typeof message === 'object' && message !== null && name in message

const isMessage = (message: unknown): message is Message => has(message, 'hasWindow') || has(message, 'refusal')

const question = 'what have you counted?'

/** Whether another process has started this one, to answer requests beside others. */
export const isOneOfSeveral = cluster.isWorker

/** Tells the process that has started this one that it listens. */
export function tell(message: { hasWindow: boolean }): void {
  process.send?.(message)
}

/** Tells the process that has started this one why it cannot listen, and ends. The channel to it would keep it alive. */
export async function refuse(error: Error): Promise<never> {
  await new Promise((sent) => process.send!({ refusal: error.message }, sent))
  process.exit(1)
}

/** Gives the process that has started this one what it has counted, each time it asks. */
export function answerWith(count: () => Promise<unknown>): void {
  process.on('message', (message) => {
    if (message === question) void count().then((answer) => process.send?.({ answer }))
  })
}

const listening = new Set<Worker>()

async function ask(worker: Worker): Promise<unknown> {
  const signal = AbortSignal.timeout(answerMilliseconds)
  const messages = on(worker, 'message', { signal, close: ['exit'] })
  // What nothing can be sent to has ended, and its exit comes.
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
 * Asks each process that listens what it has counted. Gives the answers by number of the process; undefined is the answer of
 * one that ends meanwhile, or says nothing within a second.
 */
export async function askProcesses<Answer>(): Promise<Map<number, Answer | undefined>> {
  const workers = [...listening]
  const answers = (await Promise.all(workers.map(ask))) as (Answer | undefined)[]
  return new Map(workers.map(({ id }, index) => [id, answers[index]]))
}

type OnEnd = (pid: number | undefined, code: unknown, signal: unknown) => void

/** Starts a process. `onEnd` hears of its end once it has listened. */
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
 * Starts so many processes of this program. They answer requests on one port. One that ends is replaced: its requests are
 * lost, those of the others are not. `stop()` lets requests finish.
 * @throws ConfigError if they cannot listen on the address
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
    log.error({ pid, code, signal }, 'a process of the service has ended, and another takes its place')
    void replace()
  }
  // What the others find in the database, this one has put there.
  cluster.setupPrimary({ args: process.argv.slice(2).filter((word) => word !== '--demo') })
  try {
    const [first] = await Promise.all(Array.from({ length: count }, () => start(noteEnd)))
    return { hasWindow: first!.hasWindow, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
