import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

// The tables of the queue belong to graphile-worker, which migrates them itself. So an archive has the jobs as
// arguments of add_job.

/** The COPY that reads the unfinished jobs, oldest first. A running attempt does not count. */
export const copyJobsOut = sql`copy (
  select j.task_identifier, p.payload, j.key, j.priority, j.run_at, j.max_attempts,
    greatest(j.attempts - (j.locked_at is not null)::int, 0), j.last_error, j.created_at
  from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id order by j.id) to stdout`

/** The COPY that writes them into the table of `prepareJobs`. */
export const copyJobsIn = sql`copy restored_jobs
  (task, payload, key, priority, run_at, max_attempts, attempts, last_error, created_at) from stdin`

/** Makes the table for `copyJobsIn`. It is dropped at the end of the transaction. */
export async function prepareJobs(tx: Database): Promise<void> {
  await sql`create temporary table restored_jobs (place bigint generated always as identity, task text, payload json, key text,
    priority int, run_at timestamptz, max_attempts int, attempts int, last_error text, created_at timestamptz) on commit drop`.execute(
    tx,
  )
}

/** Adds the copied jobs to the queue, each in its state. */
export async function addJobs(tx: Database): Promise<void> {
  await sql`create temporary table added_jobs on commit drop as
    select added.id, j.attempts, j.last_error, j.created_at from (select * from restored_jobs order by place) j,
      lateral graphile_worker.add_job(j.task, payload => j.payload, job_key => j.key, max_attempts => j.max_attempts,
        run_at => j.run_at, priority => j.priority) added`.execute(tx)
  await sql`update graphile_worker._private_jobs jobs
    set attempts = added.attempts, last_error = added.last_error, created_at = added.created_at
    from added_jobs added where jobs.id = added.id`.execute(tx)
}
