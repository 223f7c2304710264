import { EventEmitter } from 'node:events'
import { Logger, runTaskList, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import { sql } from 'kysely'
import type { Database, openDatabase } from '../db/pool.ts'
import { scheduleCleaning } from '../images/clean-store.ts'
import type { MediaStore } from '../media/store.ts'
import { quickTasks, slowTasks } from './tasks.ts'

// A notification starts a job at once; polling finds those whose notification was lost, and those put off.
const pollMilliseconds = 1_000
const releaseMilliseconds = 10_000

type Log = (details: object, message: string) => void

/** What the worker writes its log lines to. */
export type WorkerLog = { error: Log; warn: Log; info: Log; debug: Log }

/**
 * Works off the job queue until `stop()`, which lets the jobs under way end. Several workers share a queue: each job
 * is done by one of them, and done again by another within half a minute of the first one's death.
 */
export async function startWorker(
  { db, pool, media }: { db: Database; pool: ReturnType<typeof openDatabase>['pool']; media: MediaStore },
  log: WorkerLog,
) {
  const run = (tasks: object, concurrency: number): WorkerPool => {
    const events: WorkerEvents = new EventEmitter()
    // The connection on which it listens bears its name for as long as it lives: see releaseJobs.
    events.on('pool:listen:success', ({ client, workerPool }) => {
      client.query(`set application_name to '${workerPool.id}'`).catch(() => undefined)
    })
    const options = { concurrency, pollInterval: pollMilliseconds, noHandleSignals: true, events, logger: adapt(log) }
    return runTaskList(options, bind(tasks, { db, media }), pool)
  }
  await scheduleCleaning(db)
  const pools = [run(slowTasks, 2), run(quickTasks, 4)]
  const release = () => releaseJobs(db).catch((error: unknown) => log.error({ err: error }, 'cannot release jobs'))
  await release()
  const timer = setInterval(() => void release(), releaseMilliseconds)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.allSettled(pools.map(async (each) => each.gracefulShutdown()))
    },
  }
}

/** Frees the jobs of workers that are connected no more: killed, or cut off. */
async function releaseJobs(db: Database): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(array_agg(locked_by)) from (
    select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '15 seconds'
      and not exists (select from pg_stat_activity where application_name = locked_by)
  ) gone having count(*) > 0`.execute(db)
}

function bind(tasks: object, stores: { db: Database; media: MediaStore }): TaskList {
  const entries = Object.entries(tasks) as [string, (context: object, payload: unknown) => Promise<void>][]
  return Object.fromEntries(
    entries.map(([name, task]) => [
      name,
      (payload, { job }) =>
        task({ ...stores, now: () => new Date(), isLastAttempt: job.attempts >= job.max_attempts }, payload),
    ]),
  )
}

function adapt(log: WorkerLog): Logger {
  return new Logger(() => (level, message, details) => {
    const err = details?.error
    log[level === 'warning' ? 'warn' : level]({ ...(err !== undefined && { err }) }, message.split('\n', 1)[0]!)
  })
}
