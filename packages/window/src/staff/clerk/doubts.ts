import type { IncrementStrategy } from '@auction-catalogue/client'
import { itemOf, type Lot } from '../../api/index.ts'

/** Why a price may be mistyped, or another decision may be meant. */
export type Doubt = 'older' | 'unseen' | 'decided' | 'typed' | 'belowBid' | 'offIncrements' | 'farBelow' | 'farAbove'

/** The highest amount at which a bid of this strategy can be and that is not above another; in minor units. */
export function roundDown(amount: number, steps: IncrementStrategy['steps']): number {
  const sorted = steps.toSorted((one, other) => other.from.amount - one.from.amount)
  const step = sorted.find(({ from }) => from.amount <= amount)
  return step === undefined ? amount : amount - ((amount - step.from.amount) % step.increment.amount)
}

/** The least amount of the next bid, in minor units: the starting bid, or an increment above the current one. */
export function leastBid(starting: number | null, current: number | null, steps: IncrementStrategy['steps']): number {
  if (current === null) return Math.max(starting ?? 0, 1)
  const sorted = steps.toSorted((one, other) => other.from.amount - one.from.amount)
  const step = sorted.find(({ from }) => from.amount <= current)
  return Math.min(current + Math.max(step?.increment.amount ?? 0, 1), Number.MAX_SAFE_INTEGER)
}

/**
 * Why a price in minor units may be mistyped: the lot has a result, the price is below the highest bid, off the
 * increments, under half the low or over five times the high estimate.
 */
export function findDoubts(amount: number, lot: Lot, isDecided: boolean, steps: IncrementStrategy['steps']): Doubt[] {
  const { low, high } = itemOf(lot)?.estimate ?? {}
  const found: Record<Exclude<Doubt, 'older' | 'typed'>, boolean> = {
    unseen: itemOf(lot) === null,
    decided: isDecided,
    belowBid: lot.current_bid !== null && amount < lot.current_bid.amount,
    offIncrements: roundDown(amount, steps) !== amount,
    farBelow: Boolean(low && amount < low.amount / 2),
    farAbove: Boolean(high && amount > high.amount * 5),
  }
  return (Object.keys(found) as (keyof typeof found)[]).filter((doubt) => found[doubt])
}
