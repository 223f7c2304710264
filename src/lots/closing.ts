import type { Context, Scope } from '../context.ts'
import { inTransaction } from '../writes/transaction.ts'
import { enqueueDecision, type Payloads, type TaskContext } from '../jobs/queue.ts'
import { hasSchedule, type SessionState } from '../sessions/preparation.ts'
import { scheduleLots } from '../sessions/schedule.ts'
import { lockLotsOfSession, sessionHasBids } from './statements.ts'
import { writeSchedule } from './touch.ts'
import { lockPreparation } from '../sessions/locks.ts'

/** The job that recalculates closing times after an activation. */
export async function recalculateClosingTimes(
  { db, clock }: TaskContext,
  payload: Payloads['recalculate_session'],
): Promise<void> {
  await recalculateSession({ db, house: { id: payload.house }, clock }, payload.session)
}

/**
 * Recalculates the closing times of a timed session's current lots, all or none (section 2.2). Inactive lots get no
 * closing time. A session that has opened or has bids is left unchanged, so a second or late run does no harm.
 */
export async function recalculateSession(context: Scope & Pick<Context, 'clock'>, sessionId: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const session = await lockPreparation(tx, sessionId)
    const now = tx.clock()
    if (!session || session.finished) return
    if ((session.opens_at !== null && session.opens_at <= now) || (await sessionHasBids(tx, sessionId))) return
    await writeClosingTimes({ ...tx, now }, session)
  })
}

/** A locked session with its schedule. */
type Scheduled = SessionState & { results: string }

/**
 * Computes the closing times of the current lots of a locked timed session in the caller's transaction, if the session
 * has a schedule. Inactive lots get no closing time.
 */
export async function writeClosingTimes(tx: Scope & Pick<Context, 'now'>, session: Scheduled): Promise<void> {
  if (session.kind !== 'timed' || !hasSchedule(session)) return
  const lots = await lockLotsOfSession(tx, session.id)
  const { first_closes_at, group_size, interval_seconds } = session
  const settings = { first_closes_at: first_closes_at!, group_size: group_size!, interval_seconds: interval_seconds! }
  const active = lots.filter((lot) => lot.active)
  const closes = new Map(scheduleLots(settings, active).map((each) => [each.id, each.closes_at]))
  const changed = lots.filter((lot) => {
    const wanted = closes.get(lot.id)?.getTime()
    return lot.closes_at?.getTime() !== wanted || lot.scheduled_closes_at?.getTime() !== wanted
  })
  if (changed.length === 0) return
  const schedule = changed.map(({ id }) => ({ id, closes_at: closes.get(id) ?? null }))
  await writeSchedule(tx, schedule)
  if (session.results === 'automatic') await enqueueDecision(tx, session.id)
}
