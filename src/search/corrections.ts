import { groupBy } from '../values/groups.ts'
import { countKeys, findOwn, type View } from './plan.ts'
import { correctionDistance, correctionLookups } from './words/corrections.ts'
import { correctedWord, type QueryWord } from './words/query.ts'

const mostCorrected = 4
const mostCorrections = 3
const mostNear = 50
const mostLone = 12
const mostWays = 4
const shortestStem = 6
// What the distance from a stem counts more than that from the word.
const byStem = 2

/** The words that a query is searched with in the place of one, by how that one was written. */
export type Replaced = Map<string, QueryWord[]>

/**
 * The corrections of words that no record has. Those count that stand beside the other words of the query; if none does,
 * those that stand in any record, because words will be left out. `isBeside` and `isAnywhere` say so of words or links by
 * their numbers.
 */
export function correct(
  view: View,
  absent: readonly QueryWord[],
  isBeside: (terms: readonly number[]) => boolean,
  isAnywhere: (terms: readonly number[]) => boolean,
): Replaced {
  const candidates = absent
    .filter(({ correctable }) => correctable)
    .slice(0, mostCorrected)
    .flatMap((word) => findNear(view, word).map((near, place) => ({ written: word.written, place, ...near })))
  const kept = candidates.filter(({ word }) => isBeside(findOwn(view, word)))
  const isKept = new Set(kept.map(({ written }) => written))
  const lone = candidates.filter(
    ({ written, place, distance }) => !isKept.has(written) && place < mostLone && distance <= byStem,
  )
  kept.push(...lone.filter(({ word }) => isAnywhere(findOwn(view, word))))
  return new Map(
    [...groupBy(kept, ({ written }) => written)].map(([written, some]) => {
      const nearest = some.filter(({ distance }) => distance === some[0]!.distance).slice(0, mostCorrections)
      return [written, nearest.map(({ word }) => word)]
    }),
  )
}

type Near = { candidate: string; distance: number; records: number }

// The nearest words of the house: to the word, or else to its stem with one edit (delfste: delfst, Delfts). A word of which
// the house has forms is misspelt by one edit at most.
function findNear(view: View, word: QueryWord): { word: QueryWord; distance: number }[] {
  const near = nearTo(view, word.exact[0]!)
  return countKeys(view, word.forms) > 0
    ? withoutForms(sortNear(near.filter(({ distance }) => distance === 1)), word)
    : sortNear(near.length > 0 ? near : nearToStems(view, word))
}

// Taschen means Tasche if the house has that, not waschen: a word that only ends otherwise is not corrected.
function withoutForms(near: { word: QueryWord; distance: number }[], { exact, forms }: QueryWord) {
  const isForm = (other: QueryWord) =>
    exact[0]!.startsWith(other.exact[0]!) && other.forms.some((form) => forms.includes(form))
  return near.some(({ word }) => isForm(word)) ? [] : near
}

const nearToStems = (view: View, { exact, forms }: QueryWord): Near[] =>
  [...new Set(forms.map((form) => form.slice(form.indexOf('/') + 1)))]
    .filter((stem) => stem.length >= shortestStem && stem !== exact[0])
    .flatMap((stem) => nearTo(view, stem).filter(({ distance }) => distance === 1))
    .map((each) => ({ ...each, distance: each.distance + byStem }))

// Those near to the word itself come first, so they stay.
const sortNear = (near: readonly Near[]) =>
  [...new Map(near.toReversed().map((each) => [each.candidate, each])).values()]
    .toSorted(
      (one, other) =>
        one.distance - other.distance || other.records - one.records || (one.candidate < other.candidate ? -1 : 1),
    )
    .slice(0, mostNear)
    .map(({ candidate, distance }) => ({ word: correctedWord(candidate), distance }))

function nearTo(view: View, word: string): Near[] {
  const { vocabulary } = view.index
  return [...vocabulary.near(correctionLookups(word))].flatMap((key) => {
    const candidate = vocabulary.keyOf(key)
    const distance = correctionDistance(word, candidate)
    const records = distance === undefined ? 0 : countKeys(view, [candidate])
    return distance === undefined || records === 0 ? [] : [{ candidate, distance, records }]
  })
}

/**
 * The ways to leave words out while half of them remain: first those that no record has, then as few as possible, the
 * most frequent first. The rarest word that a record has stays, of those that are not strange if there are any, and so do
 * words with digits. `isStrange`: whether records have other forms of it only.
 */
export function leaveOut(
  words: readonly QueryWord[],
  recordsOf: (word: QueryWord) => number,
  isStrange: (word: QueryWord) => boolean,
): QueryWord[][] {
  const known = words.filter((word) => recordsOf(word) > 0 || word.digits)
  const byRecords = known.filter(({ digits }) => !digits).toSorted((one, other) => recordsOf(other) - recordsOf(one))
  const rarest = known
    .filter((word) => recordsOf(word) > 0)
    .toSorted((one, other) => Number(isStrange(one)) - Number(isStrange(other)) || recordsOf(one) - recordsOf(other))[0]
  if (!rarest) return []
  const frequent = byRecords.filter((word) => word !== rarest)
  const ways = known.length < words.length ? [known] : []
  for (let count = 1; count <= frequent.length; count++)
    // Of many ways to leave out as many, the first.
    for (let at = 0; at + count <= frequent.length && at < mostWays; at++) {
      const left = new Set(frequent.slice(at, at + count))
      ways.push(known.filter((word) => !left.has(word)))
    }
  return ways.filter((some) => 2 * some.length >= words.length)
}
