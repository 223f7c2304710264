// The lots, another resource, use this to prepare themselves.
export { lockPreparation } from './statements.ts'

/** The fields that decide whether a session's lots can still be prepared. */
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

/**
 * The condition of section 3 that prevents switching a lot of the session at `now`, or undefined. `hasBids`: a lot of
 * the session has a bid, archived lots included.
 */
export function findActivationObstacle(session: SessionState, hasBids: boolean, now: Date): string | undefined {
  if (session.finished) return 'The session is finished.'
  if (session.opens_at === null) return 'The session has no opening time.'
  if (session.opens_at.getTime() - now.getTime() < activationLead)
    return 'The session opens in less than five minutes, or has opened.'
  if (hasBids) return 'The session has bids.'
  if (session.kind === 'timed' && !hasSchedule(session)) {
    return 'The timed session lacks a first closing time after its opening, or a positive group size and interval.'
  }
  return undefined
}
