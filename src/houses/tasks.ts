import type { Database } from '../db/pool.ts'
import { enqueue, type TaskContext } from '../jobs/queue.ts'
import { forgetAnswers } from '../writes/idempotency.ts'
import { listHouses } from './houses.ts'

const hourInMilliseconds = 60 * 60 * 1000
const dayInMilliseconds = 24 * hourInMilliseconds

/** Queues the hourly removal of stored answers, unless it is already queued. */
export async function scheduleForgetting(db: Database): Promise<void> {
  await enqueue(db, 'forget_answers', {}, { key: 'forget_answers', keepTime: true })
}

/**
 * Removes stored answers to writes with an `Idempotency-Key` that are older than a day, and queues itself again in an
 * hour.
 */
export async function forgetOldAnswers({ db, now }: TaskContext): Promise<void> {
  const before = new Date(now().getTime() - dayInMilliseconds)
  for (const { id } of await listHouses(db)) await forgetAnswers({ db, house: { id } }, before)
  await enqueue(db, 'forget_answers', {}, { key: 'forget_answers', delay: hourInMilliseconds })
}
