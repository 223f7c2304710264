import type { ConflictReason } from '../problems.ts'
import type { ResultState } from '../values/offers.ts'

/** From `from` on, a bid must exceed the one before it by `increment`. Minor units. */
export type IncrementStep = { from: number; increment: number }

/** The fields that decide whether a lot takes bids. `closes_at` is the closing time of the lot or of the live session. */
export type Offer = {
  published: boolean
  opens_at: Date | null
  finished: boolean
  customer_bidding_enabled: boolean
  active: boolean
  closes_at: Date | null
  result_state: ResultState | null
}

/** Why a lot takes no bid: the code, and a sentence without its full stop. */
export type BiddingObstacle = { reason: ConflictReason; message: string }

/**
 * The reason why the lot takes no bid at `now`, or undefined. Permanent reasons come before those that staff can
 * change. At the instant of its close the lot is closed.
 */
export function findBiddingObstacle(offer: Offer, now: Date): BiddingObstacle | undefined {
  const because = (reason: ConflictReason, message: string) => ({ reason, message })
  if (offer.finished) return because('finished', 'the session is finished')
  if (offer.result_state !== null)
    return because(offer.result_state === 'withdrawn' ? 'withdrawn' : 'has_result', `the lot is ${offer.result_state}`)
  if (offer.closes_at !== null && offer.closes_at <= now)
    return because('closed', `the lot closed at ${offer.closes_at.toISOString()}`)
  if (!offer.published) return because('not_published', 'the session is not published')
  if (offer.opens_at === null) return because('not_open', 'the session has no opening time')
  if (offer.opens_at > now) return because('not_open', `the session opens at ${offer.opens_at.toISOString()}`)
  if (!offer.customer_bidding_enabled) return because('bidding_disabled', 'bidding is disabled in the session')
  if (!offer.active) return because('inactive', 'the lot is not active')
  if (offer.closes_at === null) return because('inactive', 'the lot has no closing time')
  return undefined
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
