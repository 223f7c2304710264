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
