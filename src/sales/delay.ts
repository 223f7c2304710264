import type { Context, Written } from '../context.ts'
import { lockLotsOfSession } from '../lots/statements.ts'
import { advanceLots, delayLots } from '../lots/touch.ts'
import { conflict } from '../problems.ts'
import { selectSession, type SessionExpansion } from '../sessions/queries.ts'
import { lockSession } from '../sessions/statements.ts'
import { touchSession } from '../sessions/touch.ts'
import { latestTime } from '../values/timestamps.ts'
import { readDatabaseClock } from '../writes/time.ts'
import { inTransaction, readWritten, requireLocked } from '../writes/transaction.ts'

const postpone = (time: Date, seconds: number) =>
  time > latestTime ? time : new Date(Math.min(time.getTime() + seconds * 1000, latestTime.getTime()))

/**
 * Moves the closes of all lots of an unfinished session that have not closed, by the same time, with bids or without.
 * `scheduled_closes_at` and a first close to come move too, so that no lot looks extended. A live session moves its close.
 * Returns the session.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict if it is finished, or all of its lots
 *   have closed
 */
export async function delaySession(
  context: Context,
  uuid: string,
  { seconds, reason }: { seconds: number; reason: string },
  expand?: readonly SessionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly SessionExpansion[]) => selectSession(tx, uuid, names)
    const session = await requireLocked(tx, await lockSession(tx, uuid), select, 'session', uuid)
    const subject = { kind: 'session', uuid } as const
    if (session.finished) throw conflict({ reason: 'finished', record: subject })
    // A bid under way comes first, and may extend its lot.
    const lots = await lockLotsOfSession(tx, session.id)
    const now = await readDatabaseClock(tx)
    const late = (time: Date | null) => (time !== null && time > now ? postpone(time, seconds) : time)
    const isTimed = session.kind === 'timed'
    const after = isTimed
      ? { first_closes_at: late(session.first_closes_at) }
      : { live_closes_at: late(session.live_closes_at) }
    const noted = { delayed_seconds: seconds }
    const isMoved = await touchSession({ ...tx, now }, session, after, { reason, noted })
    const moved = isTimed ? await delayLots({ ...tx, now }, lots, seconds, subject) : 0
    if (moved === 0 && !isMoved) throw conflict({ reason: 'closed', record: subject })
    if (isMoved && !isTimed) await advanceLots({ ...tx, now }, session.id)
    return readWritten(tx, select(expand))
  })
}
