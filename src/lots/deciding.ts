import type { Context, Origin, Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { listHouses } from '../houses/houses.ts'
import { enqueueDecision, type Payloads, type TaskContext } from '../jobs/queue.ts'
import { inTransaction } from '../writes/transaction.ts'
import { noteResult, sessionOf } from './journal.ts'
import { findAutomaticSessions, findNextClose, lockClosed, readTime, writeResults } from './result-statements.ts'
import { isDecidedByJob, resultOfBids } from './results.ts'

/** Queues the job of every session whose results are recorded automatically, unless it is queued already. */
export async function scheduleDecisions(db: Database): Promise<void> {
  for (const house of await listHouses(db))
    for (const session of await findAutomaticSessions({ db, house })) await enqueueDecision({ db, house }, session)
}

const origin: Origin = {
  actor: { type: 'job', id: null, name: 'decide_results' },
  operation: 'decide_results',
  requestId: null,
}

/** The job that records the results of a session's closed lots, by the clock of the database. */
export async function decideClosedLots(
  { db, now }: Pick<TaskContext, 'db' | 'now'>,
  payload: Payloads['decide_results'],
): Promise<void> {
  const ahead = (await readTime({ db })).getTime() - now().getTime()
  const clock = () => new Date(now().getTime() + ahead)
  await decideSession({ db, house: { id: payload.house }, clock }, payload.session)
}

/**
 * Records the results of a session's lots that closed within the last five minutes, each under its lock by what the
 * database has then. Queues the job again for the next close.
 */
export async function decideSession(context: Scope & Pick<Context, 'clock'>, session: string): Promise<void> {
  const now = context.clock()
  await inTransaction({ ...context, now, origin }, async (tx) => {
    const closed = await lockClosed(tx, session, now)
    const decided = closed.filter((lot) => isDecidedByJob(lot, now))
    if (decided.length === 0) return
    const changes = decided.map((lot) => ({ id: lot.id, result: resultOfBids(lot), held: false }))
    for (const [index, lot] of decided.entries()) noteResult(tx, lot, changes[index]!, { about: sessionOf(lot) })
    await writeResults(tx, changes)
  })
  const next = await findNextClose(context, session, now)
  if (next) await enqueueDecision(context, session, Math.max(0, next.getTime() - context.clock().getTime()))
}
