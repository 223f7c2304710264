/** An amount in minor units of a currency (section 2.1). */
export type Money = { amount: number; currency: string }

/**
 * The most that a bound of an estimate, or an increment of bids, may be in minor units. A current bid and an increment
 * together are then a safe integer.
 */
export const mostEstimate = 214_748_364_700

const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' })

/** Whether the text is an ISO 4217 code. Old codes count, for catalogues of old sales. */
export function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text) && names.of(text) !== undefined
}
