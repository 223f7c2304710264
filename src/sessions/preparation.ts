import type { Reason } from '../problems.ts'

/** The fields that decide whether the session's lots can still be switched. */
export type SessionState = {
  id: string
  kind: 'timed' | 'live'
  opens_at: Date | null
  first_closes_at: Date | null
  group_size: number | null
  interval_seconds: number | null
  finished: boolean
}

/** A session is prepared, and its lots switched, until this long before it opens. Milliseconds. */
const activationLead = 5 * 60_000

/** Whether a timed session has a first closing time after its opening, and positive steps. */
export function hasSchedule(session: SessionState): boolean {
  const { opens_at, first_closes_at, group_size, interval_seconds } = session
  return (
    first_closes_at !== null &&
    (opens_at === null || first_closes_at > opens_at) &&
    (group_size ?? 0) > 0 &&
    (interval_seconds ?? 0) > 0
  )
}

/** Why the time is over to prepare a session, or undefined: it has opened, or opens soon. */
export function findOpening(opens_at: Date | null, now: Date): 'opened' | 'opens_soon' | undefined {
  if (opens_at === null || opens_at.getTime() - now.getTime() >= activationLead) return undefined
  return opens_at <= now ? 'opened' : 'opens_soon'
}

/**
 * The first condition of section 3 that prevents switching a lot of the session at `now`, or undefined. `hasBids`: a
 * lot of the session has a bid, archived lots included.
 */
export function findObstacle(session: SessionState, hasBids: boolean, now: Date): Reason | undefined {
  if (session.finished) return 'finished'
  const opening = findOpening(session.opens_at, now)
  if (opening) return opening
  if (hasBids) return 'has_bids'
  const isScheduled = session.opens_at !== null && (session.kind === 'live' || hasSchedule(session))
  return isScheduled ? undefined : 'no_schedule'
}
