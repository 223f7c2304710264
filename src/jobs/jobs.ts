import type { Database } from '../db/pool.ts'
import { findJob, findJobs, notifyWorkers, rescheduleJob, type StoredJob } from './statements.ts'

/**
 * A job as the command line shows it. `waiting` for its first attempt, `running`, `retrying` after a failed attempt
 * (at `run_at`), `failed` when no attempt is left.
 */
export type Job = Omit<StoredJob, 'run_at' | 'created_at'> & { run_at: string; created_at: string }

const print = (job: StoredJob): Job => ({
  ...job,
  run_at: job.run_at.toISOString(),
  created_at: job.created_at.toISOString(),
})

/** The jobs that are not done, oldest first; only those whose last attempt failed, if asked. */
export async function listJobs(db: Database, options: { failed: boolean }): Promise<Job[]> {
  return (await findJobs(db, options)).map(print)
}

/**
 * Has a job run at once, with all its attempts before it again.
 * @throws Error when there is no such job, or it runs
 */
export async function retryJob(db: Database, id: string): Promise<Job> {
  const rescheduled = /^\d{1,18}$/.test(id) && (await rescheduleJob(db, id))
  if (!rescheduled) throw new Error(`there is no job ${id} that waits or failed`)
  await notifyWorkers(db)
  const job = await findJob(db, id)
  if (!job) throw new Error(`the job ${id} is done already`)
  return print(job)
}
