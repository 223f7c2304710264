/** So many of a total. */
export type Share = { found: number; total: number }

/** What the contract wants of a share: at least, or at most. */
type Wanted = { side: 'least' | 'most'; share: number }

const least = (share: number): Wanted => ({ side: 'least', share })
const most = (share: number): Wanted => ({ side: 'most', share })

const wanted: Record<string, Wanted> = {
  'as they are': least(0.995),
  'without accents': least(0.995),
  'misspelt, five letters and more': least(0.95),
  'misspelt, four letters': least(0.85),
  'another form': least(0.9),
  'another form, Polish': least(0.7),
  'a beginning': least(0.97),
  'a part of a compound': least(0.85),
  'wrong finds by a part': most(0.1),
  'right words corrected': most(0.005),
  'absent words found, none left out': most(0.02),
}

// Of 95 % on both sides.
const z = 1.96

// Wilson's bound of a share.
function bound({ found, total }: Share, side: Wanted['side']): number {
  const share = found / total
  const middle = share + z ** 2 / (2 * total)
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  return (middle + (side === 'least' ? -1 : 1) * spread) / (1 + z ** 2 / total)
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** A row of the contract: the share, its 95 % bound, and whether the bound is what the contract wants. */
export function printShare(row: string, share: Share): string {
  const { found, total } = share
  const { side, share: goal } = wanted[row] ?? { side: 'least' }
  const reached = bound(share, side)
  const sign = side === 'least' ? '≥' : '≤'
  const cells = [row, `${found} of ${total}`, percent(found / total), `${sign} ${percent(reached)}`]
  if (goal !== undefined)
    cells.push(`wanted ${sign} ${percent(goal)}`, printReached(side === 'least' ? reached >= goal : reached <= goal))
  return cells.join(' | ')
}

/** Whether a row is what the contract wants. */
export const printReached = (isReached: boolean): string => (isReached ? 'reached' : 'NOT REACHED')

/** The mean of values and its 95 % bounds (normal approximation). */
export function meanOf(values: readonly number[]): { mean: number; low: number; high: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  const spread = z * Math.sqrt(variance / values.length)
  return { mean, low: mean - spread, high: mean + spread }
}
