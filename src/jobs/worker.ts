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
import { createOutageLog, type OutageLog } from './outage.ts'
import { Postponed, type Tasks } from './queue.ts'
import { areLocked, completeReplacedJobs, releaseForgottenJobs, releaseJobs, spareAttempts } from './statements.ts'

// A notification starts a job at once. Polling finds jobs whose notification was lost, and jobs with a delay.
const pollMilliseconds = 500
const releaseMilliseconds = 5_000
const restartMilliseconds = 1_000
const recordMilliseconds = 20

type Log = (details: object, message: string) => void

// The log of the worker.
type WorkerLog = { error: Log; warn: Log; info: Log; debug: Log }

/** The tasks of the worker. `schedule` runs at its start. Quick tasks never wait for slow ones. */
export type TaskList = { slow: Tasks; quick: Tasks; schedule: (db: Database) => Promise<void> }

/** Called after every attempt of a job. */
type CountJob = (task: string, outcome: 'success' | 'failure', seconds: number) => void

/**
 * Runs the jobs of the queue until `stop()`, which waits for running jobs. Several workers can share the queue: one
 * of them runs each job. If it dies, another worker runs the job again within 15 seconds.
 */
export async function startWorker(
  { db, pool, media }: { db: Database; pool: ReturnType<typeof openDatabase>['pool']; media: MediaStore },
  tasks: TaskList,
  log: WorkerLog,
  countJob: CountJob = () => undefined,
  outage: OutageLog = createOutageLog(log),
) {
  const logFailure = (error: unknown, message: string) => {
    if (!outage.noteFailure(error)) log.error({ err: error }, message)
  }
  const own: string[] = []
  const underWay = new Set<Job>()
  const run = (chosen: Tasks, concurrency: number): WorkerPool => {
    const events: WorkerEvents = new EventEmitter()
    // The listening connection has the worker's name as long as the worker lives: see releaseJobs. The event comes
    // before the driver can take another statement.
    let naming: NodeJS.Timeout | undefined
    events.on('pool:listen:success', ({ client, workerPool }) => {
      const name = () => client.query(`set application_name to '${workerPool.id}'`).catch(() => undefined)
      naming = setTimeout(() => void name(), pollMilliseconds)
    })
    events.on('pool:listen:release', () => clearTimeout(naming))
    events.on('pool:create', ({ workerPool }) => own.push(workerPool.id))
    events.on('job:start', ({ job }) => underWay.add(job))
    // The library records the end of a job after this event.
    events.on('job:complete', ({ job }) => setTimeout(() => underWay.delete(job), releaseMilliseconds).unref())
    const options = {
      concurrency,
      pollInterval: pollMilliseconds,
      noHandleSignals: true,
      events,
      logger: adapt(log, outage),
    }
    return runTaskList(options, bind(chosen, { db, media }, countJob), pool)
  }
  await tasks.schedule(db)
  const runners = [
    keepRunning(() => run(tasks.slow, 2), logFailure),
    keepRunning(() => run(tasks.quick, 4), logFailure),
  ]
  const release = async () => {
    try {
      // A job is forgotten if the database was lost before it answered with the job, or before the end of the job was
      // recorded. Such an attempt does not count, because it may never have begun.
      await releaseForgottenJobs(
        db,
        own,
        Array.from(underWay, (job) => job.id),
      )
      await releaseJobs(db)
      await completeReplacedJobs(db)
      outage.noteSuccess()
    } catch (error) {
      logFailure(error, 'cannot unlock jobs of lost workers')
    }
  }
  await release()
  const timer = setInterval(() => void release(), releaseMilliseconds)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(runners.map((runner) => runner.stop()))
      await waitForEnds(db, own, underWay).catch((error: unknown) =>
        logFailure(error, 'cannot check whether the ends of jobs are recorded'),
      )
    },
  }
}

// A runner ends when it loses the database. A new one is started until the database is back.
function keepRunning(start: () => WorkerPool, logFailure: (error: unknown, message: string) => void) {
  const stopping = new AbortController()
  let current = start()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await Promise.resolve(current.promise).catch((error: unknown) =>
        logFailure(error, 'the worker has lost the database and starts again'),
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

// The library ends before it has recorded the end of its last job. An ending pool drops statements that wait for a
// connection.
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
        const context = { ...stores, clock: () => new Date(), isLastAttempt: job.attempts >= job.max_attempts }
        await task(context, payload).catch(async (error: unknown) => {
          count('failure')
          if (error instanceof Postponed) await spareAttempts(stores.db, job.id)
          throw error
        })
        count('success')
      },
    ]),
  )
}

function adapt(log: WorkerLog, outage: OutageLog): Logger {
  return new Logger(() => (level, message, details) => {
    const err: unknown = details?.error ?? details?.fatalError
    if (err !== undefined && outage.noteFailure(err)) return
    const name = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const
    log[name[level]]({ ...(err !== undefined && { err }) }, message.split('\n', 1)[0]!)
  })
}
