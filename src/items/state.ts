import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../problems.ts'
import type { Locale } from '../values/locales.ts'
import type { Money } from '../values/money.ts'
import { changeRelations, noRelations, type Found, type Relations } from './relations.ts'
import { type ItemBody, type Bounds, checkOrder } from './schema.ts'
import { changeTexts, checkLengths, noTexts, type ItemTexts } from './texts.ts'

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
