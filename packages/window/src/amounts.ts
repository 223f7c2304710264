import { decimalsOf, type Money } from '@auction-catalogue/client'
import { readAmount, type DecimalSign } from '@auction-catalogue/client/amounts'
import type { Language } from './settings.ts'

/** The decimal sign of a language. */
export const decimalOf = (language: Language) =>
  new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal')!.value as DecimalSign

/**
 * A typed amount in minor units, by the importer's rule with the decimal sign of the language: null for an empty text,
 * NaN for one that is no amount.
 */
export function readTyped(text: string, currency: string, language: Language): number | null {
  if (text.trim() === '') return null
  const amount = readAmount(text, decimalOf(language), currency)
  return typeof amount === 'number' ? amount : NaN
}

/** A typed bound of an estimate, as `readTyped` reads it. It has whole units. */
export function readBound(text: string, currency: string, language: Language): number | null {
  const amount = readTyped(text, currency, language)
  return amount === null || amount % 10 ** decimalsOf(currency) === 0 ? amount : NaN
}

/** A typed price as money; null for an empty text. Throws `refusal` for any other text. */
export function readPrice(text: string, currency: string, language: Language, refusal: string): Money | null {
  const amount = readTyped(text, currency, language)
  if (amount === null) return null
  if (Number.isNaN(amount) || amount === 0) throw refusal
  return { amount, currency }
}

/** An amount as it is typed, without its currency: `1250`, or `12,50`. */
export function printTyped({ amount, currency }: Money, language: Language): string {
  const digits = decimalsOf(currency)
  const units = amount / 10 ** digits
  return Number.isInteger(units) ? String(units) : units.toFixed(digits).replace('.', decimalOf(language))
}
