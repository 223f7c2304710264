import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Answer, Task } from './worker.ts'

type Call = { resolve: (answer: Answer) => void; reject: (error: unknown) => void }

/** The thread of the indexes. It begins with the first task, and keeps the process alive only while a task is under way. */
export class Engine {
  readonly #calls = new Map<number, Call>()
  readonly #onLoss: () => void
  #worker: Worker | undefined
  #last = 0
  /** Whether `close` was called. */
  isClosed = false

  /** `onLoss`: called when the thread has ended by itself, and all indexes with it. */
  constructor(onLoss: () => void) {
    this.#onLoss = onLoss
  }

  #start(): Worker {
    const file = `worker${path.extname(import.meta.filename)}`
    const worker = new Worker(path.join(import.meta.dirname, file))
    worker.on('message', (answer: Answer) => {
      const call = this.#calls.get(answer.id)
      this.#calls.delete(answer.id)
      if (this.#calls.size === 0) worker.unref()
      if (answer.error === undefined) call?.resolve(answer)
      else call?.reject(answer.error)
    })
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the thread of the search has ended')))
    return worker
  }

  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    this.#onLoss()
    for (const { reject } of calls) reject(error)
  }

  /**
   * Has a task carried out. Tasks of one house are carried out in their order.
   * @throws Error if the thread has ended
   */
  async run(task: Task): Promise<Answer> {
    if (this.isClosed) throw new Error('the search has ended')
    this.#worker ??= this.#start()
    this.#worker.ref()
    const id = (this.#last += 1)
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject })
      this.#worker!.postMessage({ id, task })
    })
  }

  /** Ends the thread for good, and with it all tasks. */
  async close(): Promise<void> {
    this.isClosed = true
    const worker = this.#worker
    if (!worker) return
    this.#lose(worker, new Error('the search has ended'))
    await worker.terminate()
  }
}
