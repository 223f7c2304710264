import { decimalsOf, type Money } from '@auction-catalogue/client'
import { readAmount } from '../lot/draft.ts'

/** A typed price in whole units as money; null for an empty text. Throws `refusal` for any other text. */
export function readPrice(text: string | undefined, currency: string, refusal: string): Money | null {
  const units = readAmount(text ?? '')
  if (units === null) return null
  if (Number.isNaN(units) || units === 0) throw refusal
  return { amount: units * 10 ** decimalsOf(currency), currency }
}
