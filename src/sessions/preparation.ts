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

/** Lots can be switched until this long before the session opens. Milliseconds. */
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

/** Why the lots of a session cannot be switched. */
export type Obstacle = 'finished' | 'opened' | 'opens_soon' | 'has_bids' | 'no_opening' | 'no_schedule'

/** The reason of the problem `lot-not-changeable` for an obstacle. */
export const reasonOf = (obstacle: Obstacle): Reason => (obstacle === 'no_opening' ? 'no_schedule' : obstacle)

/**
 * The first condition of section 3 that prevents switching a lot of the session at `now`, or undefined. `hasBids`: a
 * lot of the session has a bid, archived lots included.
 */
export function findObstacle(session: SessionState, hasBids: boolean, now: Date): Obstacle | undefined {
  if (session.finished) return 'finished'
  if (session.opens_at !== null && session.opens_at <= now) return 'opened'
  if (session.opens_at !== null && session.opens_at.getTime() - now.getTime() < activationLead) return 'opens_soon'
  if (hasBids) return 'has_bids'
  if (session.opens_at === null) return 'no_opening'
  return session.kind === 'timed' && !hasSchedule(session) ? 'no_schedule' : undefined
}
