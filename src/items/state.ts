import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../problems.ts'
import type { Locale } from '../values/locales.ts'
import type { ItemBody } from './bodies.ts'
import { changeBounds, checkOrder, type Bounds } from './estimate.ts'
import { checkLengths } from './lengths.ts'
import { changeRelations, noRelations, type Found, type Relations } from './relations.ts'
import { changeTexts, noTexts, type ItemTexts } from './texts.ts'

/** The part of an item that writes change. */
export type ItemState = { external_reference: string | null; texts: ItemTexts; bounds: Bounds; relations: Relations }

/** The state of an item before it is created. */
export const noState: ItemState = {
  external_reference: null,
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
  // Categories are a set: another order is no change.
  const { categories } = stored.relations
  if (isDeepStrictEqual(categories.toSorted(), relations.categories.toSorted())) relations.categories = categories
  const bounds = changeBounds(stored.bounds, body.estimate)
  if (!isDeepStrictEqual(bounds, stored.bounds)) errors.push(...checkOrder(bounds))
  errors.push(...checkLengths(body, locale, stored.texts))
  const texts = changeTexts(stored.texts, body, locale)
  const external_reference = body.external_reference ?? stored.external_reference
  return { state: { external_reference, texts, bounds, relations }, errors }
}
