import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { touched } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Payloads, TaskContext } from '../jobs/queue.ts'
import { hasSchedule, lockPreparation } from '../sessions/preparation.ts'
import { scheduleLots, type ScheduledLot } from '../sessions/schedule.ts'
import { sessionHasBids } from './statements.ts'

type StoredLot = ScheduledLot & { active: boolean; closes_at: Date | null; scheduled_closes_at: Date | null }

/** The job that an activation leaves behind. */
export async function recalculateClosingTimes(
  { db, now }: TaskContext,
  payload: Payloads['recalculate_session'],
): Promise<void> {
  await recalculateSession({ db, house: { id: payload.house }, clock: now }, payload.session)
}

/**
 * Recomputes the closing times of a timed session's current lots, all of them or none (section 2.2). Inactive lots get
 * none. A session that has opened or has bids stays as it is, so it is harmless to run this twice or late.
 */
export async function recalculateSession(
  context: Pick<Context, 'db' | 'clock'> & { house: { id: string } },
  sessionId: string,
): Promise<void> {
  const { house } = context
  await inTransaction(context, async (tx) => {
    const session = await lockPreparation(tx, sessionId)
    const now = context.clock()
    if (!session || session.kind !== 'timed' || session.finished || !hasSchedule(session)) return
    if ((session.opens_at !== null && session.opens_at <= now) || (await sessionHasBids(tx, sessionId))) return
    const { rows } = await sql<StoredLot>`
      select id, lot_number, coalesce(active, false) as active, closes_at, scheduled_closes_at from catalogue.lots
      where house_id = ${house.id} and session_id = ${sessionId} and not archived order by id for update`.execute(tx.db)
    const { first_closes_at, group_size, interval_seconds } = session
    const settings = { first_closes_at: first_closes_at!, group_size: group_size!, interval_seconds: interval_seconds! }
    const closes = new Map(
      scheduleLots(
        settings,
        rows.filter((lot) => lot.active),
      ).map((each) => [each.id, each.closes_at]),
    )
    const changed = rows.filter((lot) => {
      const wanted = closes.get(lot.id)?.getTime()
      return lot.closes_at?.getTime() !== wanted || lot.scheduled_closes_at?.getTime() !== wanted
    })
    if (changed.length === 0) return
    await sql`
      update catalogue.lots l set closes_at = w.closes_at, scheduled_closes_at = w.closes_at, ${touched(now)}
      from unnest(${changed.map((lot) => lot.id)}::bigint[], ${changed.map((lot) => closes.get(lot.id) ?? null)}::timestamptz[]) w (id, closes_at)
      where l.house_id = ${house.id} and l.id = w.id`.execute(tx.db)
  })
}
