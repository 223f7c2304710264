import { isDeepStrictEqual } from 'node:util'
import { fieldError, fieldsOf } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import type { Locale } from '../values/locales.ts'
import type { Money } from '../values/money.ts'
import { changeRelations, noRelations, type Found, type Relations } from './relations.ts'
import type { ItemBody } from './schema.ts'
import { changeTexts, checkLengths, noTexts, type ItemTexts } from './texts.ts'

// The bounds of an estimate in minor units, or null.
type Bounds = { low: number | null; high: number | null }

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

// Either bound may come from the body or from the store.
function checkOrder({ low, high }: Bounds): FieldError[] {
  return low !== null && high !== null && low > high ? [fieldError('estimate', 'low_exceeds_high')] : []
}

// Null clears both bounds, a null bound only that one. A bound that is left out is kept.
function changeBounds(stored: Bounds, change: ItemBody['estimate']): Bounds {
  if (change === null) return { low: null, high: null }
  const pick = (bound: Money | null | undefined, kept: number | null) =>
    bound === undefined ? kept : (bound?.amount ?? null)
  return { low: pick(change?.low, stored.low), high: pick(change?.high, stored.high) }
}

/** The part of an item that writes change. */
export type ItemState = {
  external_reference: string | null
  archived: boolean
  texts: ItemTexts
  bounds: Bounds
  relations: Relations
}

/** The state of an item before it is created. */
export const noState: ItemState = {
  external_reference: null,
  archived: false,
  texts: { flat: noTexts, translations: {} },
  bounds: { low: null, high: null },
  relations: noRelations,
}

/** The state after a change, and its errors. `found` are the records that the body's ids name. */
export function changeState(
  stored: ItemState,
  body: ItemBody,
  found: Found,
  locale: Locale,
): { state: ItemState; errors: FieldError[] } {
  const { relations, errors } = changeRelations(stored.relations, body, found)
  const bounds = changeBounds(stored.bounds, body.estimate)
  if (!isDeepStrictEqual(bounds, stored.bounds)) errors.push(...checkOrder(bounds))
  errors.push(...checkLengths(body, locale, stored.texts))
  const texts = changeTexts(stored.texts, body, locale)
  const external_reference = body.external_reference ?? stored.external_reference
  return { state: { ...stored, external_reference, texts, bounds, relations }, errors }
}
