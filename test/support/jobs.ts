import type { Database } from '../../src/db/pool.ts'
import { listJobs, type Job } from '../../src/jobs/jobs.ts'

const recurring = ['clean_store', 'forget_answers']

/** The jobs that are not done, but those that come back by themselves. */
export async function findUnfinished(db: Database): Promise<Job[]> {
  return (await listJobs(db, { failed: false })).filter(({ task }) => !recurring.includes(task))
}
