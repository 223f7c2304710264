import { InvalidArgumentError } from 'commander'
import { normalizeTimeZone, parseTimestamp, wholeSeconds } from '../values/timestamps.ts'
import { running } from '../values/program.ts'
import type { CommonOptions } from './command.ts'

// Making a format takes as long as using it a hundred times.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string | undefined, second: '2-digit' | undefined): Intl.DateTimeFormat {
  const name = `${zone} ${second}`
  const known = formats.get(name)
  if (known) return known
  const [day, clock] = [
    { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    { hour: '2-digit', minute: '2-digit' },
  ] as const
  const made = new Intl.DateTimeFormat('en-GB', { ...day, ...clock, second, timeZone: zone, timeZoneName: 'short' })
  formats.set(name, made)
  return made
}

/** From now on the command prints times in the zone of this house; in that of the machine if the house has none. */
export function useZoneOf({ timeZone }: { timeZone: string | null }): void {
  running().zone = timeZone === null ? undefined : normalizeTimeZone(timeZone)
}

/** A time in words, such as `Sun 22 Nov 2026 13:00 CET`: in the time zone of the house, or in UTC. `-` if there is none. */
export function printTime(time: string | null, { utc }: CommonOptions): string {
  if (time === null) return '-'
  const date = new Date(time)
  const format = formatOf(utc ? 'UTC' : running().zone, date.getUTCSeconds() > 0 ? '2-digit' : undefined)
  return format.format(date).replaceAll(',', '')
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600 }

/** The seconds of a span such as `90s`, `30m` or `2h`; NaN for any other text. */
export function readSpan(text: string): number {
  const [, count, unit] = /^(\d{1,7})([smh])$/.exec(text) ?? []
  return Number(count) * unitSeconds[unit!]!
}

/** Reads an option that is a time with its offset, or a span from now such as `+10m`, in whole seconds. */
export function readTime(text: string): Date {
  const span = text.startsWith('+') ? readSpan(text.slice(1)) : NaN
  if (!Number.isNaN(span)) return wholeSeconds(new Date(Date.now() + span * 1000).toISOString())
  const time = parseTimestamp(text)
  if (time === undefined)
    throw new InvalidArgumentError('It must be a time such as 2026-11-21T20:15:00+01:00, or from now, such as +10m.')
  return wholeSeconds(time)
}
