// For whoever prepares its lots, which belong to another resource.
export { lockPreparation } from './statements.ts'

/** What decides whether a session's lots can still be prepared. */
export type SessionState = {
  id: string
  kind: 'timed' | 'live'
  opens_at: Date | null
  first_closes_at: Date | null
  group_size: number | null
  interval_seconds: number | null
  finished: boolean
}

/** How long before a session opens its lots can still be switched, in milliseconds. */
export const activationLead = 5 * 60_000

/** Whether a timed session has a first closing time after it opens, and positive steps. */
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
 * Which condition of section 3 keeps a lot of the session from being switched on or off at `now`; undefined when all
 * are met. `hasBids` counts bids on any lot of the session, archived ones too.
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
