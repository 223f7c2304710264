import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

/** What each task is told: internal ids, by which it reads the rows again when it runs. */
export type Payloads = {
  recalculate_session: { house: string; session: string }
  derive_renditions: { house: string; image: string }
  delete_media: { keys: string[] }
}

/**
 * Puts a job into the queue; inside a transaction it becomes visible with the commit and is gone with a rollback.
 * Of jobs with one `key` only the newest waits; one that already runs is left to end.
 */
export async function enqueue<Task extends keyof Payloads>(
  db: Database,
  task: Task,
  payload: Payloads[Task],
  options: { key?: string; maxAttempts?: number } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${task}::text, payload => ${JSON.stringify(payload)}::json,
    job_key => ${options.key ?? null}::text, max_attempts => ${options.maxAttempts ?? 25}::int)`.execute(db)
}
