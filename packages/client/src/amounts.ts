import { findCurrencies } from './currency-signs.ts'
import { decimalsOf } from './generated/currencies.ts'

export { currencyPattern, findCurrencies } from './currency-signs.ts'

// Thousands are separated by the other of the two signs, by spaces or by apostrophes.
const patterns = {
  ',': /^(?<whole>\d{1,3}(?:(?<thousand>[. '’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:,(?:(?<part>\d+)|-{1,2}|[–—]))?$/,
  '.': /^(?<whole>\d{1,3}(?:(?<thousand>[, '’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:\.(?:(?<part>\d+)|-{1,2}|[–—]))?$/,
}

/** The sign before the decimals. */
export type DecimalSign = keyof typeof patterns

/**
 * Why a text is no amount: its notation, a text beside the number that is no known sign of a currency, the sign of another
 * currency, or a sign that may group digits or begin decimals.
 */
export type AmountFault =
  | { fault: 'notation' | 'currency' }
  | { fault: 'sign'; sign: string }
  | { fault: 'ambiguous'; whole: string; decimals: string }

/**
 * An amount as it is typed, in plain signs: full-width signs, and all kinds of spaces and hyphens, become plain ones. A
 * raised digit is no digit: `500¹` has a note.
 */
export const simplifyAmount = (text: string): string =>
  text
    .replaceAll(/[\uFF01-\uFF5E\uFFE0-\uFFE6]/g, (sign) => sign.normalize('NFKC'))
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/[\u2010-\u2012\u2015\u2212\uFE58\uFE63]/g, '-')
    .trim()

function findFault(beside: string, currency: string): AmountFault | undefined {
  const sign = beside.trim()
  if (sign === '') return undefined
  const codes = findCurrencies(sign)
  if (codes.includes(currency)) return undefined
  if (codes.length > 0) return { fault: 'currency' }
  return /\p{L}$|^\p{L}/u.test(beside) && sign === beside ? { fault: 'notation' } : { fault: 'sign', sign }
}

/**
 * Reads an amount as people type it, in minor units. It has the given decimal sign, as many decimals as the currency or
 * none, and digits in groups or not, with a sign of the currency or without: `€ 1.250,50` and `1250,-` with a comma.
 */
export function readAmount(text: string, decimal: DecimalSign, currency: string): number | AmountFault {
  const digits = decimalsOf(currency)
  const [, before = '', number = '', behind = ''] =
    /^([^\d]*?)(-?\d(?:.*\d)?(?:[.,](?:-{1,2}|[–—]))?)([^\d]*)$/.exec(simplifyAmount(text)) ?? []
  if (number === '') return { fault: 'notation' }
  for (const beside of [before, behind]) {
    const fault = findFault(beside, currency)
    if (fault) return fault
  }
  const groups = patterns[decimal].exec(number)?.groups
  if (groups === undefined) return { fault: 'notation' }
  const whole = groups['whole']!.replaceAll(/\D/g, '')
  const decimals = groups['part'] ?? ''
  if (decimals.length === 3 && digits !== 3 && groups['whole'] === whole) return { fault: 'ambiguous', whole, decimals }
  if (decimals !== '' && decimals.length !== digits) return { fault: 'notation' }
  const amount = Number(whole + decimals.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) ? amount : { fault: 'notation' }
}
