import { fieldError, fieldsOf } from '../request/validation.ts'
import type { FieldError } from '../problems.ts'
import type { Money } from '../values/money.ts'

/** The bounds of an estimate in minor units; null where there is none. */
export type Bounds = { low: number | null; high: number | null }

/** What a body says about the estimate: null clears all of it, a null bound only that one. */
export type EstimateChange = { low?: Money | null; high?: Money | null } | null | undefined

/** Both bounds must be in the house's currency, and in order where both are given. The estimate may have any shape. */
export function checkEstimate(estimate: unknown, currency: string): FieldError[] {
  const { low, high } = fieldsOf(estimate)
  const bounds = { low: fieldsOf(low), high: fieldsOf(high) }
  const errors = Object.entries(bounds)
    .filter(([, bound]) => typeof bound.currency === 'string' && bound.currency !== currency)
    .map(([name]) => fieldError(`estimate.${name}.currency`, 'currency_mismatch', `must be ${currency}`))
  const amountOf = ({ amount }: { amount?: unknown }) => (typeof amount === 'number' ? amount : null)
  return [...errors, ...checkOrder({ low: amountOf(bounds.low), high: amountOf(bounds.high) })]
}

/** The low bound must not exceed the high one, whether they come from the body or were stored. */
export function checkOrder({ low, high }: Bounds): FieldError[] {
  return low !== null && high !== null && low > high ? [fieldError('estimate', 'low_exceeds_high')] : []
}

/** The bounds after a change; a bound that is left out is kept. */
export function changeBounds(stored: Bounds, change: EstimateChange): Bounds {
  if (change === null) return { low: null, high: null }
  const pick = (bound: Money | null | undefined, kept: number | null) =>
    bound === undefined ? kept : (bound?.amount ?? null)
  return { low: pick(change?.low, stored.low), high: pick(change?.high, stored.high) }
}
