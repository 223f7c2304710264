import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Logger,
  runTaskList,
  type Job,
  type TaskList as Handlers,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker'
import type { Database, openDatabase } from '../db/pool.ts'
import type { MediaStore } from '../media/store.ts'
import type { Tasks } from './queue.ts'
import { areLocked, completeReplacedJobs, releaseForgottenJobs, releaseJobs } from './statements.ts'

// A notification starts a job at once; polling finds those whose notification was lost, and those put off.
const pollMilliseconds = 500
const releaseMilliseconds = 5_000
const restartMilliseconds = 1_000
const recordMilliseconds = 20

type Log = (details: object, message: string) => void

/** What the worker writes its log lines to. */
export type WorkerLog = { error: Log; warn: Log; info: Log; debug: Log }

/** What the worker can do, and what it puts into the queue when it starts. Quick tasks never wait behind slow ones. */
export type TaskList = { slow: Tasks; quick: Tasks; schedule: (db: Database) => Promise<void> }

/** Is told of every attempt of a job. */
type CountJob = (task: string, outcome: 'success' | 'failure', seconds: number) => void

/**
 * Works off the job queue until `stop()`, which lets the jobs under way end. Several workers share a queue: each job
 * is done by one of them, and done again by another within a quarter of a minute of the first one's death.
 */
export async function startWorker(
  { db, pool, media }: { db: Database; pool: ReturnType<typeof openDatabase>['pool']; media: MediaStore },
  tasks: TaskList,
  log: WorkerLog,
  countJob: CountJob = () => undefined,
) {
  const own: string[] = []
  const underWay = new Set<Job>()
  const run = (chosen: Tasks, concurrency: number): WorkerPool => {
    const events: WorkerEvents = new EventEmitter()
    // The connection on which it listens bears its name for as long as it lives: see releaseJobs. The event comes
    // before the driver is free for another statement.
    let naming: NodeJS.Timeout | undefined
    events.on('pool:listen:success', ({ client, workerPool }) => {
      const name = () => client.query(`set application_name to '${workerPool.id}'`).catch(() => undefined)
      naming = setTimeout(() => void name(), pollMilliseconds)
    })
    events.on('pool:listen:release', () => clearTimeout(naming))
    events.on('pool:create', ({ workerPool }) => own.push(workerPool.id))
    events.on('job:start', ({ job }) => underWay.add(job))
    // Its end is recorded after the event.
    events.on('job:complete', ({ job }) => setTimeout(() => underWay.delete(job), releaseMilliseconds).unref())
    const options = { concurrency, pollInterval: pollMilliseconds, noHandleSignals: true, events, logger: adapt(log) }
    return runTaskList(options, bind(chosen, { db, media }, countJob), pool)
  }
  await tasks.schedule(db)
  const runners = [keepRunning(() => run(tasks.slow, 2), log), keepRunning(() => run(tasks.quick, 4), log)]
  const release = async () => {
    try {
      // Forgotten jobs: the database went away before it answered with the job, or before the job's end was recorded.
      // Such an attempt does not count: the last one may never have begun.
      await releaseForgottenJobs(
        db,
        own,
        Array.from(underWay, (job) => job.id),
      )
      await releaseJobs(db)
      await completeReplacedJobs(db)
    } catch (error) {
      log.error({ err: error }, 'cannot release jobs')
    }
  }
  await release()
  const timer = setInterval(() => void release(), releaseMilliseconds)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(runners.map((runner) => runner.stop()))
      await waitForEnds(db, own, underWay).catch((error: unknown) => log.error({ err: error }, 'cannot end jobs'))
    },
  }
}

// A runner gives up when it loses the database; another takes its place until the database is back.
function keepRunning(start: () => WorkerPool, log: WorkerLog) {
  const stopping = new AbortController()
  let current = start()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await Promise.resolve(current.promise).catch((error: unknown) =>
        log.error({ err: error }, 'the worker starts again'),
      )
      await sleep(restartMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted) current = start()
    }
  }
  const ended = run()
  return {
    async stop() {
      stopping.abort()
      await Promise.allSettled([current.gracefulShutdown()])
      await ended
    },
  }
}

// The library ends with its last job, not when that is recorded; a pool that ends forgets who waits for a connection.
async function waitForEnds(db: Database, own: string[], underWay: Set<Job>): Promise<void> {
  const ids = () => Array.from(underWay, (job) => job.id)
  while (await areLocked(db, own, ids())) await sleep(recordMilliseconds)
}

function bind(tasks: Tasks, stores: { db: Database; media: MediaStore }, countJob: CountJob): Handlers {
  const entries = Object.entries(tasks) as [string, (context: object, payload: unknown) => Promise<void>][]
  return Object.fromEntries(
    entries.map(([name, task]) => [
      name,
      async (payload, { job }) => {
        const began = performance.now()
        const count = (outcome: 'success' | 'failure') => countJob(name, outcome, (performance.now() - began) / 1000)
        const context = { ...stores, now: () => new Date(), isLastAttempt: job.attempts >= job.max_attempts }
        await task(context, payload).catch((error: unknown) => {
          count('failure')
          throw error
        })
        count('success')
      },
    ]),
  )
}

function adapt(log: WorkerLog): Logger {
  return new Logger(() => (level, message, details) => {
    const err = details?.error
    const name = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const
    log[name[level]]({ ...(err !== undefined && { err }) }, message.split('\n', 1)[0]!)
  })
}
