/** The smallest of the values that at least this share of them does not exceed: the median at 0.5, the maximum at 1. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}
