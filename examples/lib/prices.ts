/** Hundredths of a unit from `1,842.5`, `2.50` or `12`. Undefined for any text that is not clearly one of these. */
export function hundredths(text: string): number | undefined {
  const parts = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(text)
  if (!parts) return undefined
  return Number(parts[1]!.replaceAll(',', '')) * 100 + Number((parts[2] ?? '').padEnd(2, '0'))
}
