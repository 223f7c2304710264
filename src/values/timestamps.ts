const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i

/**
 * Reads an RFC 3339 timestamp with an explicit offset (section 2.1). Returns UTC text with six decimals,
 * `2026-11-20T12:00:00.000000Z`, or undefined for any other text. Digits beyond the microsecond are cut off.
 */
export function parseTimestamp(text: string): string | undefined {
  const parts = pattern.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetHour = Number(parts[9] ?? 0)
  const offsetMinute = Number(parts[10] ?? 0)
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const monthDays = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  if (day < 1 || day > (monthDays[month - 1] ?? 0)) return undefined
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined
  const offset = (parts[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offset, second)
  const fraction = (parts[7] ?? '').slice(0, 6).padEnd(6, '0')
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined
  return `${date.toISOString().slice(0, 19)}.${fraction}Z`
}

/** The last whole second that an answer can print. */
export const latestTime = new Date('9999-12-31T23:59:59Z')

/** The instant of a timestamp from `parseTimestamp`, truncated to whole seconds (section 4.2). */
export function wholeSeconds(timestamp: string): Date {
  return new Date(`${timestamp.slice(0, 19)}Z`)
}

/**
 * The IANA name of a time zone, with capitals as this runtime writes them; undefined if the runtime does not know it. A
 * name for another zone (`Asia/Kolkata` for `Asia/Calcutta`) stays as it is. An offset such as `+01:00` is no name.
 */
export function normalizeTimeZone(text: string): string | undefined {
  if (!/^[a-z]/i.test(text)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    return undefined
  }
}

/** The longest delay of a session at once: thirty days, in seconds. */
export const longestDelay = 30 * 24 * 60 * 60
