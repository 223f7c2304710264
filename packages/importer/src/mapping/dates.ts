import { Misfit } from '../misfit.ts'

/** The orders of day, month and year in a date. */
export const dateOrders = ['d-m-y', 'm-d-y', 'y-m-d'] as const

/** One of these orders. */
export type DateOrder = (typeof dateOrders)[number]

const at = String.raw`(?:om|à|um|at|ab|ore|alle(?:\s+ore)?|a\s+las?|o\s+godz\.?|godz\.?)\s+`
const unit = String.raw`(?:uur|Uhr|hrs?|[uh]|(?<half>a|p)\.?m)\.?`
const clock = String.raw`(?<hour>\d{1,2})(?:\s*[:.,uh]\s*(?<minute>\d{2})(?:[:.](?<second>\d{2}))?)?`
const time = String.raw`(?:(?:T|,|\s[–-])?\s*(?:${at})?${clock}\s*(?:${unit})?)?`
// All successive digits are one number, so that a date gives none to its time. Polish dates may end with `r.`
const end = String.raw`(?!\d)(?:\.(?!\d)|日|\s*r\.?(?!\p{L}))?`
const between = String.raw`(?:\s*[-./年月]\s*|\s+)`
const patternOf = (date: string) => new RegExp(`^${date}${end}${time}$`, 'iu')
const numeric = patternOf(String.raw`(?<first>\d{1,4})${between}(?<middle>\d{1,2})${between}(?<last>\d{1,4})`)
const named = [
  String.raw`(?<day>\d{1,2})(?:\.|er|st|nd|rd|th)?\s+(?:de\s+)?(?<name>\p{L}+)\.?,?\s+(?:de\s+)?(?<year>\d{4})`,
  String.raw`(?<name>\p{L}+)\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})`,
  String.raw`(?<year>\d{4})\.?\s+(?<name>\p{L}+)\.?\s+(?<day>\d{1,2})`,
].map(patternOf)

const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')

/** Finds a month or a weekday by its name, or by the beginning of only one name: `sept`. */
function findName(text: string, names: [name: string, number: number][]): number | undefined {
  const wanted = letters(text)
  const exact = names.find(([name]) => name === wanted)?.[1]
  if (exact !== undefined || wanted.length < 3) return exact
  const begun = new Set(names.filter(([name]) => name.startsWith(wanted)).map(([, number]) => number))
  return begun.size === 1 ? [...begun][0] : undefined
}

// All rows share the formats: each takes time to make, and memory outside the heap, which is freed late.
const formats = new Map<string, Intl.DateTimeFormat>()

function getFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

function listNames(locale: string, part: 'month' | 'weekday', days: number[]): [string, number][] {
  return (['long', 'short'] as const).flatMap((style) => {
    // Beside a day, a month has the form that dates use, which differs in Polish.
    const format = getFormat(locale, { [part]: style, day: 'numeric', timeZone: 'UTC' })
    return days.map((day, index): [string, number] => {
      const parts = format.formatToParts(day)
      return [letters(parts.find(({ type }) => type === part)!.value), index]
    })
  })
}

const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1))
// 4 January 2026 is a Sunday.
const weekdays = Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 0, 4 + day))

/** Splits a date from its weekday. The weekday is a number: 0 is Sunday. */
function splitWeekday(text: string, locale: string): { plain: string; weekday: number | undefined } {
  const [whole, word] = /^(\p{L}+)[.,]*\s+/u.exec(text) ?? []
  // `Weds` is not the beginning of `Wednesday`.
  const weekday = word && findName(word.replace(/^weds$/i, 'wed'), listNames(locale, 'weekday', weekdays))
  return typeof weekday === 'number'
    ? { plain: text.slice(whole!.length), weekday }
    : { plain: text, weekday: undefined }
}

/** The first instant at which the clocks of a zone show this date and time. Undefined if they skip it. */
function toInstant(wall: number, zone: string): number | undefined {
  const format = getFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const shownAt = (instant: number) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second)
  }
  const guesses = [wall - 86_400_000, wall + 86_400_000].map((near) => wall - (shownAt(near) - near))
  return guesses.find((guess) => shownAt(guess) === wall)
}

/** Splits a date into year, month (from 1 on) and day, and gives the texts of its time. `half` is `a` or `p`. */
function parseDate(text: string, order: DateOrder, locale: string, misfit: (what?: string) => Misfit) {
  const digits = numeric.exec(text)?.groups
  if (digits) {
    const { first, middle, last } = digits
    const used = first!.length === 4 ? 'y-m-d' : order
    const parts = Object.fromEntries(used.split('-').map((name, index) => [name, [first, middle, last][index]!]))
    if (parts.y!.length !== 4) throw misfit()
    return { year: Number(parts.y), month: Number(parts.m), day: Number(parts.d), clock: digits }
  }
  const words = named.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined)
  if (words === undefined) throw misfit()
  const month = findName(words.name!, listNames(locale, 'month', months))
  if (month === undefined) throw misfit(`has no month that is known in ${locale}`)
  return { year: Number(words.year), month: month + 1, day: Number(words.day), clock: words }
}

function parseHour(hour: string, half: string | undefined): number {
  if (half === undefined) return Number(hour)
  if (Number(hour) < 1 || Number(hour) > 12) return Number.NaN
  return (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

/**
 * Reads a date with a time of day: `12-04-2026 19.30 uur`, `zo. 12 april 2026 19:30`, `2026-04-12 7:30 PM`. A numeric date
 * has the given order, or begins with a year of four digits.
 * @throws Misfit for a date without a time, a year of two digits, a wrong weekday, and a date or time that does not exist,
 * such as one that the clocks of the zone skip
 */
export function parseInstant(text: string, order: DateOrder, locale: string, zone: string): string {
  const misfit = (what = 'is not a date and time') =>
    new Misfit(`${what}: write ${order} with a year of four digits and a time, such as ${example(order)}`)
  const { plain, weekday } = splitWeekday(text.trim(), locale)
  const { year, month, day, clock } = parseDate(plain, order, locale, misfit)
  if (clock.hour === undefined) throw misfit('has no time')
  const hour = parseHour(clock.hour, clock.half)
  const [minute, second] = [Number(clock.minute ?? 0), Number(clock.second ?? 0)]
  if (year < 1000) throw misfit()
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const shown = new Date(wall)
  if (shown.getUTCMonth() !== month - 1 || shown.getUTCDate() !== day || !(hour <= 23) || minute > 59 || second > 59)
    throw misfit('does not exist')
  if (weekday !== undefined && shown.getUTCDay() !== weekday) throw misfit('has a weekday that does not fit its date')
  const instant = toInstant(wall, zone)
  if (instant === undefined) throw new Misfit(`does not exist in ${zone}, where the clocks skip it: write another time`)
  return new Date(instant).toISOString()
}

function example(order: DateOrder): string {
  const date = { d: '12', m: '04', y: '2026' }
  return `${order
    .split('-')
    .map((part) => date[part as 'd'])
    .join('-')} 19:30`
}
