const pattern = /^(\d{1,3})(?:\.(\d{1,4}))?$/

/**
 * Reads a percentage from "0" to "100" with at most four decimals. Returns it without trailing zeros ("22.5"), or
 * undefined for any other text.
 */
export function parsePercentage(text: string): string | undefined {
  const parts = pattern.exec(text)
  if (!parts || Number(text) > 100) return undefined
  const decimals = (parts[2] ?? '').replace(/0+$/, '')
  return decimals === '' ? String(Number(parts[1])) : `${Number(parts[1])}.${decimals}`
}
