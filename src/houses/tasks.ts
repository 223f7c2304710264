import { enqueueRepeated, type Payloads, type TaskContext } from '../jobs/queue.ts'
import { forgetAnswers } from '../writes/idempotency.ts'
import { inTransaction } from '../writes/transaction.ts'
import { sortHouses } from './reach.ts'
import { isNoted } from './queries.ts'
import { noteRevoked } from './touch.ts'

const hourInMilliseconds = 60 * 60 * 1000
const dayInMilliseconds = 24 * hourInMilliseconds

/**
 * Removes stored answers to writes with an `Idempotency-Key` that are older than a day, and queues itself again in an
 * hour.
 */
export async function forgetOldAnswers({ db, clock }: TaskContext): Promise<void> {
  const before = new Date(clock().getTime() - dayInMilliseconds)
  for (const { id } of (await sortHouses(db)).reached) await forgetAnswers({ db, house: { id } }, before)
  await enqueueRepeated(db, 'forget_answers', { delay: hourInMilliseconds })
}

/** The job that notes a revocation in the journal of the key's house, once the worker of Citus that has it answers. */
export async function noteRevocation(
  { db }: Pick<TaskContext, 'db'>,
  { house: id, key: uuid, at, origin }: Payloads['note_revocation'],
): Promise<void> {
  const revoked_at = new Date(at)
  await inTransaction({ db, house: { id }, origin }, async (tx) => {
    // The job may run twice.
    if (!(await isNoted(tx, uuid, revoked_at))) noteRevoked(tx, uuid, revoked_at)
  })
}
