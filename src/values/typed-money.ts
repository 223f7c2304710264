import { decimalsOf } from './currencies.ts'
import type { Money } from './money.ts'

/** A text that is no amount. The message says how it was understood, and what to write instead. */
export class AmountError extends Error {
  override name = 'AmountError'
}

const settings = { style: 'currency', useGrouping: false, numberingSystem: 'latn' } as const

// Making a format takes as long as using it a hundred times.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, locale?: string): Intl.NumberFormat {
  const digits = decimalsOf(currency)
  const key = `${currency} ${locale ?? ''}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, {
      ...settings,
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  formats.set(key, format)
  return format
}

/**
 * An amount in a locale, otherwise that of the machine, such as `€ 450,50`. Digits are not grouped, so that it can be typed
 * as shown.
 */
export function printMoney({ amount, currency }: Money, locale?: string): string {
  return simplify(formatOf(currency, locale).format(`${amount}E-${decimalsOf(currency)}` as `${number}`))
}

// Marks of direction, and spaces that do not break, are not typed, and would be copied.
const simplify = (text: string) =>
  text
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .replaceAll(/\s/g, ' ')
    .trim()

const signs = new Map<string, Set<string>>()

/** The signs of a currency: its code, and its symbols in English and in the locale of the machine. */
function signsOf(currency: string): Set<string> {
  const found =
    signs.get(currency) ??
    new Set([
      currency,
      ...['en', undefined].flatMap((locale) =>
        (['narrowSymbol', 'symbol'] as const).map((currencyDisplay) =>
          simplify(
            new Intl.NumberFormat(locale, { ...settings, currency, currencyDisplay })
              .formatToParts(0)
              .find(({ type }) => type === 'currency')!.value,
          ),
        ),
      ),
    ])
  signs.set(currency, found)
  return found
}

/** An amount in the form that is understood in any locale: `EUR 450.50`, and `EUR 450` without decimals. */
function spell(whole: string, decimals: string, currency: string): string {
  return `${currency} ${whole.replace(/^0+(?=\d)/, '')}${/[1-9]/.test(decimals) ? `.${decimals}` : ''}`
}

const anAmount = /^(\D*)(\d(?:.*\d)?)(\D*)$/s
const grouped = /^\d{1,3}(?<sign>[.,'’\s])\d{3}(?:\k<sign>\d{3})*(?:(?!\k<sign>)[.,](?<decimals>\d+))?$/
const countDecimals = (count: number) => `${count === 0 ? 'no' : count} decimal${count === 1 ? '' : 's'}`

/**
 * Reads an amount of a currency as people type it, in minor units: with the currency (`EUR 450`, `€ 450`), or with exactly
 * its decimals (`450,00`, `450.00`). A bare integer is an amount in units only with `units`; it used to be one in minor
 * units. `minorName` is the option or column for minor units.
 * @throws AmountError
 */
export function readTypedMoney(text: string, currency: string, minorName: string, units = false): number {
  const digits = decimalsOf(currency)
  const refuse = (why: string, write: string) => new AmountError(`${JSON.stringify(text)} ${why}: write ${write}`)
  const example = `an amount such as "${currency} 450"${digits === 0 ? '' : ` or "450.${'0'.repeat(digits)}"`}`
  const [before = '', number = '', behind = ''] =
    anAmount
      .exec(simplify(text))
      ?.slice(1)
      .map((part) => part.trim()) ?? []
  const [, dash, end = behind] = /^([.,] ?[-–—]+) ?(.*)$/s.exec(behind) ?? []
  if (number === '') throw refuse(`is not an amount in ${currency}`, example)
  if (before !== '' && end !== '') {
    const signs = `${JSON.stringify(before)} and ${JSON.stringify(end)}`
    throw refuse(`is understood as ${number} between ${signs}, but the currency is written once`, example)
  }
  const sign = before || end
  if (sign !== '' && ![...signsOf(currency)].some((each) => each.toUpperCase() === sign.toUpperCase()))
    throw refuse(
      `is understood as ${number} beside ${JSON.stringify(sign)}, which is not the currency of the house, ${currency}`,
      example,
    )
  if (dash !== undefined) throw refuse(...understandDash(number, currency, example))
  const [, whole, decimals] = /^(\d+)(?:[.,](\d+))?$/.exec(number) ?? []
  if (whole === undefined) throw refuse(...understandGroups(number, currency, example))
  if (decimals === undefined && sign === '' && !units) throw refuse(...understandBare(whole, currency, minorName))
  if (decimals !== undefined && decimals.length !== digits)
    throw refuse(...understandDecimals(whole, decimals, currency, example))
  const amount = Number(whole + (decimals ?? '').padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) throw refuse('is too large an amount', 'a smaller one')
  return amount
}

type Understood = [why: string, write: string]

function understandBare(whole: string, currency: string, minorName: string): Understood {
  const digits = decimalsOf(currency)
  const inUnits = spell(whole, '', currency)
  if (digits === 0) return [`could be minor units or units, which are the same in ${currency}`, `"${inUnits}"`]
  const padded = whole.padStart(digits + 1, '0')
  const inMinor = spell(padded.slice(0, -digits), padded.slice(-digits), currency)
  return [
    `could be ${inUnits}, or ${inMinor} if it is in minor units`,
    `"${inUnits}" or "${inMinor}", or use ${minorName}`,
  ]
}

function understandDecimals(whole: string, decimals: string, currency: string, example: string): Understood {
  const digits = decimalsOf(currency)
  const why = `has ${countDecimals(decimals.length)}, and ${currency} has ${countDecimals(digits)}`
  // Zeros beyond the decimals of the currency say nothing.
  const isExact = /^0*$/.test(decimals.slice(digits))
  const exact = spell(whole, decimals.slice(0, digits).padEnd(digits, '0'), currency)
  if (decimals.length === 3 && whole.length <= 3) {
    const inGroups = spell(whole + decimals, '', currency)
    return [
      `could be ${inGroups} with digits in groups, or ${why}`,
      isExact ? `"${inGroups}" or "${exact}"` : `"${inGroups}"`,
    ]
  }
  return [`is understood as ${whole} and the decimals ${decimals}: it ${why}`, isExact ? `"${exact}"` : example]
}

function understandDash(number: string, currency: string, example: string): Understood {
  const { decimals, sign } = grouped.exec(number)?.groups ?? {}
  if (!/^\d+$/.test(number) && (sign === undefined || decimals !== undefined))
    return [`is not an amount in ${currency}`, example]
  const spelt = spell(number.replaceAll(/\D/g, ''), '', currency)
  return [`is understood as ${spelt}, but a dash does not stand for decimals`, `"${spelt}"`]
}

function understandGroups(number: string, currency: string, example: string): Understood {
  const { decimals, sign } = grouped.exec(number)?.groups ?? {}
  if (sign === undefined || (decimals !== undefined && decimals.length !== decimalsOf(currency)))
    return [`is not an amount in ${currency}`, example]
  const whole = number.slice(0, decimals === undefined ? undefined : -decimals.length).replaceAll(/\D/g, '')
  const spelt = spell(whole, decimals ?? '', currency)
  return [`is understood as ${spelt}, but digits are not grouped`, `"${spelt}"`]
}
