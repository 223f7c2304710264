import { BrokenCell, DateCell, FormattedNumber, type Cell } from './cells.ts'
import { printShown } from './shown-numbers.ts'

// The formats that a workbook need not describe, without those that depend on the country.
const builtIn: Record<string, string> = { 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%' }
Object.assign(builtIn, { 11: '0.00E+00', 12: '# ?/?', 13: '# ??/??', 48: '##0.0E+0' })
for (const id of [37, 38]) builtIn[id] = '#,##0 ;(#,##0)'
for (const id of [39, 40]) builtIn[id] = '#,##0.00 ;(#,##0.00)'
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
function printDate(date: Date, format: string, locale: string): string {
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
  return new DateCell(text, (locale) => printDate(date, format, locale))
}

// The last digits of a computed number are noise: 12.300000000000001.
const withoutNoise = (number: number) => Number(number.toPrecision(15))

/**
 * The value that a cell shows for a number: a date, a percentage, or a number in a format. A number that its format does not
 * show, or whose format is not understood, has a problem.
 */
export function readNumber(number: number, format: string, is1904: boolean): Cell {
  if (isDateFormat(format)) return readSerial(number, is1904, format)
  if (isPercentFormat(format)) return `${withoutNoise(number * 100)} %`
  const plain = withoutNoise(number)
  if (/^(?:general|@)?$/i.test(format)) return plain
  return readShown(plain, format, (shown) => {
    if (/\d/.test(shown)) return new FormattedNumber(plain, format)
    return shown === '' && plain === 0 ? null : shown
  })
}

/** The value that a cell shows for a text: a format may write something beside it, such as `@" cm"`. */
export function readText(text: string, format: string): Cell {
  const isPlain = /(?:^|;)(?:_.)*@(?:_.)*$/.test(format) || !/@|;.*;.*;/.test(format)
  return isPlain || text.trim() === '' ? text : readShown(text, format, (shown) => shown)
}

function readShown(value: number | string, format: string, read: (shown: string) => Cell): Cell {
  try {
    const cell = read(printShown(value, format, 'en'))
    if (cell !== '') return cell
    return new BrokenCell(String(value), `is not shown in its cell, by the format "${format}": choose another format`)
  } catch {
    return new BrokenCell(String(value), `has the format "${format}", which cannot be read: choose another format`)
  }
}
