import { fits, toNumber, type Samples } from './values.ts'
import { findBound, isUpperBound, type Meaning } from './vocabulary.ts'

const fieldOf = (meaning: Meaning | undefined) => meaning?.candidates[0]?.field

const makeBound = (bound: 'low' | 'high', rank: number): Meaning => ({
  isReserve: false,
  isKnown: true,
  candidates: [{ field: `estimate.${bound}`, rank }],
})

const toMedian = ({ cells }: Samples) => cells.map(toNumber).toSorted((a, b) => a - b)[Math.floor(cells.length / 2)]

/** Whether both columns have single amounts, and those of the second are mostly higher. */
function isBelow(low: Samples, high: Samples): boolean {
  const [lower = Number.NaN, upper = Number.NaN] = [toMedian(low), toMedian(high)]
  return fits('estimate', low) && fits('estimate', high) && lower < upper
}

/**
 * Gives neighbours such as `Estimate | to`, `Estimate | High estimate`, `Preis von | bis` or `Taxe 1 | Taxe 2` both bounds.
 */
export function pairBounds(columns: Samples[], meanings: Meaning[]): void {
  for (const [index, column] of columns.entries()) {
    const before = meanings[index - 1]
    const previous = columns[index - 1]
    if (before === undefined || previous === undefined) continue
    const [isLow, isHigh] = [findBound(previous.heading) === 'low', findBound(column.heading) === 'high']
    if (isLow && isHigh && before.candidates.length === 0 && isBelow(previous, column)) {
      meanings[index - 1] = makeBound('low', 0)
      meanings[index] = makeBound('high', 0)
    }
    if (fieldOf(before) !== 'estimate' && fieldOf(before) !== 'estimate.low') continue
    const isUpper = isUpperBound(column.heading) || fieldOf(meanings[index]) === 'estimate.high'
    if (!isUpper || !fits('estimate', column)) continue
    // A heading that names the lower bound has a better rank.
    if (fieldOf(before) === 'estimate') meanings[index - 1] = makeBound('low', 1)
    meanings[index] = makeBound('high', 0)
  }
  pairByValues(columns, meanings)
}

/** If two columns of estimates do not name their bounds, the amounts decide. */
function pairByValues(columns: Samples[], meanings: Meaning[]): void {
  const of = (field: string) => [...meanings.keys()].filter((index) => fieldOf(meanings[index]) === field)
  const [open, lows, highs] = [of('estimate'), of('estimate.low'), of('estimate.high')]
  if (open.length + lows.length + highs.length !== 2 || open.length === 0) return
  const [one, other] = lows.length > 0 ? [lows[0]!, open[0]!] : [open[0]!, highs[0] ?? open[1]!]
  const isTurned = open.length === 2 && isBelow(columns[other]!, columns[one]!)
  if (!isTurned && !isBelow(columns[one]!, columns[other]!)) return
  meanings[isTurned ? other : one] = makeBound('low', 0)
  meanings[isTurned ? one : other] = makeBound('high', 0)
}
