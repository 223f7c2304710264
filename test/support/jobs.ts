import { createTasks } from '../../src/tasks.ts'
import { listJobs, type Job } from '../../src/jobs/jobs.ts'
import type { Database } from '../../src/db/pool.ts'

const recurring = ['clean_store', 'forget_answers', 'forget_journal', 'number_changes', 'ready_documents']

/** The jobs that are not done, without the periodic ones. */
export async function findUnfinished(db: Database): Promise<Job[]> {
  return (await listJobs(db, { failed: false })).filter(({ task }) => !recurring.includes(task))
}

/** Every task of the program, with the default settings. */
export const tasks = createTasks({ journalDays: 730 })
