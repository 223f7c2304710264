const longestSeconds = 60

/**
 * The seconds of `wait` in a Prefer header (RFC 7240), from 1 to 60. Undefined if there is none, or another number: a
 * preference that cannot be met is ignored. Of several, the first counts. A text that does not end takes the rest.
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
