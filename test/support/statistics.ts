/** The smallest value that at least this share of the values does not exceed: the median at 0.5, the maximum at 1. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}
