import type { NamedRecord } from './records.ts'

/** A day as `1874-12-07`. */
export type Day = string

/** Whether the text is a day that exists, such as `1874-12-07`. */
export function isDay(text: string | undefined): text is Day {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The days from the first to the last, both included. None if the last is before the first. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = []
  for (let time = Date.parse(first); time <= Date.parse(last); time += 86_400_000) {
    days.push(new Date(time).toISOString().slice(0, 10))
  }
  return days
}

/** A day in words: `7 décembre 1874`. */
export function dayInWords(day: Day, locale: string): string {
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  )
}

/**
 * A finished session of an old floor sale. The sources have days but no hours, so the session lasts the whole day in UTC.
 * Without a day it has no times, and its title is that of the auction.
 */
export function sitting(
  auction: { ref: string; external_reference: string; title: string },
  day: Day | undefined,
  locale: string,
): NamedRecord<'session'> {
  const reference = `${auction.external_reference}/${day ?? 'undated'}`
  return {
    type: 'session',
    ref: `session/${reference}`,
    auction: auction.ref,
    external_reference: reference,
    titles: { [locale]: day ? dayInWords(day, locale) : auction.title },
    kind: 'live',
    opens_at: day && `${day}T00:00:00Z`,
    live: day ? { closes_at: `${day}T23:59:59Z` } : undefined,
    published: true,
    finished: true,
  }
}
