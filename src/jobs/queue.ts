import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import type { MediaStore } from '../media/store.ts'

/** What each task is told: internal ids, by which it reads the rows again when it runs. */
export type Payloads = {
  recalculate_session: { house: string; session: string }
  derive_renditions: { house: string; image: string }
  move_renditions: { house: string; image: string }
  delete_media: { keys: string[] }
  clean_store: Record<string, never>
}

/** What a task works with. `isLastAttempt` says that a failure of this attempt is final. */
export type TaskContext = { db: Database; media: MediaStore; now: () => Date; isLastAttempt: boolean }

/**
 * Puts a job into the queue; inside a transaction it becomes visible with the commit and is gone with a rollback.
 * Of jobs with one `key` only the newest waits; one that already runs is left to end. It starts after `delay`
 * milliseconds by the database's clock, which is the queue's, or at once; with `keepTime` when the one that waits already
 * would have.
 */
export async function enqueue<Task extends keyof Payloads>(
  db: Database,
  task: Task,
  payload: Payloads[Task],
  options: { key?: string; maxAttempts?: number; delay?: number; keepTime?: boolean } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${task}::text, payload => ${JSON.stringify(payload)}::json,
    job_key => ${options.key ?? null}::text, max_attempts => ${options.maxAttempts ?? 25}::int,
    run_at => clock_timestamp() + ${options.delay ?? 0}::int * interval '1 millisecond',
    job_key_mode => ${options.keepTime ? 'preserve_run_at' : 'replace'}::text)`.execute(db)
}

/** Asks for the renditions of an image, once however often it is asked, in at most five attempts. */
export async function enqueueRenditions(db: Database, house: string, image: string): Promise<void> {
  await enqueue(db, 'derive_renditions', { house, image }, { key: `derive_renditions:${image}`, maxAttempts: 5 })
}

// So many milliseconds of activations share one recalculation; with the polling of workers it starts within a second.
const gatherMilliseconds = 250

/** Asks for the closing times of a timed session to be computed anew, once however often it is asked, soon. */
export async function enqueueRecalculation(db: Database, house: string, session: string): Promise<void> {
  const key = `recalculate_session:${house}:${session}`
  await enqueue(db, 'recalculate_session', { house, session }, { key, delay: gatherMilliseconds, keepTime: true })
}
