import type { ConflictReason } from '../problems.ts'
import type { ResultState } from '../values/offers.ts'

/**
 * The result of a lot. `amount`: the price in minor units; null unless the lot is sold and its price published. `with`:
 * the internal id of the lot that it was sold together with, which has the price.
 */
export type Result = { state: ResultState; amount: number | null; after_sale: boolean; with: string | null }

/** A lot with what decides about its result, in its session. `carried`: how many lots were sold together with it. */
export type DecidedLot = {
  id: string
  session_id: string
  lot_number: number | null
  active: boolean
  held: boolean
  current_bid: number | null
  closes_at: Date | null
  result: Result | null
  carried: number
  kind: 'timed' | 'live'
  opens_at: Date | null
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  results: string
  decides_from: Date | null
  extension_seconds: number
}

/** Why something about a result cannot be done: a code for programs, the field at fault, and a sentence. */
export type ResultObstacle = {
  reason?: ConflictReason
  field?: 'lot' | 'state' | 'amount' | 'with' | 'reason' | 'closes_at'
  /** What is wrong with the field, if it is not its value. */
  code?: 'unavailable' | 'duplicate'
  problem: string
  /** The least amount that would do, for the end of the sentence. Minor units. */
  minimum?: number
}

/**
 * How a change of a result is justified. A finished session needs both. With `correct: false` the result of a live session
 * is not replaced either.
 */
export type Justification = { correct?: boolean | undefined; reason?: string | undefined }

/** What a person decided. Without an amount, a sale in the session has the highest bid as its price. */
export type Decision = { state: ResultState; amount?: number | undefined; after_sale?: boolean | undefined }

/** Later, the job leaves a closed lot to staff. Milliseconds. */
export const decisionMilliseconds = 5 * 60_000

/** Whether a timed lot takes no bids any more, because it or its session is over. */
export const hasClosed = (lot: Pick<DecidedLot, 'finished' | 'closes_at'>, now: Date): boolean =>
  lot.finished || (lot.closes_at !== null && lot.closes_at <= now)

/** The result that the highest bid gives. */
export function resultOfBids({ current_bid }: Pick<DecidedLot, 'current_bid'>): Result {
  const state = current_bid === null ? 'unsold' : 'sold'
  return { state, amount: current_bid, after_sale: false, with: null }
}

/** Whether the job records the result of a lot at `now`: once, soon after its close, and only if bids decided. */
export function isDecidedByJob(lot: DecidedLot, now: Date): boolean {
  const { closes_at, decides_from } = lot
  return (
    lot.results === 'automatic' &&
    lot.kind === 'timed' &&
    lot.published &&
    !lot.finished &&
    lot.customer_bidding_enabled &&
    lot.active &&
    !lot.held &&
    lot.result === null &&
    closes_at !== null &&
    closes_at <= now &&
    now.getTime() - closes_at.getTime() < decisionMilliseconds &&
    (decides_from === null || closes_at > decides_from)
  )
}

/** The result that a decision gives the lot. `carrier`: the lot that it was sold together with. */
export function resultOf(
  lot: DecidedLot,
  { state, amount, after_sale = false }: Decision,
  carrier?: DecidedLot,
): Result {
  const result: Result = { state, amount: amount ?? null, after_sale, with: carrier?.id ?? null }
  if (state !== 'sold' || amount !== undefined) return result
  const stored = lot.result
  if (stored?.state === 'sold' && stored.after_sale === after_sale && stored.with === result.with) return stored
  return carrier || after_sale ? result : { ...result, amount: lot.current_bid }
}

/** Whether two results say the same. */
export const isSameResult = (one: Result | null, other: Result): boolean =>
  one !== null &&
  one.state === other.state &&
  one.amount === other.amount &&
  one.after_sale === other.after_sale &&
  one.with === other.with

function findStateObstacle(lot: DecidedLot, wanted: Result, now: Date): ResultObstacle | undefined {
  if (wanted.state === 'withdrawn') return undefined
  if (lot.kind === 'timed') {
    if (hasClosed(lot, now)) return undefined
    const when = lot.closes_at === null ? 'has no closing time' : `closes at ${lot.closes_at.toISOString()}`
    return { reason: 'not_closed', problem: `the lot ${when}` }
  }
  if (lot.finished || (lot.opens_at !== null && lot.opens_at <= now)) return undefined
  const when = lot.opens_at === null ? 'has no opening time' : `opens at ${lot.opens_at.toISOString()}`
  return { reason: 'not_open', problem: `the session ${when}` }
}

// A result that differs is replaced in the room until the end, else by a correction, or by a sale after the sale.
function findChangeObstacle(lot: DecidedLot, wanted: Result, { correct, reason }: Justification) {
  const { result, finished } = lot
  if (result === null) {
    if (wanted.after_sale)
      return { reason: 'without_result', problem: 'only an unsold lot is sold after the sale' } as const
    return undefined
  }
  if (wanted.after_sale && result.state === 'unsold') return undefined
  if (wanted.after_sale && result.state === 'withdrawn')
    return { reason: 'withdrawn', problem: 'the lot is withdrawn: only an unsold lot is sold after the sale' } as const
  if (lot.kind === 'live' && !finished && !wanted.after_sale && correct !== false) return undefined
  const code = result.state === 'withdrawn' ? 'withdrawn' : 'has_result'
  if (!correct)
    return { reason: code, problem: `the lot is ${result.state} already: say --correct to replace that` } as const
  if (finished && !reason) return { field: 'reason', problem: 'a correction after the end needs a reason' } as const
  return undefined
}

function findCarrierObstacle(lot: DecidedLot, { with: id, amount }: Result, carrier: DecidedLot | undefined) {
  if (id === null) return undefined
  const because = (problem: string): ResultObstacle => ({ field: 'with', problem })
  const name = `the lot ${carrier?.lot_number ?? '-'}`
  if (!carrier || carrier.session_id !== lot.session_id) return because('it is not a lot of the same session')
  if (carrier.id === lot.id) return because('a lot cannot be sold together with itself')
  if (carrier.result?.state !== 'sold') return because(`${name} is not sold`)
  if (carrier.result.with !== null) return because(`${name} was itself sold together with another`)
  if (amount !== null) return { field: 'amount', problem: `the price belongs to ${name}` } as const
  return undefined
}

/**
 * The place of a new result among those of one list. First come lots with a price of their own, which may be carriers or
 * were carried before; then lots that are sold together with one; last lots that carried others, which are free by then.
 */
export function placeOf(lot: DecidedLot, wanted: Result): number {
  if (wanted.state === 'sold' && wanted.with === null) return 0
  return lot.carried > 0 ? 2 : wanted.with === null ? 0 : 1
}

const carries = (name: number | null): ResultObstacle => ({
  reason: 'in_use',
  problem: `another lot was sold together with the lot ${name ?? '-'}`,
})

/** Why a lot cannot get a result at `now`, or undefined. A repeated result is no obstacle. */
export function findResultObstacle(
  lot: DecidedLot,
  wanted: Result,
  now: Date,
  why: Justification,
  carrier?: DecidedLot,
): ResultObstacle | undefined {
  if (isSameResult(lot.result, wanted)) return undefined
  if (wanted.state !== 'sold' && (wanted.amount !== null || wanted.after_sale || wanted.with !== null))
    return { field: 'state', problem: `a lot that is ${wanted.state} has no price and no sale` }
  const obstacle = findChangeObstacle(lot, wanted, why) ?? findStateObstacle(lot, wanted, now)
  if (obstacle) return obstacle
  if (lot.carried > 0 && (wanted.state !== 'sold' || wanted.with !== null)) return carries(lot.lot_number)
  const fault = findCarrierObstacle(lot, wanted, carrier)
  if (fault) return fault
  const { current_bid } = lot
  if (wanted.amount === null) return undefined
  if (!wanted.after_sale && current_bid !== null && wanted.amount < current_bid)
    return { field: 'amount', problem: 'the price is below the highest bid', minimum: current_bid }
  if (wanted.amount === 0 && current_bid !== 0)
    return { field: 'amount', problem: 'the price is below the least one', minimum: 1 }
  return undefined
}

/**
 * Why the result of a lot cannot be taken back at `now`, or undefined. `closesAt`: until then the lot takes bids again.
 */
export function findReopeningObstacle(
  lot: DecidedLot,
  now: Date,
  { correct, reason }: Justification,
  closesAt: Date | undefined,
): ResultObstacle | undefined {
  if (!reason) return { field: 'reason', problem: 'taking back a result needs a reason' }
  if (lot.carried > 0) return carries(lot.lot_number)
  if (lot.finished && (!correct || closesAt)) return { reason: 'finished', problem: 'the session is finished' }
  if (closesAt === undefined) return undefined
  if (lot.kind === 'live') return { field: 'closes_at', problem: 'a live lot closes with its session' }
  if (lot.result === null && !hasClosed(lot, now)) return { reason: 'not_closed', problem: 'the lot still takes bids' }
  // A close never moves earlier: a lot may have been withdrawn before it closed.
  const least = new Date(Math.max(now.getTime() + lot.extension_seconds * 1000, lot.closes_at?.getTime() ?? 0))
  if (closesAt < least) return { field: 'closes_at', problem: `the close must be at ${least.toISOString()} or later` }
  return undefined
}
