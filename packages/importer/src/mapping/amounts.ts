import { decimalsOf } from '@auction-catalogue/client'
import { FormattedNumber } from '../source/cells.ts'
import { Misfit } from '../misfit.ts'
import type { Money } from '../records.ts'

const symbols: Record<string, string> = {
  '€': 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  $: 'USD',
  'Fr.': 'CHF',
  zł: 'PLN',
  Ft: 'HUF',
}

// Thousands are separated by the other of the two signs, by spaces (also no-break spaces) or by apostrophes.
const patterns = {
  ',': /^(?<whole>\d{1,3}(?:(?<thousand>[. \u00a0\u202f'’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:,(?:(?<part>\d+)|-{1,2}|[–—]))?$/,
  '.': /^(?<whole>\d{1,3}(?:(?<thousand>[, \u00a0\u202f'’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:\.(?:(?<part>\d+)|-{1,2}|[–—]))?$/,
}
// A dash behind the decimal sign means no cents: `1.250,-`.
const centless = { ',': /(?<=\d),(?:-{1,2}|[–—])(?!\d)/g, '.': /(?<=\d)\.(?:-{1,2}|[–—])(?!\d)/g }

/** An amount with its currency and all of its decimals: `EUR 450.50`. */
export function printMoney({ amount, currency }: Money): string {
  const digits = decimalsOf(currency)
  return `${currency} ${(amount / 10 ** digits).toFixed(digits)}`
}

/** The sign before the decimals. */
export type DecimalSign = keyof typeof patterns

const absences =
  /^(?:[-–—]+|p\.?o\.?[ar]\.?|n\.?v\.?t\.?|n\/a|op aanvraag|(?:price |estimate )?(?:up)?on request|(?:preis |taxe |schätzpreis )?auf anfrage|(?:prix |estimation )?sur demande|(?:stima |prezzo )?a richiesta|(?:precio |estimación )?a consultar)$/i
// Spreadsheet programs show and export a zero as `€ -`.
const signedDash = /^(?:[€£$]|[A-Z]{3})?\s*[-–—]+\s*(?:[€£$]|[A-Z]{3})?$/

/** Whether a cell states that there is no amount: `-`, `€ -`, `p.o.a.`, `op aanvraag`. */
export const isNoAmount = (text: string): boolean => absences.test(text.trim()) || signedDash.test(text.trim())

/** Splits a range into its bounds. If the mapping names a dash, any dash separates them, such as in `€ 400 – € 600`. */
export function splitRange(text: string, range: string, decimal: DecimalSign): string[] {
  const sign = /^[-–—]$/.test(range.trim()) ? /[-–—]/ : range
  return text
    .replaceAll(centless[decimal], '')
    .split(sign)
    .map((bound) => bound.trim())
}

/**
 * Reads the amount of a cell in minor units. A text has the given decimal sign, and as many decimals as the currency or
 * none: `€ 1.250,50` and `1250,-` with a comma. The text that a format shows beside a number follows the same rules.
 * @throws Misfit for another notation, another currency, or another number of decimals
 */
export function parseAmount(cell: string | number | FormattedNumber, decimal: DecimalSign, currency: string): number {
  if (cell instanceof FormattedNumber) {
    parseAmount(`${cell.before}0${cell.behind}`, decimal, currency)
    return parseAmount(cell.number, decimal, currency)
  }
  const digits = decimalsOf(currency)
  const thousands = decimal === ',' ? '.' : ','
  const part = digits === 0 ? '' : `${decimal}50`.padEnd(digits + 1, '0')
  const fits = `with the decimal sign "${decimal}" in ${currency}, such as 1${thousands}250${part}`
  const misfit = new Misfit(`is not an amount ${fits}`)
  if (typeof cell === 'number') {
    const [whole, decimals = ''] = String(cell).split('.')
    if (!/^\d+$/.test(whole!) || !/^\d*$/.test(decimals) || decimals.length > digits) throw misfit
    return toMinor(whole!, decimals, digits, misfit)
  }
  const text = cell.trim()
  const sign = [...Object.keys(symbols), ...Object.values(symbols), currency].find(
    (symbol) => text.startsWith(symbol) || text.endsWith(symbol),
  )
  if (sign !== undefined && (symbols[sign] ?? sign) !== currency)
    throw new Misfit(`is in another currency than ${currency}, which the mapping names`)
  const number = sign === undefined ? text : text.replace(sign, '').trim()
  const groups = patterns[decimal].exec(number)?.groups
  if (groups === undefined) throw misfit
  const whole = groups.whole!.replaceAll(/\D/g, '')
  const decimals = groups.part ?? ''
  if (decimals.length === 3 && digits !== 3 && groups.whole === whole)
    throw new Misfit(
      `could be ${whole}${decimals}, or ${whole} and decimals, of which ${currency} has ${digits}: write an amount ${fits}`,
    )
  if (decimals !== '' && decimals.length !== digits) throw misfit
  return toMinor(whole, decimals, digits, misfit)
}

function toMinor(whole: string, decimals: string, digits: number, misfit: Misfit): number {
  const amount = Number(whole + decimals.padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) throw misfit
  return amount
}
