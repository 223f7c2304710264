import { Misfit } from './misfit.ts'

/** The order in which a date names day, month and year. */
export const dateOrders = ['d-m-y', 'm-d-y', 'y-m-d'] as const

/** One of these orders. */
export type DateOrder = (typeof dateOrders)[number]

const time = String.raw`(?:[T,]?\s*(?:om\s+|à\s+|um\s+|at\s+)?(\d{1,2})(?:[:.uh](\d{2})(?:[:.](\d{2}))?)?\s*(?:uur|u|h|Uhr)?)?`
const numeric = new RegExp(String.raw`^(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})${time}$`)
const named = new RegExp(String.raw`^(\d{1,2})\.?\s+([\p{L}]+)\.?\s+(\d{4})${time}$`, 'u')

const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')

function monthNames(locale: string): Map<string, number> {
  const names = new Map<string, number>()
  for (const style of ['long', 'short'] as const) {
    // With a day beside it a month has the form that dates use, which differs in Polish.
    const format = new Intl.DateTimeFormat(locale, { month: style, day: 'numeric', timeZone: 'UTC' })
    for (let month = 0; month < 12; month++) {
      const parts = format.formatToParts(new Date(Date.UTC(2026, month, 1)))
      names.set(letters(parts.find(({ type }) => type === 'month')!.value), month + 1)
    }
  }
  return names
}

function withoutWeekday(text: string, locale: string): string {
  for (const weekday of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
    for (let day = 1; day <= 7; day++) {
      const name = format.format(new Date(Date.UTC(2026, 0, day)))
      if (text.toLowerCase().startsWith(`${name.toLowerCase()} `)) return text.slice(name.length).trim()
    }
  }
  return text
}

/** The instant at which the clocks of a zone show this date and time: of two the first. */
function toInstant(wall: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
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
  return guesses.find((guess) => shownAt(guess) === wall) ?? guesses[1]!
}

/**
 * The instant of a date and a time of day as a person writes them: `12-04-2026 19.30 uur`, `zondag 12 april 2026 19:30`,
 * `2026-04-12 19:30`. The order of a numeric date is the named one, or year first where it has four digits.
 * @throws Misfit for everything else, also a day without a time, a year of two digits and a day that does not exist
 */
export function parseInstant(text: string, order: DateOrder, locale: string, zone: string): string {
  const misfit = (what = 'is no date and time') =>
    new Misfit(`${what}: ${order} with a year of four digits and a time would fit, such as ${example(order)}`)
  const plain = withoutWeekday(text.trim(), locale)
  let year: number, month: number, day: number
  let clock: (string | undefined)[]
  const digits = numeric.exec(plain)
  const words = named.exec(plain)
  if (digits) {
    const [, first, second, third, ...rest] = digits
    const used = first!.length === 4 ? 'y-m-d' : order
    const parts = Object.fromEntries(used.split('-').map((name, index) => [name, [first, second, third][index]!]))
    if (parts.y!.length !== 4) throw misfit()
    ;[year, month, day] = [Number(parts.y), Number(parts.m), Number(parts.d)]
    clock = rest
  } else if (words) {
    const found = monthNames(locale).get(letters(words[2]!))
    if (found === undefined) throw misfit(`has no month that is known in ${locale}`)
    ;[year, month, day] = [Number(words[3]), found, Number(words[1])]
    clock = words.slice(4)
  } else throw misfit()
  if (clock[0] === undefined) throw misfit('has no time')
  const [hour, minute, second] = [clock[0], clock[1], clock[2]].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ]
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const shown = new Date(wall)
  if (shown.getUTCMonth() !== month - 1 || shown.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    throw misfit('does not exist')
  return new Date(toInstant(wall, zone)).toISOString()
}

function example(order: DateOrder): string {
  const date = { d: '12', m: '04', y: '2026' }
  return `${order
    .split('-')
    .map((part) => date[part as 'd'])
    .join('-')} 19:30`
}
