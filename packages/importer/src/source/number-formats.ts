import { BrokenCell, DateCell, FormattedNumber, type Cell } from './cells.ts'

// The formats of dates, times and percentages that a workbook need not describe. All other built-in ones show numbers.
const builtIn: Record<string, string> = { 9: '0%', 10: '0.00%' }
for (const id of [14, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]) builtIn[id] = 'd-m-yyyy'
for (const id of [18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]) builtIn[id] = 'hh:mm:ss'
Object.assign(builtIn, { 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 22: 'd-m-yyyy h:mm' })

/** The format with this id, from the workbook or built in. Empty if it shows a plain number. */
export const formatOf = (id: string, own: ReadonlyMap<string, string>): string => own.get(id) ?? builtIn[id] ?? ''

/** The letters of a format that stand for parts of a number, a date or a time. */
const lettersOf = (format: string) =>
  format
    .replace(/"[^"]*"|[\\_*]./g, '')
    .replace(/\[(?:h+|m+|s+)\]/gi, 'h')
    .replace(/\[[^\]]*\]|general/gi, '')

/** Whether a format shows a number as a date or a time. */
const isDateFormat = (format: string) => /[dmyhs]/i.test(lettersOf(format))

/** A date without its midnight if the format shows no hours: `2026-04-12 00:00:00`. */
export const toShownDate = (date: string, format: string): string =>
  /h/i.test(lettersOf(format)) ? date : date.replace(' 00:00:00', '')

/** Whether a format shows a number as a percentage. */
const isPercentFormat = (format: string) => format.replace(/"[^"]*"|\\./g, '').includes('%')

const secondsOfDay = 86_400
// The days from 1899-12-30 (day 0) to 1970-01-01, and to 1904-01-01.
const [daysTo1970, daysTo1904] = [25_569, 1_462]
// The numbers of 1 March 1900, and of the day after the year 9999.
const [firstDay, lastDay] = [61, 2_958_466]

const datePart = /"([^"]*)"|\\(.)|\[([hms])+\]|\[[^\]]*\]|AM\/PM|A\/P|(y+|m+|d+|h+|s+)|_.|\*.|;.*|(.)/gi

/** What a cell shows for a date in a format such as `d-mmm`, with the names of months and days in a language. */
function printShown(date: Date, format: string, locale: string): string {
  const name = (part: 'month' | 'weekday', style: 'short' | 'long') =>
    new Intl.DateTimeFormat(locale, { [part]: style, timeZone: 'UTC' }).format(date).replace(/\.$/, '')
  const pad = (value: number, length: number) => String(value).padStart(Math.min(length, 2), '0')
  const isHalved = /AM\/PM|A\/P/i.test(format)
  let isAfterHour = false
  return [...format.matchAll(datePart)]
    .map(([whole, quoted, escaped, elapsed, part = elapsed, other], index, parts) => {
      if (part === undefined)
        return quoted ?? escaped ?? other ?? (/^a/i.test(whole) ? (date.getUTCHours() < 12 ? 'AM' : 'PM') : '')
      const kind = part[0]!.toLowerCase()
      const next = parts.slice(index + 1).find((each) => (each[4] ?? each[3]) !== undefined)
      const isMinute = kind === 'm' && (isAfterHour || /^s/i.test(next?.[4] ?? ''))
      isAfterHour = kind === 'h'
      if (isMinute) return pad(date.getUTCMinutes(), part.length)
      if (kind === 'h') return pad(isHalved ? ((date.getUTCHours() + 11) % 12) + 1 : date.getUTCHours(), part.length)
      if (kind === 's') return pad(date.getUTCSeconds(), part.length)
      if (kind === 'y') return part.length > 2 ? String(date.getUTCFullYear()) : String(date.getUTCFullYear()).slice(2)
      if (part.length > 2) return name(kind === 'm' ? 'month' : 'weekday', part.length === 3 ? 'short' : 'long')
      return pad(kind === 'm' ? date.getUTCMonth() + 1 : date.getUTCDate(), part.length)
    })
    .join('')
}

/** The date and time of a number of days, to the second: `2026-04-12 19:30:00`. Less than a day is only a time. */
function readSerial(serial: number, is1904: boolean, format: string): Cell {
  const days = serial + (is1904 ? daysTo1904 : 0)
  const isTime = serial >= 0 && serial < 1
  if (!isTime && (days < firstDay || days >= lastDay))
    return new BrokenCell(
      String(serial),
      'is a date before March 1900 or after 9999, or a length of time: write it as a text',
    )
  const seconds = Math.round((isTime ? serial : days) * secondsOfDay)
  if (isTime && seconds === secondsOfDay) return new DateCell('24:00:00', () => '24:00:00')
  const date = new Date((seconds - (isTime ? 0 : daysTo1970 * secondsOfDay)) * 1000)
  const [day, time] = date.toISOString().slice(0, 19).split('T') as [string, string]
  const text = isTime ? time : toShownDate(`${day} ${time}`, format)
  return new DateCell(text, (locale) => printShown(date, format, locale))
}

// Spreadsheet programs keep 15 digits.
const firstInexact = 1e15

const literal = /"([^"]*)"|\\(.)|([-/ ():])/y

/** A number in the format of a reference, such as `0012` or `V-0012`. Undefined for any other format. */
function printPadded(number: number, format: string): string | undefined {
  const plain = format.replace(/\[[^\]]*\]/g, '')
  if (!/0{2}/.test(plain) || !Number.isInteger(number) || number < 0 || number >= firstInexact) return undefined
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

/** A number with more than three decimals as its format shows it: a computed 333.3333 that shows 333 is 333. */
function roundAsShown(number: number, format: string): number {
  const [, decimals = ''] =
    /[0#?](?:\.([0#?]+))?(?=[^0#?.,]*(?:;|$))/.exec(format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')) ?? []
  const isPlain = !/general|e[+-]|\/|,(?![0#?])/i.test(format) && /[0#?]/.test(format)
  return isPlain && !Number.isInteger(number * 1000) ? Number(number.toFixed(decimals.length)) : number
}

/**
 * The value that a cell shows for a number: a date, a percentage, a reference with its zeros, or the number with its signs.
 */
export function readNumber(number: number, format: string, is1904: boolean): Cell {
  if (isDateFormat(format)) return readSerial(number, is1904, format)
  if (isPercentFormat(format)) return `${withoutNoise(number * 100)} %`
  return printPadded(number, format) ?? withSigns(roundAsShown(withoutNoise(number), format), format)
}
