// Those that a workbook need not describe: of dates and times, and of percentages. Any other is of numbers.
const builtIn: Record<string, string> = { 9: '0%', 10: '0.00%' }
for (const id of [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]) builtIn[id] = 'yyyy-mm-dd'
for (const id of [18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]) builtIn[id] = 'hh:mm:ss'

/** The format with a number: one of the workbook's own, or one that all have. Empty where it says nothing of interest. */
export const formatOf = (id: string, own: ReadonlyMap<string, string>): string => own.get(id) ?? builtIn[id] ?? ''

/** Whether a format shows a number as a date or a time. */
export function isDateFormat(format: string): boolean {
  const shown = format
    .replace(/"[^"]*"|[\\_*]./g, '')
    .replace(/\[(?:h+|m+|s+)\]/gi, 'h')
    .replace(/\[[^\]]*\]/g, '')
  return /[dmyhs]/i.test(shown.replace(/general/gi, ''))
}

const secondsOfDay = 86_400
// From 1899-12-30, which is day 0, to 1970-01-01; and to 1904-01-01.
const [daysTo1970, daysTo1904] = [25_569, 1_462]

/** A number of days as the date and time that it stands for, to the second: `2026-04-12 19:30:00`. */
export function printSerial(days: number, is1904: boolean): string {
  const seconds = Math.round((days + (is1904 ? daysTo1904 : 0) - daysTo1970) * secondsOfDay)
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return String(days)
  const [day, time] = date.toISOString().slice(0, 19).split('T') as [string, string]
  // A cell that shows a time alone has the first day of the calendar of spreadsheets.
  if (date.getUTCFullYear() <= 1900) return time
  return time === '00:00:00' ? day : `${day} ${time}`
}
