import { sql } from 'kysely'
import { isCitus } from '../db/citus.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Database } from '../db/pool.ts'

// The queue is graphile-worker's. The builder's types do not know its tables.

/** A job that is not done. */
export type StoredJob = {
  id: string
  task: string
  state: 'waiting' | 'running' | 'retrying' | 'failed'
  attempts: number
  max_attempts: number
  run_at: Date
  created_at: Date
  last_error: string | null
  /** How far it is, such as `40 of 162`; null if it does not tell. */
  progress: string | null
}

const columns = sql`id::text, task_identifier as task, case when locked_at is not null then 'running'
  when attempts >= max_attempts then 'failed' when attempts > 0 then 'retrying' else 'waiting' end as state,
  attempts, max_attempts, run_at, created_at, last_error,
  (select (payload ->> 'done') || ' of ' || (payload ->> 'all') from graphile_worker._private_jobs own where own.id = jobs.id) as progress`

/** The jobs that are not done, oldest first. `failed`: only those whose last attempt failed. */
export async function findJobs(db: Database, options: { failed: boolean }): Promise<StoredJob[]> {
  const which = options.failed ? sql`attempts > 0 and locked_at is null` : sql`true`
  const { rows } = await sql<StoredJob>`
    select ${columns} from graphile_worker.jobs where ${which} order by id`.execute(db)
  return rows
}

/** The job with this id, unless it is done. */
export async function findJob(db: Database, id: string): Promise<StoredJob | undefined> {
  const { rows } = await sql<StoredJob>`select ${columns} from graphile_worker.jobs where id = ${id}`.execute(db)
  return rows[0]
}

/** How many jobs are due, by task, and how many seconds the oldest of each has waited. */
export async function countDueJobs(db: Database): Promise<{ task: string; jobs: number; seconds: number }[]> {
  const { rows } = await sql<{ task: string; jobs: number; seconds: number }>`
    select task_identifier as task, count(*)::int as jobs, extract(epoch from max(now() - run_at))::float8 as seconds
    from graphile_worker.jobs where run_at <= now() and attempts < max_attempts group by task_identifier`.execute(db)
  return rows
}

/** Makes a job due now, with all its attempts. False if there is no such job, or it is running. */
export async function rescheduleJob(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`.execute(db)
  return rows.length > 0
}

/** Tells the workers that a job can start. */
export async function notifyWorkers(db: Database): Promise<void> {
  await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
}

// Citus does not see writes to the queue, and would commit the records on their worker first. If the coordinator died
// then, the job would be lost. A write to a table that Citus knows makes it commit in two phases.
async function commitTogether(db: Database): Promise<void> {
  if (await isCitus(db)) await sql`delete from catalogue.queue_writes`.execute(db)
}

/** Adds a job that starts `delay` milliseconds after `due`, or after now. It replaces the waiting one with its key. */
export async function addJob(
  db: Database,
  job: {
    task: string
    payload: object
    key: string | undefined
    maxAttempts: number
    due: Date | undefined
    delay: number
    keepTime: boolean
    priority: number
  },
): Promise<void> {
  await commitTogether(db)
  await sendAhead(
    db,
    sql`select graphile_worker.add_job(${job.task}::text, payload => ${JSON.stringify(job.payload)}::json,
    job_key => ${job.key ?? null}::text, max_attempts => ${job.maxAttempts}::int,
    run_at => coalesce(${job.due ?? null}::timestamptz, clock_timestamp()) + ${job.delay}::float8 * interval '1 millisecond', priority => ${job.priority}::int,
    job_key_mode => ${job.keepTime ? 'preserve_run_at' : 'replace'}::text)`,
  )
}

/**
 * The priority of the next rendition with such a key: the turn after the last waiting one, or the others' present
 * one.
 */
export async function findTurn(db: Database, keyPrefix: string): Promise<number> {
  const { rows } = await sql<{ turn: number }>`
    select coalesce(greatest(max(priority) filter (where starts_with(key, ${keyPrefix})) + 1, min(priority)), 0) as turn
    from graphile_worker.jobs
    where task_identifier = 'derive_renditions' and attempts < max_attempts and run_at <= now()`.execute(db)
  return rows[0]!.turn
}

/** Whether a worker makes renditions now. An older lock is that of a worker that was killed. */
export async function isMakingRenditions(db: Database): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from graphile_worker.jobs where locked_at > now() - interval '3 minutes'
      and task_identifier in ('derive_renditions', 'draw_demo_picture')) as busy`.execute(db)
  return rows[0]!.busy
}

/** Whether one of these runners still has one of the jobs locked. */
export async function areLocked(db: Database, runners: string[], jobs: string[]): Promise<boolean> {
  const { rows } = await sql`select from graphile_worker._private_jobs
    where locked_by = any(${runners}::text[]) and id = any(${jobs}::bigint[])`.execute(db)
  return rows.length > 0
}

/** Unlocks the jobs of these runners that are not among `underWay`. The attempt does not count. */
export async function releaseForgottenJobs(db: Database, runners: string[], underWay: string[]): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_by = null, locked_at = null, run_at = greatest(run_at, now()),
      attempts = greatest(attempts - 1, 0)
    where locked_by = any(${runners}::text[]) and locked_at < now() - interval '5 seconds'
      and id <> all(${underWay}::bigint[])`.execute(db)
}

/** Leaves a job at least two attempts after the current one. */
export async function spareAttempts(db: Database, id: string): Promise<void> {
  await sql`update graphile_worker._private_jobs set attempts = least(attempts, max_attempts - 2)
    where id = ${id}::bigint`.execute(db)
}

/** Unlocks the jobs of workers that are no longer connected, because they were killed or cut off. */
export async function releaseJobs(db: Database): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(array_agg(locked_by)) from (
    select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '5 seconds'
      and not exists (select from pg_stat_activity where application_name = locked_by)
  ) gone having count(*) > 0`.execute(db)
}

/**
 * Completes jobs that were replaced while they ran. Such a job has lost its key and its attempts, and its successor
 * does the work. A deletion of files never has a key, so it stays.
 */
export async function completeReplacedJobs(db: Database): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where locked_at is null and attempts >= max_attempts and key is null and task_identifier <> 'delete_media'
    having count(*) > 0`.execute(db)
}
