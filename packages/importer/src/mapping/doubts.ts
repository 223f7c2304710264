// Copied from src/values/doubts.ts by npm run generate.

/** Why a starting bid is doubtful: how it differs from a bound of the estimate, and that bound. */
export type Doubt = { words: string; bound: number }

/**
 * Compares a starting bid with the estimate of its item, in the same units. A bid that is a hundred times too low or too
 * high was probably meant in other units. A missing bound counts as the other one; without both nothing is compared.
 */
export function findDoubt(bid: number, estimate: { low: number | null; high: number | null }): Doubt | undefined {
  const [low, high] = [estimate.low ?? estimate.high, estimate.high ?? estimate.low]
  if (low !== null && bid * 100 < low) return { words: 'below a hundredth of the low estimate', bound: low }
  if (high !== null && bid > high * 10) return { words: 'above ten times the high estimate', bound: high }
  return undefined
}
