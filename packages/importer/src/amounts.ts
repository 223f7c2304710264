import { Misfit } from './misfit.ts'

const symbols: Record<string, string> = { '€': 'EUR', '£': 'GBP', $: 'USD', 'Fr.': 'CHF', zł: 'PLN', Ft: 'HUF' }

const digitsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

// The other of the two signs separates thousands, as do spaces (also those that do not break) and apostrophes.
const patterns = {
  ',': /^(?<whole>\d{1,3}(?:(?<thousand>[. \u00a0\u202f'’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:,(?<part>\d+|-{1,2}|–))?$/,
  '.': /^(?<whole>\d{1,3}(?:(?<thousand>[, \u00a0\u202f'’])\d{3}(?:\k<thousand>\d{3})*)?|\d+)(?:\.(?<part>\d+|-{1,2}|–))?$/,
}

/** The sign before the decimals. */
export type DecimalSign = keyof typeof patterns

/**
 * The amount of a cell in minor units. A text has the decimal sign that is named: `€ 1.250,50` and `1250,-` with a comma.
 * @throws Misfit for another notation, another currency's sign, and more decimals than the currency has
 */
export function parseAmount(cell: string | number, decimal: DecimalSign, currency: string): number {
  const text = String(cell).trim()
  const digits = digitsOf(currency)
  const misfit = new Misfit(
    `is no amount with the decimal sign "${decimal}" in ${currency}, such as ${decimal === ',' ? '1.250,50' : '1,250.50'}`,
  )
  let number = text
  if (typeof cell === 'string') {
    const sign = [...Object.keys(symbols), ...Object.values(symbols), currency].find(
      (symbol) => text.startsWith(symbol) || text.endsWith(symbol),
    )
    if (sign !== undefined && (symbols[sign] ?? sign) !== currency)
      throw new Misfit(`is in another currency than ${currency}, which the mapping names`)
    if (sign !== undefined) number = text.replace(sign, '').trim()
    const groups = patterns[decimal].exec(number)?.groups
    if (groups === undefined) throw misfit
    const part = groups.part && /\d/.test(groups.part) ? groups.part : ''
    number = `${groups.whole!.replaceAll(/\D/g, '')}.${part}`
  }
  const [whole, part = ''] = number.split('.')
  if (!/^\d+$/.test(whole!) || !/^\d*$/.test(part) || /[1-9]/.test(part.slice(digits))) throw misfit
  const amount = Number(whole! + part.slice(0, digits).padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) throw misfit
  return amount
}
