import type { Database } from '../db/pool.ts'
import { programName } from '../values/program.ts'
import { findJob, findJobs, notifyWorkers, rescheduleJob, type StoredJob } from './statements.ts'

/**
 * A job as the command line shows it. `waiting`: for its first attempt. `retrying`: an attempt failed, the next one is at
 * `run_at`. `failed`: no attempt is left.
 */
export type Job = Omit<StoredJob, 'run_at' | 'created_at'> & { run_at: string; created_at: string }

const print = (job: StoredJob): Job => ({
  ...job,
  run_at: job.run_at.toISOString(),
  created_at: job.created_at.toISOString(),
})

/** The jobs that are not done, oldest first. `failed`: only those whose last attempt failed. */
export async function listJobs(db: Database, options: { failed: boolean }): Promise<Job[]> {
  return (await findJobs(db, options)).map(print)
}

/**
 * Runs a job at once, with all its attempts again.
 * @throws Error if there is no such job, or it is running
 */
export async function retryJob(db: Database, id: string): Promise<Job> {
  const rescheduled = /^\d{1,18}$/.test(id) && (await rescheduleJob(db, id))
  if (!rescheduled)
    throw new Error(`there is no job ${id} that is waiting, retrying or failed (see: ${programName} jobs list)`)
  await notifyWorkers(db)
  const job = await findJob(db, id)
  if (!job) throw new Error(`the job ${id} is done already`)
  return print(job)
}
