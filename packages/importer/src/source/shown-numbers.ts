import { addLocale, format as print, getLocale } from 'numfmt'

// A decimal sign that no format writes, and no sign for thousands: all other signs stand beside the digits.
const decimalMark = '\uFDD4'
const marking = 'zz'
addLocale({ decimal: decimalMark, group: '' }, marking)

// The language of a format, as in `[$€-413]`, is not that of its numbers.
const withoutLanguage = (format: string) =>
  format.replace(/\[\$([^\]-]*)-[^\]]*\]/g, (_, sign: string) => sign && `[$${sign}]`)

/**
 * What a cell shows for a number or a text, with the signs of a language.
 * @throws Error if the format is not understood
 */
export const printShown = (value: number | string, format: string, locale: string): string =>
  print(withoutLanguage(format), value, { locale }).trim()

/**
 * What a cell shows in every language: with a point before the decimals. Signs between thousands and decimals that are zero
 * are left out.
 */
export function printPlain(value: number | string, format: string): string {
  const shown = printShown(value, format, marking).replace(/^\d+\uFDD40*$/, (text) => text.split(decimalMark)[0]!)
  const isGrouped = /^[1-9]\d{0,2}(?:[ .,'’`\u00A0\u202F]\d{3})+(?:\uFDD4\d+)?$/.test(shown)
  return (isGrouped ? shown.replaceAll(/[ .,'’`\u00A0\u202F]/g, '') : shown).replace(decimalMark, '.')
}

/** A number without a format, with the decimal sign of a language. */
export const printGeneral = (number: number, locale: string): string =>
  String(number).replace('.', getLocale(locale)?.decimal ?? '.')

// Thousands may be written by hand: `# ##0`, `#'##0`.
const figure = /^(\D*?)((?:\d{1,3}(?:[ .,'’`\u00A0\u202F]\d{3})+|\d+)?(?:\uFDD4\d+)?)([^\d\uFDD4]*)$/

/** A number as its cell shows it, and the texts before and behind it. */
export type Shown = { number: number; before: string; behind: string }

/** Divides what a cell shows for a number. Undefined if that is not the number, but `12-345` or `1 1/2`. */
export function divideShown(value: number, format: string): Shown | undefined {
  // Dashes in place of decimals mean none. A number below 1000 keeps the sign of `#'##0`.
  const text = printShown(value, format, marking)
    .replace(/\uFDD4(?!\d)(?:-{1,2}|[–—])?/, '')
    .replace(/^[.,'’`](?=\d)/, '')
  const [, before = '', digits = '', behind = ''] = figure.exec(text) ?? []
  const [whole, decimals = ''] = digits.split(decimalMark)
  const number = Number(`${whole!.replaceAll(/\D/g, '')}.${decimals}`)
  return digits !== '' && Math.abs(number - value) < 1 ? { number, before, behind } : undefined
}
