import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

/**
 * A job as the command line shows it. `waiting` for its first attempt, `running`, `retrying` after a failed attempt
 * (at `run_at`), `failed` when no attempt is left.
 */
export type Job = {
  id: string
  task: string
  state: 'waiting' | 'running' | 'retrying' | 'failed'
  attempts: number
  max_attempts: number
  run_at: string
  created_at: string
  last_error: string | null
}

type Row = Omit<Job, 'run_at' | 'created_at'> & { run_at: Date; created_at: Date }

const columns = sql`id::text, task_identifier as task, case when locked_at is not null then 'running'
  when attempts >= max_attempts then 'failed' when attempts > 0 then 'retrying' else 'waiting' end as state,
  attempts, max_attempts, run_at, created_at, last_error`

const print = (row: Row): Job => ({
  ...row,
  run_at: row.run_at.toISOString(),
  created_at: row.created_at.toISOString(),
})

/** The jobs that are not done, oldest first; only those whose last attempt failed, if asked. */
export async function listJobs(db: Database, options: { failed: boolean }): Promise<Job[]> {
  const which = options.failed ? sql`attempts > 0 and locked_at is null` : sql`true`
  const { rows } = await sql<Row>`select ${columns} from graphile_worker.jobs where ${which} order by id`.execute(db)
  return rows.map(print)
}

/**
 * Has a job run at once, with all its attempts before it again.
 * @throws Error when there is no such job, or it runs
 */
export async function retryJob(db: Database, id: string): Promise<Job> {
  const rescheduled = /^\d{1,18}$/.test(id)
    ? await sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`.execute(
        db,
      )
    : { rows: [] }
  if (rescheduled.rows.length === 0) throw new Error(`there is no job ${id} that waits or failed`)
  await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
  const { rows } = await sql<Row>`select ${columns} from graphile_worker.jobs where id = ${id}`.execute(db)
  if (!rows[0]) throw new Error(`the job ${id} is done already`)
  return print(rows[0])
}
