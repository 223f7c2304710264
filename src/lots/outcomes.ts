import { fieldError } from '../http/body/validation.ts'
import type { Cause, FieldError } from '../problems.ts'
import type { ResultState } from '../values/offers.ts'

/**
 * The result of a lot. `amount`: the price in minor units; null unless the lot is sold and its price published. `with`:
 * the internal id of the lot that it was sold together with, which has the price.
 */
export type Result = { state: ResultState; amount: number | null; after_sale: boolean; with: string | null }

/**
 * A lot with what decides about its result, in its session. `public_id`, `session`: the UUIDs of both. `carried`: the lots
 * that were sold together with it, by their UUIDs. `currency`: that of the house. `place`: SESSION/NUMBER.
 */
export type DecidedLot = {
  id: string
  public_id: string | null
  place: string | null
  session_id: string
  session: string | null
  currency: string
  lot_number: number | null
  active: boolean
  held: boolean
  current_bid: number | null
  closes_at: Date | null
  result: Result | null
  carried: readonly (string | null)[]
  kind: 'timed' | 'live'
  opens_at: Date | null
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  results: string
  decides_from: Date | null
  extension_seconds: number
}

/** Why something about a result cannot be done: the state of a record, or a field of what was decided. */
type ResultObstacle = Cause | FieldError

/** A lot as the record of a refusal. `place`: SESSION/NUMBER. */
export const lotOf = ({ public_id, place }: { public_id: string | null; place?: string | null }) =>
  ({ kind: 'lot', uuid: public_id, ...(place != null && { place }) }) as const

/** The session of a lot, as the record of a refusal, or of a write of several lots. */
export const sessionOf = ({ session }: Pick<DecidedLot, 'session'>) => ({ kind: 'session', uuid: session }) as const

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

function findStateObstacle(lot: DecidedLot, wanted: Result, now: Date): Cause | undefined {
  const { opens_at, closes_at } = lot
  if (wanted.state === 'withdrawn') return undefined
  if (lot.kind === 'timed')
    return hasClosed(lot, now) ? undefined : { reason: 'not_closed', record: lotOf(lot), time: closes_at }
  if (lot.finished || (opens_at !== null && opens_at <= now)) return undefined
  return { reason: 'not_open', record: sessionOf(lot), time: opens_at }
}

// A result that differs is replaced in the room until the end, else by a correction, or by a sale after the sale.
function findChangeObstacle(lot: DecidedLot, { after_sale }: Result, { correct }: Justification): Cause | undefined {
  const { result, finished } = lot
  const record = lotOf(lot)
  if (result === null) return after_sale ? { reason: 'without_result', record, by: 'after_sale' } : undefined
  const { state } = result
  if (after_sale && state === 'unsold') return undefined
  if (after_sale && state === 'withdrawn') return { reason: 'withdrawn', record, by: 'after_sale' }
  if (lot.kind === 'live' && !finished && !after_sale && correct !== false) return undefined
  if (correct) return undefined
  return { reason: state === 'withdrawn' ? 'withdrawn' : 'has_result', record, state, by: 'new_result' }
}

function findReasonError({ result, finished }: DecidedLot, { after_sale }: Result, { reason }: Justification) {
  if (!finished || reason || result === null || (after_sale && result.state === 'unsold')) return undefined
  return fieldError('reason', 'invalid', 'is needed for a correction after the end of the session')
}

function findCarrierError(lot: DecidedLot, { with: id, amount }: Result, carrier: DecidedLot | undefined) {
  if (id === null) return undefined
  const because = (problem: string) => fieldError('with', 'invalid', problem)
  const name = `the lot ${carrier?.lot_number ?? '-'}`
  if (!carrier || carrier.session_id !== lot.session_id) return because('must be a lot of the same session')
  if (carrier.id === lot.id) return because('must be another lot')
  if (carrier.result?.state !== 'sold') return because(`must be a sold lot, and ${name} is not sold`)
  if (carrier.result.with !== null)
    return because(`must be the lot that has the price, and ${name} was itself sold together with another`)
  if (amount !== null) return fieldError('amount', 'invalid', `must be left out: the price belongs to ${name}`)
  return undefined
}

/**
 * The turn of a new result among those of one list. First come lots with a price of their own, which may be carriers or
 * were carried before; then lots that are sold together with one; last lots that carried others, which are free by then.
 */
export function turnOf(lot: DecidedLot, wanted: Result): number {
  if (wanted.state === 'sold' && wanted.with === null) return 0
  return lot.carried.length > 0 ? 2 : wanted.with === null ? 0 : 1
}

const carries = (lot: DecidedLot): Cause => ({
  reason: 'in_use',
  record: lotOf(lot),
  usedBy: lot.carried.map((uuid) => ({ kind: 'lot', uuid })),
})

/** Why a lot cannot get a result at `now`, or undefined: its state comes first. A repeated result is no obstacle. */
export function findResultObstacle(
  lot: DecidedLot,
  wanted: Result,
  now: Date,
  why: Justification,
  carrier?: DecidedLot,
): ResultObstacle | undefined {
  if (isSameResult(lot.result, wanted)) return undefined
  if (wanted.state !== 'sold' && (wanted.amount !== null || wanted.after_sale || wanted.with !== null))
    return fieldError('state', 'invalid', 'must be sold, if there is a price or a sale')
  const obstacle = findChangeObstacle(lot, wanted, why) ?? findStateObstacle(lot, wanted, now)
  if (obstacle) return obstacle
  if (lot.carried.length > 0 && (wanted.state !== 'sold' || wanted.with !== null)) return carries(lot)
  const fault = findReasonError(lot, wanted, why) ?? findCarrierError(lot, wanted, carrier)
  if (fault) return fault
  const { current_bid, currency } = lot
  if (wanted.amount === null) return undefined
  // After the sale the highest bid does not count.
  const least = wanted.after_sale ? Math.min(current_bid ?? 1, 1) : (current_bid ?? 1)
  const minimum = { amount: least, currency }
  return wanted.amount < least ? fieldError('amount', 'out_of_range', 'must be at least', { minimum }) : undefined
}

/**
 * Why the result of a lot cannot be taken back at `now`, or undefined: its state comes first. `closesAt`: until then the lot
 * takes bids again.
 */
export function findReopeningObstacle(
  lot: DecidedLot,
  now: Date,
  { correct, reason }: Justification,
  closesAt: Date | undefined,
): ResultObstacle | undefined {
  if (lot.carried.length > 0) return carries(lot)
  if (lot.finished && (!correct || closesAt))
    return { reason: 'finished', record: sessionOf(lot), ...(!closesAt && { by: 'new_result' }) }
  if (closesAt && lot.kind === 'timed' && lot.result === null && !hasClosed(lot, now))
    return { reason: 'not_closed', record: lotOf(lot), time: lot.closes_at }
  if (!reason) return fieldError('reason', 'invalid', 'is needed to take a result back')
  if (closesAt === undefined) return undefined
  if (lot.kind === 'live')
    return fieldError('closes_at', 'invalid', 'must be left out: a live lot closes with its session')
  // A close never moves earlier: a lot may have been withdrawn before it closed.
  const earliest = new Date(Math.max(now.getTime() + lot.extension_seconds * 1000, lot.closes_at?.getTime() ?? 0))
  return closesAt < earliest ? fieldError('closes_at', 'invalid', 'must be at or after', { earliest }) : undefined
}
