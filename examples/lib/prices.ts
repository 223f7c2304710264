/** Hundredths of a unit from `1,842.5`, `2.50` or `12`. Undefined for any text that is not clearly one of these. */
export function hundredths(text: string): number | undefined {
  const parts = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(text)
  if (!parts) return undefined
  return Number(parts[1]!.replaceAll(',', '')) * 100 + Number((parts[2] ?? '').padEnd(2, '0'))
}

/**
 * New pence from pounds, shillings and old pence. A pound is 20 shillings or 240 old pence. `exact` is false if the amount
 * was rounded. Undefined if one of the three is not a number.
 */
export function newPence(
  pounds: string,
  shillings: string,
  pence: string,
): { amount: number; exact: boolean } | undefined {
  if (![pounds, shillings, pence].every((text) => /^\d*$/.test(text)) || pounds === '') return undefined
  const oldPence = Number(pounds) * 240 + Number(shillings) * 12 + Number(pence)
  return { amount: Math.round((oldPence * 5) / 12), exact: oldPence % 12 === 0 }
}
