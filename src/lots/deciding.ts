import type { Context, Origin, Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { sortHouses } from '../houses/reach.ts'
import { enqueueDecision, type Payloads, type TaskContext } from '../jobs/queue.ts'
import { readDatabaseClock } from '../writes/time.ts'
import { inTransaction } from '../writes/transaction.ts'
import { findAutomaticSessions, findNextClose, lockClosed } from './result-statements.ts'
import { isDecidedByJob, resultOfBids, sessionOf } from './outcomes.ts'
import { touchLots } from './touch.ts'

/** Queues the job of every session whose results are recorded automatically, unless it is queued already. */
export async function scheduleDecisions(db: Database): Promise<void> {
  for (const house of (await sortHouses(db)).reached)
    for (const session of await findAutomaticSessions({ db, house })) await enqueueDecision({ db, house }, session)
}

const origin: Origin = {
  actor: { type: 'job', id: null, name: 'decide_results' },
  operation: 'decide_results',
  requestId: null,
}

/** The job that records the results of a session's closed lots. */
export async function decideClosedLots(
  { db }: Pick<TaskContext, 'db'>,
  payload: Payloads['decide_results'],
): Promise<void> {
  await decideSession({ db, house: { id: payload.house } }, payload.session)
}

/**
 * Records the results of a session's lots that closed within the last five minutes, each under its lock by what the
 * database has then. Queues the job again for the next close.
 */
export async function decideSession(context: Scope & Pick<Context, 'databaseClock'>, session: string): Promise<void> {
  const begun = await readDatabaseClock(context)
  await inTransaction({ ...context, origin }, async (locked) => {
    const closed = await lockClosed(locked, session, begun)
    const [first] = closed
    if (!first) return
    const tx = { ...locked, now: await readDatabaseClock(locked), house: { ...locked.house, currency: first.currency } }
    const decided = closed.filter((lot) => isDecidedByJob(lot, tx.now))
    const changes = decided.map((lot) => ({
      lot,
      before: lot,
      after: { result: resultOfBids(lot), held: false },
      terms: { about: sessionOf(lot), kept: true },
    }))
    await touchLots(tx, changes)
  })
  // A lot that has closed meanwhile is the next one.
  const next = await findNextClose(context, session, begun)
  if (next) await enqueueDecision(context, session, next)
}
