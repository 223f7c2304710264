import { isOpen } from './filters.ts'
import { hashReference } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import { Nearness } from './index/nearness.ts'
import type { Ranking, SearchedKind } from './order.ts'
import type { Plan } from './plan.ts'

const [openWorth, numberWorth, referenceWorth] = [300_000, 200_000, 1_000_000]

// What a title of so many words is worth: less than two, which is the least that nearness gives. Such fractions are summed up
// without rounding.
const weighBrevity = (asked: number, words: number) => Math.round((2 ** 16 * asked) / (asked + words)) / 2 ** 16

/** Records, the scores of items by their rows, and those of lots that have a word in their number. */
type Scored = {
  records: Int32Array
  scores: Int32Array
  numbered: ReadonlyMap<number, number> | undefined
}

/**
 * The rank of records by relevance: the more a record is worth, the less, or the more if it `isTurned`. Lots that are open at
 * `now` (milliseconds) come before others with the same number.
 */
export function rankByRelevance(
  index: HouseIndex,
  kind: SearchedKind,
  { words, phrases, reference, number }: Plan,
  { records, scores, numbered }: Scored,
  isTurned: boolean,
  now: number,
): Ranking {
  const { items, lots, texts } = index
  const areLots = kind === 'lot'
  const hashed = hashReference(reference)
  const takesBids = isOpen(index, now)
  const nearness = new Nearness(texts, words)
  const { most } = nearness
  const asked = words.length + phrases.length
  const least = new Float64Array(records.length)
  for (let at = 0; at < records.length; at++) {
    const row = records[at]!
    const item = areLots ? lots.item[row]! - 1 : row
    let score = scores[item]!
    if (areLots && numbered!.size > 0) score = numbered!.get(row) ?? score
    const title = items.titleWords[item]!
    if (title > 0) score += weighBrevity(asked, title)
    if (items.reference[item] === hashed) score += referenceWorth
    if (areLots && number !== undefined && lots.place[row] === number) score += takesBids(row) ? openWorth : numberWorth
    least[at] = isTurned ? score : -score - most
  }
  return {
    least,
    most,
    rankOf(at) {
      const row = records[at]!
      const worth = most > 0 ? nearness.of(areLots ? lots.item[row]! - 1 : row) : 0
      return isTurned ? least[at]! + worth : least[at]! + most - worth
    },
  }
}
