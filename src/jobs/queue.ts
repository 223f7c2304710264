// A job is queued in the transaction of its cause (queue.ts), run by a worker (worker.ts), and repeated after a failure or
// the death of its worker. statements.ts has the SQL, jobs.ts the list for operators, outage.ts the log of an outage.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Origin, Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { MediaStore } from '../media/store.ts'
import { addJob, findTurn, isMakingRenditions } from './statements.ts'

const pauseMilliseconds = 250

/** The payload of each task: internal ids. A task reads the rows again when it runs. */
export type Payloads = {
  recalculate_session: { house: string; session: string }
  decide_results: { house: string; session: string }
  derive_renditions: { house: string; image: string }
  draw_demo_picture: { house: string; image: string; picture: string }
  move_renditions: { house: string; image: string }
  delete_media: { keys: string[] }
  clean_store: Record<string, never>
  number_changes: {
    /** The step of the last slice that the next one begins with. */
    place?: string
  }
  ready_documents: {
    /** Where the walk goes on: after a lot of the session, or without one after an item. */
    place?: { house: string; session: string | null; after: string }
    done?: number
    all?: number
  }
  forget_answers: Record<string, never>
  forget_journal: Record<string, never>
  note_revocation: { house: string; key: string; at: string; origin: Origin }
}

/** What a task receives. `isLastAttempt`: a failure of this attempt is final. */
export type TaskContext = { db: Database; media: MediaStore; clock: () => Date; isLastAttempt: boolean }

/**
 * The job cannot run for an outside reason, such as a store that is unreachable or full. No last attempt is used up.
 */
export class Postponed extends Error {}

/** The function of each task. */
export type Tasks = { [Task in keyof Payloads]?: (context: TaskContext, payload: Payloads[Task]) => Promise<void> }

/**
 * Queues a job. Inside a transaction, the commit makes it visible and a rollback removes it. A job replaces a waiting
 * one with the same `key`, not a running one. It starts at `due`, a time that the database has given, or now; then after
 * `delay` milliseconds, by the database's clock; with `keepTime`, at the time of the replaced job. Of the due jobs, the
 * lowest `priority` starts first.
 */
export async function enqueue<Task extends keyof Payloads>(
  db: Database,
  task: Task,
  payload: Payloads[Task],
  options: {
    key?: string
    maxAttempts?: number
    due?: Date | undefined
    delay?: number
    keepTime?: boolean
    priority?: number
  } = {},
): Promise<void> {
  const { key, maxAttempts = 25, due, delay = 0, keepTime = false, priority = 0 } = options
  await addJob(db, { task, payload, key, maxAttempts, due, delay, keepTime, priority })
}

/**
 * Queues a task of all houses, once: to run now, or after `delay` milliseconds. With `keepTime` one that waits already keeps
 * its time. At its end the task queues itself again.
 */
export async function enqueueRepeated(
  db: Database,
  task: 'clean_store' | 'forget_answers' | 'forget_journal' | 'number_changes',
  options: { delay?: number; keepTime?: boolean } = {},
): Promise<void> {
  await enqueue(db, task, {}, { key: task, ...options })
}

/**
 * Queues the renditions of images of one house, with five attempts each. An image that is already waiting is not
 * queued twice. Houses take turns: the first of these images comes one turn after the house's last waiting one, or in
 * the others' present turn if none waits.
 */
export async function enqueueRenditions({ db, house }: Scope, images: string[]): Promise<void> {
  if (images.length === 0) return
  const own = `derive_renditions:${house.id}:`
  const turn = await findTurn(db, own)
  for (const [at, image] of images.entries()) {
    const options = { key: own + image, maxAttempts: 5, priority: turn + at }
    await enqueue(db, 'derive_renditions', { house: house.id, image }, options)
  }
}

/** Waits until no worker makes renditions: for work that comes behind all others. */
export async function waitForRenditions(db: Database): Promise<void> {
  while (await isMakingRenditions(db)) await sleep(pauseMilliseconds)
}

// Activations within this time share one recalculation. Workers poll, so it starts within a second.
const gatherMilliseconds = 250

/** Queues the recalculation of a timed session's closing times, unless it is already waiting. */
export async function enqueueRecalculation({ db, house }: Scope, session: string): Promise<void> {
  const key = `recalculate_session:${house.id}:${session}`
  await enqueue(
    db,
    'recalculate_session',
    { house: house.id, session },
    { key, delay: gatherMilliseconds, keepTime: true },
  )
}

/**
 * Queues the job that records the results of a session, at its next close, or now. With a close, a job that waits already
 * keeps its time: one that ends never delays one that a change has queued meanwhile.
 */
export async function enqueueDecision({ db, house }: Scope, session: string, due?: Date): Promise<void> {
  const key = `decide_results:${house.id}:${session}`
  await enqueue(db, 'decide_results', { house: house.id, session }, { key, due, keepTime: due !== undefined })
}
