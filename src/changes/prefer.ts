const longestSeconds = 60

/**
 * The seconds of `wait` in a Prefer header (RFC 7240), from 1 to 60. Undefined if there is none, or another number: a
 * server ignores a preference that it cannot meet. Of several, the first counts. A quoted text without an end takes the
 * rest of the header.
 */
export function parseWait(header: string | string[] | undefined): number | undefined {
  const preferences =
    [header ?? []]
      .flat()
      .join(',')
      .match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^,"])+/g) ?? []
  for (const preference of preferences) {
    const [name, value] = preference.split(';', 1)[0]!.split('=')
    if (name!.trim().toLowerCase() !== 'wait') continue
    const digits = /^\s*("?)(\d{1,9})\1\s*$/.exec(value ?? '')?.[2]
    const seconds = Number(digits)
    return seconds >= 1 && seconds <= longestSeconds ? seconds : undefined
  }
  return undefined
}
