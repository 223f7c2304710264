import { BrokenCell, FormattedNumber, type Cell } from './cells.ts'

// The formats of dates, times and percentages that a workbook need not describe. All other built-in ones show numbers.
const builtIn: Record<string, string> = { 9: '0%', 10: '0.00%' }
for (const id of [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]) builtIn[id] = 'yyyy-mm-dd'
for (const id of [18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]) builtIn[id] = 'hh:mm:ss'

/** The format with this id, from the workbook or built in. Empty if it shows a plain number. */
export const formatOf = (id: string, own: ReadonlyMap<string, string>): string => own.get(id) ?? builtIn[id] ?? ''

/** Whether a format shows a number as a date or a time. */
function isDateFormat(format: string): boolean {
  const shown = format
    .replace(/"[^"]*"|[\\_*]./g, '')
    .replace(/\[(?:h+|m+|s+)\]/gi, 'h')
    .replace(/\[[^\]]*\]/g, '')
  return /[dmyhs]/i.test(shown.replace(/general/gi, ''))
}

/** Whether a format shows a number as a percentage. */
const isPercentFormat = (format: string) => format.replace(/"[^"]*"|\\./g, '').includes('%')

const secondsOfDay = 86_400
// The days from 1899-12-30 (day 0) to 1970-01-01, and to 1904-01-01.
const [daysTo1970, daysTo1904] = [25_569, 1_462]
// The numbers of 1 March 1900, and of the day after the year 9999.
const [firstDay, lastDay] = [61, 2_958_466]

/** The date and time of a number of days, to the second: `2026-04-12 19:30:00`. Less than a day is only a time. */
function printSerial(serial: number, is1904: boolean): Cell {
  const days = serial + (is1904 ? daysTo1904 : 0)
  const isTime = serial >= 0 && serial < 1
  if (!isTime && (days < firstDay || days >= lastDay))
    return new BrokenCell(
      String(serial),
      'is a date before March 1900 or after 9999, or a length of time: write it as a text',
    )
  const seconds = Math.round((isTime ? serial : days) * secondsOfDay)
  if (isTime && seconds === secondsOfDay) return '24:00:00'
  const date = new Date((seconds - (isTime ? 0 : daysTo1970 * secondsOfDay)) * 1000)
  const [day, time] = date.toISOString().slice(0, 19).split('T') as [string, string]
  if (isTime) return time
  return time === '00:00:00' ? day : `${day} ${time}`
}

const literal = /"([^"]*)"|\\(.)|([-/ ():])/y

/** A number in the format of a reference, such as `0012` or `V-0012`. Undefined for any other format. */
function printPadded(number: number, format: string): string | undefined {
  const plain = format.replace(/\[[^\]]*\]/g, '')
  if (!/0{2}/.test(plain) || !Number.isSafeInteger(number) || number < 0) return undefined
  const parts: { zeros?: number; text: string }[] = []
  for (let at = 0; at < plain.length;) {
    const [zeros] = /^0+/.exec(plain.slice(at)) ?? []
    literal.lastIndex = at
    const found = zeros === undefined ? literal.exec(plain) : undefined
    if (zeros !== undefined) parts.push({ zeros: zeros.length, text: '' })
    else if (found) parts.push({ text: found[1] ?? found[2] ?? found[3]! })
    else return undefined
    at += zeros?.length ?? found![0].length
  }
  const first = parts.findIndex(({ zeros }) => zeros !== undefined)
  let digits = String(number).padStart(
    parts.reduce((sum, { zeros = 0 }) => sum + zeros, 0),
    '0',
  )
  for (const [index, part] of [...parts.entries()].toReversed()) {
    if (part.zeros === undefined) continue
    const cut = index === first ? 0 : digits.length - part.zeros
    part.text = digits.slice(cut)
    digits = digits.slice(0, cut)
  }
  return parts.map(({ text }) => text).join('')
}

// A piece of a format: a text, a sign, digits, or a part that shows nothing (a width, a filling, a colour, a language).
const piece =
  /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|([-+/ ():€£$!^&'~{}=])|(General|[#0?](?:[#0?,.]*[#0?])?)|@|_.|\*.|\[[^\]<>=]*\]/iy

/**
 * A number with the text that its format shows beside it. Only the number if there is no text, or the format is not simple.
 */
function withSigns(number: number, format: string): Cell {
  if (number < 0) return number
  const sections = [{ beside: ['', ''], digits: 0 }]
  for (let at = 0; at < format.length; at = piece.lastIndex) {
    const section = sections.at(-1)!
    piece.lastIndex = at + 1
    if (format[at] === ';' && number > 0) break
    if (format[at] === ';') sections.push({ beside: ['', ''], digits: 0 })
    else {
      piece.lastIndex = at
      const found = piece.exec(format)
      // Optional digits show nothing for a zero.
      const isShown = found?.[5] !== undefined && (number > 0 || /[0g]/i.test(found[5]))
      if (found === null || (isShown && ++section.digits > 1)) return number
      section.beside[section.digits] += found[1] ?? found[2] ?? found[3] ?? found[4] ?? ''
    }
  }
  // The third section formats a zero: it may show a dash, or nothing.
  const zero = number === 0 ? sections[2] : undefined
  const { beside, digits } = zero ?? sections[0]!
  const [before, behind] = [beside[0]!.trimStart(), beside[1]!.trimEnd()]
  if (zero?.digits === 0) return before.trim() || null
  return digits === 0 || before + behind === '' ? number : new FormattedNumber(number, before, behind)
}

// The last digits of a computed number are noise: 12.300000000000001.
const withoutNoise = (number: number) => Number(number.toPrecision(15))

/**
 * The value that a cell shows for a number: a date, a percentage, a reference with its zeros, or the number with its signs.
 */
export function readNumber(number: number, format: string, is1904: boolean): Cell {
  if (isDateFormat(format)) return printSerial(number, is1904)
  if (isPercentFormat(format)) return `${withoutNoise(number * 100)} %`
  return printPadded(number, format) ?? withSigns(withoutNoise(number), format)
}
