import { decimalsOf } from '@auction-catalogue/client'
import { FormattedNumber } from '../source/cells.ts'
import { divideShown } from '../source/shown-numbers.ts'
import { Misfit } from '../misfit.ts'
import { isNone } from './absences.ts'
import { findCurrencies } from './currencies.ts'
import type { Money } from '../records.ts'

// Thousands are separated by the other of the two signs, by spaces or by apostrophes.
const patterns = {
  ',': /^(?<whole>\d{1,3}(?:(?<thousand>[. '’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:,(?:(?<part>\d+)|-{1,2}|[–—]))?$/,
  '.': /^(?<whole>\d{1,3}(?:(?<thousand>[, '’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:\.(?:(?<part>\d+)|-{1,2}|[–—]))?$/,
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
  /^(?:[-–—]+|p\.?o\.?[ar]\.?|p\.?m\.?|pro memorie|n\.?v\.?t\.?|n\/a|op aanvraag|(?:price |estimate )?(?:up)?on request|(?:preis |taxe |schätzpreis )?auf anfrage|(?:prix |estimation )?sur demande|(?:stima |prezzo )?a richiesta|(?:precio |estimación )?a consultar)$/i
// Spreadsheet programs show and export a zero as `€ -`.
const signedDash = /^([^-–—]*)[-–—]+([^-–—]*)$/

/** Whether a cell states that there is no amount: `-`, `€ -`, `p.o.a.`, `op aanvraag`. */
export function isNoAmount(text: string): boolean {
  const plain = simplify(text)
  const beside = signedDash.exec(plain)?.slice(1)
  const isDash = beside?.every((word) => word.trim() === '' || findCurrencies(word).length > 0) ?? false
  return isDash || isNone(plain) || absences.test(plain)
}

// Full-width signs, and all kinds of spaces and hyphens, become plain ones. A raised digit is no digit: `500¹` has a note.
const simplify = (text: string) =>
  text
    .replaceAll(/[\uFF01-\uFF5E\uFFE0-\uFFE6]/g, (sign) => sign.normalize('NFKC'))
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/[\u2010-\u2012\u2015\u2212\uFE58\uFE63]/g, '-')
    .trim()

const rangeWords = String.raw`t\/m|(?<!\p{L})(?:tot|to|bis|do|à|a|al|hasta|至|到)(?!\p{L})`
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Splits a range into its bounds, by the sign of the mapping or by another that can only mean a range: a dash, `/`, `to`,
 * `bis`, `à`, `t/m`.
 */
export function splitRange(text: string, range: string, decimal: DecimalSign): string[] {
  const sign = new RegExp(`\\s*(?:${rangeWords}|${escape(range.trim())}|[-–—~/])\\s*`, 'iu')
  return simplify(text)
    .replaceAll(centless[decimal], '')
    .split(sign)
    .map((bound) => bound.trim())
}

/** Checks that a text beside an amount is a sign or a word of its currency. `fits` says how to write an amount. */
function checkSign(text: string, currency: string, fits: string): void {
  const word = text.trim()
  if (word === '') return
  const codes = findCurrencies(word)
  if (codes.length === 0 && /\p{L}$|^\p{L}/u.test(text) && word === text) throw new Misfit(`is not an amount ${fits}`)
  if (codes.length === 0)
    throw new Misfit(`has "${word}" beside its number, which is no known sign of a currency: write an amount ${fits}`)
  if (!codes.includes(currency)) throw new Misfit(`is in another currency than ${currency}, which the mapping names`)
}

/**
 * Reads the amount of a cell in minor units. A text has the given decimal sign, and as many decimals as the currency or
 * none: `€ 1.250,50` and `1250,-` with a comma. The text that a format shows beside a number follows the same rules.
 * @throws Misfit for another notation, another currency, or another number of decimals. Its example fits an estimate, which
 * the service takes only as a multiple of 100 minor units, if `isEstimate`
 */
export function parseAmount(
  cell: string | number | FormattedNumber,
  decimal: DecimalSign,
  currency: string,
  isEstimate = false,
): number {
  const digits = decimalsOf(currency)
  const thousands = decimal === ',' ? '.' : ','
  const part = digits === 0 || isEstimate ? '' : `${decimal}50`.padEnd(digits + 1, '0')
  const example = `1${thousands}${digits === 0 && isEstimate ? '200' : '250'}${part}`
  const fits = `with the decimal sign "${decimal}" in ${isEstimate ? 'whole ' : ''}${currency}, such as ${example}`
  const misfit = new Misfit(`is not an amount ${fits}`)
  if (cell instanceof FormattedNumber) {
    const shown = divideShown(cell.number, cell.format)
    if (shown === undefined)
      throw new Misfit(`is shown by the format "${cell.format}", which is none of an amount: write an amount ${fits}`)
    parseAmount(`${shown.before}0${shown.behind}`, decimal, currency, isEstimate)
    // The decimals of a computed number count as they are shown.
    const isTyped = /^-?\d+(?:\.\d{1,3})?$/.test(String(cell.number))
    return parseAmount(isTyped ? cell.number : shown.number, decimal, currency, isEstimate)
  }
  if (typeof cell === 'number') {
    const [whole, decimals = ''] = String(cell).split('.')
    if (!/^\d+$/.test(whole!) || !/^\d*$/.test(decimals)) throw misfit
    if (decimals.length > digits)
      throw new Misfit(
        `has ${decimals.length} decimals in the spreadsheet, and ${currency} has ${digits}: round it there`,
      )
    return toMinor(whole!, decimals, digits, misfit)
  }
  const text = simplify(cell)
  const [, before = '', number = '', behind = ''] =
    /^([^\d]*?)(-?\d(?:.*\d)?(?:[.,](?:-{1,2}|[–—]))?)([^\d]*)$/.exec(text) ?? []
  if (number === '') throw misfit
  for (const word of [before, behind]) checkSign(word, currency, fits)
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
