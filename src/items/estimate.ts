import { fieldError, fieldsOf } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import type { Money } from '../values/money.ts'

/** The bounds of an estimate in minor units, or null. */
export type Bounds = { low: number | null; high: number | null }

/** The estimate in a body: null clears both bounds, a null bound clears only that one. */
export type EstimateChange = { low?: Money | null; high?: Money | null } | null | undefined

/** Checks that both bounds are in the house's currency, and in order if both are given. The estimate may have any shape. */
export function checkEstimate(estimate: unknown, currency: string): FieldError[] {
  const { low, high } = fieldsOf(estimate)
  const bounds = { low: fieldsOf(low), high: fieldsOf(high) }
  const errors = Object.entries(bounds)
    .filter(([, bound]) => typeof bound.currency === 'string' && bound.currency !== currency)
    .map(([name]) => fieldError(`estimate.${name}.currency`, 'currency_mismatch', `must be ${currency}`))
  const amountOf = ({ amount }: { amount?: unknown }) => (typeof amount === 'number' ? amount : null)
  return [...errors, ...checkOrder({ low: amountOf(bounds.low), high: amountOf(bounds.high) })]
}

/** Checks that the low bound does not exceed the high one. Either may come from the body or from the store. */
export function checkOrder({ low, high }: Bounds): FieldError[] {
  return low !== null && high !== null && low > high ? [fieldError('estimate', 'low_exceeds_high')] : []
}

/** The bounds after a change. A bound that is left out is kept. */
export function changeBounds(stored: Bounds, change: EstimateChange): Bounds {
  if (change === null) return { low: null, high: null }
  const pick = (bound: Money | null | undefined, kept: number | null) =>
    bound === undefined ? kept : (bound?.amount ?? null)
  return { low: pick(change?.low, stored.low), high: pick(change?.high, stored.high) }
}
