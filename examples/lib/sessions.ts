import type { NamedRecord } from './records.ts'

/** A day as `1874-12-07`. */
export type Day = string

/** Whether the text is a day of the calendar. */
export function isDay(text: string | undefined): text is Day {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The days from the first to the last, both included; none when the last comes before the first. */
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
 * A finished sitting of an old floor sale. The sources know days, no hours: it lasts the whole day in UTC. Without a
 * day it has no opening time, and the auction's title.
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
