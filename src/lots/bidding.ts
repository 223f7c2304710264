import type { Cause } from '../problems.ts'
import type { ResultState } from '../values/offers.ts'

/** From `from` on, a bid must exceed the one before it by `increment`. Minor units. */
export type IncrementStep = { from: number; increment: number }

/**
 * The fields that decide whether a lot takes bids. `closes_at` is the closing time of the lot or of the live session.
 * `public_id`, `session`: the UUIDs of the lot and of its session.
 */
export type Offer = {
  public_id: string | null
  session: string | null
  published: boolean
  opens_at: Date | null
  finished: boolean
  customer_bidding_enabled: boolean
  active: boolean
  closes_at: Date | null
  result_state: ResultState | null
}

/**
 * The reason why the lot takes no bid at `now`, or undefined. Permanent reasons come before those that staff can
 * change. At the instant of its close the lot is closed.
 */
export function findBiddingObstacle(offer: Offer, now: Date): Cause | undefined {
  const { opens_at, closes_at, result_state: state } = offer
  const lot = { kind: 'lot', uuid: offer.public_id } as const
  const session = { kind: 'session', uuid: offer.session } as const
  if (offer.finished) return { reason: 'finished', record: session }
  if (state !== null) return { reason: state === 'withdrawn' ? 'withdrawn' : 'has_result', record: lot, state }
  if (closes_at !== null && closes_at <= now) return { reason: 'closed', record: lot, time: closes_at }
  if (!offer.published) return { reason: 'not_published', record: session }
  if (opens_at === null || opens_at > now) return { reason: 'not_open', record: session, time: opens_at }
  if (!offer.customer_bidding_enabled) return { reason: 'bidding_disabled', record: session }
  if (!offer.active) return { reason: 'inactive', record: lot }
  return closes_at === null ? { reason: 'inactive', record: lot, time: null } : undefined
}

/**
 * The minimal amount of the next bid: the starting bid, or the current bid plus the increment of the highest step at or
 * below it. It exceeds the current bid, even if no step applies, and is a safe integer whatever a loaded step says. Minor
 * units.
 */
export function leastBid(
  lot: { starting_bid: number | null; current_bid: number | null },
  steps: readonly IncrementStep[],
): number {
  const { starting_bid, current_bid } = lot
  if (current_bid === null) return Math.max(starting_bid ?? 0, 1)
  const applicable = steps.filter((step) => step.from <= current_bid)
  const [highest] = applicable.toSorted((a, b) => b.from - a.from || b.increment - a.increment)
  return Math.min(current_bid + Math.max(highest?.increment ?? 0, 1), Number.MAX_SAFE_INTEGER)
}

/**
 * The closing time of a timed lot after a bid at `placedAt` (section 2.2). A bid within the threshold of the close moves
 * it to the bid's time plus the extension, never to an earlier time.
 */
export function extendClose(
  closesAt: Date,
  placedAt: Date,
  session: { extension_threshold_seconds: number; extension_seconds: number },
): Date {
  if (closesAt.getTime() - placedAt.getTime() > session.extension_threshold_seconds * 1000) return closesAt
  const extended = new Date(placedAt.getTime() + session.extension_seconds * 1000)
  return extended > closesAt ? extended : closesAt
}
