const day = 86_400_000
const units = { h: 3_600_000, min: 60_000, s: 1000 }

// Swedish writes a time as 2026-11-21 10:20:49.
const clock = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Amsterdam', dateStyle: 'short', timeStyle: 'medium' })

/** The time of the clock in Amsterdam at an instant, read as if it were UTC. Milliseconds. */
function readClock(instant: number): number {
  return Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`)
}

/**
 * The instant of a time of the demo house that is loaded at `now`: `day -29, 10:00` (or `10:00:30`) on the clock in
 * Amsterdam, counted in days from today; `now`, `now +4 min` or `now -13 h 48 min 44 s`, from the minute of the load. A
 * time that the clock skips in spring is an hour later. Of a time that it shows twice in autumn the first counts.
 * @throws Error for any other text
 */
export function resolveTime(text: string, now: Date): Date {
  const [, days, time] = /^day ([+-]?\d+), (\d\d:\d\d(?::\d\d)?)$/.exec(text) ?? []
  if (days !== undefined) {
    const today = Math.floor(readClock(now.getTime()) / day) * day
    const shown = today + Number(days) * day + Date.parse(`1970-01-01T${time}Z`)
    // The offset from UTC changes on two days a year. The offset of the day before counts, unless only that of the day
    // after fits.
    const instants = [shown - day, shown + day].map((near) => shown - (readClock(near) - near))
    return new Date(instants.find((instant) => readClock(instant) === shown) ?? instants[0]!)
  }
  const [match, sign, amounts = ''] = /^now(?: ([+-])(\d+ (?:h|min|s)(?: \d+ (?:h|min|s))*))?$/.exec(text) ?? []
  if (match === undefined) throw new Error(`${JSON.stringify(text)} is no time of the demo house`)
  const parts = [...amounts.matchAll(/(\d+) (h|min|s)/g)]
  const distance = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit as keyof typeof units], 0)
  const minute = Math.floor(now.getTime() / units.min) * units.min
  return new Date(sign === '-' ? minute - distance : minute + distance)
}
