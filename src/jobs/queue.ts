import type { Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { MediaStore } from '../media/store.ts'
import { addJob, findTurn } from './statements.ts'

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

/** What does each task. */
export type Tasks = { [Task in keyof Payloads]?: (context: TaskContext, payload: Payloads[Task]) => Promise<void> }

/**
 * Puts a job into the queue; inside a transaction it becomes visible with the commit and is gone with a rollback.
 * Of jobs with one `key` only the newest waits; one that already runs is left to end. It starts after `delay`
 * milliseconds by the database's clock, which is the queue's, or at once; with `keepTime` when the one that waits already
 * would have. Of jobs that could start the lowest `priority` does.
 */
export async function enqueue<Task extends keyof Payloads>(
  db: Database,
  task: Task,
  payload: Payloads[Task],
  options: { key?: string; maxAttempts?: number; delay?: number; keepTime?: boolean; priority?: number } = {},
): Promise<void> {
  const { key, maxAttempts = 25, delay = 0, keepTime = false, priority = 0 } = options
  await addJob(db, { task, payload, key, maxAttempts, delay, keepTime, priority })
}

/**
 * Asks for the renditions of images of one house, once however often it is asked, in at most five attempts. Houses take
 * turns: the first of these comes a turn after the house's last that waits, or in the turn that others are in.
 */
export async function enqueueRenditions(db: Database, house: string, images: string[]): Promise<void> {
  if (images.length === 0) return
  const own = `derive_renditions:${house}:`
  const turn = await findTurn(db, own)
  for (const [at, image] of images.entries()) {
    const options = { key: own + image, maxAttempts: 5, priority: turn + at }
    await enqueue(db, 'derive_renditions', { house, image }, options)
  }
}

// So many milliseconds of activations share one recalculation; with the polling of workers it starts within a second.
const gatherMilliseconds = 250

/** Asks for the closing times of a timed session to be computed anew, once however often it is asked, soon. */
export async function enqueueRecalculation({ db, house }: Scope, session: string): Promise<void> {
  const key = `recalculate_session:${house.id}:${session}`
  await enqueue(
    db,
    'recalculate_session',
    { house: house.id, session },
    { key, delay: gatherMilliseconds, keepTime: true },
  )
}
