import { decimalsOf } from '@auction-catalogue/client'
import { findCurrencies, readAmount, simplifyAmount, type DecimalSign } from '@auction-catalogue/client/amounts'
import { FormattedNumber } from '../source/cells.ts'
import { divideShown } from '../source/shown-numbers.ts'
import { Misfit } from '../misfit.ts'
import { isNone } from './absences.ts'
import type { Money } from '../records.ts'

// A dash behind the decimal sign means no cents: `1.250,-`.
const centless = { ',': /(?<=\d),(?:-{1,2}|[–—])(?!\d)/g, '.': /(?<=\d)\.(?:-{1,2}|[–—])(?!\d)/g }

/** An amount with its currency and all of its decimals: `EUR 450.50`. */
export function printMoney({ amount, currency }: Money): string {
  const digits = decimalsOf(currency)
  return `${currency} ${(amount / 10 ** digits).toFixed(digits)}`
}

const absences =
  /^(?:[-–—]+|p\.?o\.?[ar]\.?|p\.?m\.?|pro memorie|n\.?v\.?t\.?|n\/a|op aanvraag|(?:price |estimate )?(?:up)?on request|(?:preis |taxe |schätzpreis )?auf anfrage|(?:prix |estimation )?sur demande|(?:stima |prezzo )?a richiesta|(?:precio |estimación )?a consultar)$/i
// Spreadsheet programs show and export a zero as `€ -`.
const signedDash = /^([^-–—]*)[-–—]+([^-–—]*)$/

/** Whether a cell states that there is no amount: `-`, `€ -`, `p.o.a.`, `op aanvraag`. */
export function isNoAmount(text: string): boolean {
  const plain = simplifyAmount(text)
  const beside = signedDash.exec(plain)?.slice(1)
  const isDash = beside?.every((word) => word.trim() === '' || findCurrencies(word).length > 0) ?? false
  return isDash || isNone(plain) || absences.test(plain)
}

const rangeWords = String.raw`t\/m|(?<!\p{L})(?:tot|to|bis|do|à|a|al|hasta|至|到)(?!\p{L})`
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Splits a range into its bounds, by the sign of the mapping or by another that can only mean a range: a dash, `/`, `to`,
 * `bis`, `à`, `t/m`.
 */
export function splitRange(text: string, range: string, decimal: DecimalSign): string[] {
  const sign = new RegExp(`\\s*(?:${rangeWords}|${escape(range.trim())}|[-–—~/])\\s*`, 'iu')
  return simplifyAmount(text)
    .replaceAll(centless[decimal], '')
    .split(sign)
    .map((bound) => bound.trim())
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
  const read = readAmount(cell, decimal, currency)
  if (typeof read === 'number') return read
  if (read.fault === 'sign')
    throw new Misfit(
      `has "${read.sign}" beside its number, which is no known sign of a currency: write an amount ${fits}`,
    )
  if (read.fault === 'currency') throw new Misfit(`is in another currency than ${currency}, which the mapping names`)
  if (read.fault === 'ambiguous')
    throw new Misfit(
      `could be ${read.whole}${read.decimals}, or ${read.whole} and decimals, of which ${currency} has ${digits}: write an amount ${fits}`,
    )
  throw misfit
}

function toMinor(whole: string, decimals: string, digits: number, misfit: Misfit): number {
  const amount = Number(whole + decimals.padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) throw misfit
  return amount
}
