const wallClock = (timeZone: string) =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

/** An instant (RFC 3339) on the clock of a time zone, as a field of date and time has it: `2026-11-14T10:00:00`. */
export const printLocal = (instant: string | number, timeZone: string): string =>
  wallClock(timeZone).format(new Date(instant)).replace(' ', 'T')

/**
 * The instant that a field of date and time means in a time zone, as RFC 3339 in UTC. Of an hour that comes twice it is
 * the first; undefined for a time that the clock skips.
 */
export function readLocal(text: string, timeZone: string): string | undefined {
  const whole = text.length === 16 ? `${text}:00` : text
  const asUtc = Date.parse(`${whole}Z`)
  if (Number.isNaN(asUtc)) return undefined
  // The offset is one of those that hold a day before and a day after.
  const offsets = [-86_400_000, 86_400_000].map(
    (day) => Date.parse(`${printLocal(asUtc + day, timeZone)}Z`) - asUtc - day,
  )
  const found = offsets.map((offset) => asUtc - offset).filter((each) => printLocal(each, timeZone) === whole)
  return found.length === 0 ? undefined : new Date(Math.min(...found)).toISOString().replace('.000Z', 'Z')
}
