import { correct, leaveOut, type Replaced } from './corrections.ts'
import type { HouseIndex } from './index/house.ts'
import type { Matching, Pause } from './matching.ts'
import {
  chooseWords,
  countKeys,
  countRecords,
  isNamed,
  makePlan,
  planWord,
  weigh,
  type View,
  type Word,
} from './plan.ts'
import { Searching, type Found, type Search } from './search.ts'
import { correctedWord, readQuery, type QueryFault, type QueryWord } from './words/query.ts'

/** A way to take a query: its words, and others in the place of some. */
type Reading = { words: QueryWord[]; replaced: Replaced }

/** Searches the index of a house. Returns why `q` is refused, if it is. */
export async function search(
  index: HouseIndex,
  matching: Matching,
  asked: Search,
  pause: Pause,
): Promise<Found | QueryFault> {
  const { q, categories, walk } = asked
  const searching = new Searching(index, matching, asked, pause)
  if (q === undefined) return searching.run(undefined, { taken: undefined, isRelaxed: false })
  const query = readQuery(q)
  if (typeof query === 'string') return query
  const view: View = { index, categories }
  const taken = walk?.taken
  const counted = new Map(query.words.map((word) => [word, countRecords(view, word)]))
  const words = taken
    ? query.words.filter(({ written }) => Object.hasOwn(taken.weights, written))
    : chooseWords(query.words, (word) => counted.get(word)!)
  const weights = taken?.weights ?? Object.fromEntries(words.map((word) => [word.written, weigh(counted.get(word)!)]))
  const planned = new Map<string, Word>()
  const planOne = (word: QueryWord, others: readonly QueryWord[] = []) => {
    const name = [word, ...others].map(({ written }) => written).join(' ')
    const known = planned.get(name) ?? planWord(view, word, weights[word.written]!, others)
    planned.set(name, known)
    return known
  }
  const planOf = ({ words: some, replaced }: Reading) => {
    const all = some.map((word) => planOne(word, replaced.get(word.written)))
    return makePlan(view, query, all)
  }
  const run = (reading: Reading, plan = planOf(reading)) => {
    const left = words.filter((word) => !reading.words.includes(word)).map(({ written }) => written)
    const corrected = Object.fromEntries(
      [...reading.replaced].flatMap(([written, others]) =>
        left.includes(written) ? [] : [[written, others.map((other) => other.exact[0]!)]],
      ),
    )
    return searching.run(plan, { taken: { corrected, left, weights }, isRelaxed: left.length > 0 })
  }
  const asWritten: Reading = { words, replaced: new Map() }
  if (taken) {
    const replaced = new Map(
      Object.entries(taken.corrected).map(([written, others]) => [written, others.map(correctedWord)]),
    )
    return run({ words: words.filter(({ written }) => !taken.left.includes(written)), replaced })
  }
  const found = await run(asWritten)
  if (found.count > 0 || words.length === 0) return found

  // The house's words are those of archived records too.
  const whole = planOf(asWritten)
  const recordsOf = new Map<QueryWord, number>()
  for (const [at, word] of words.entries()) {
    const alone = { ...whole, words: [whole.words[at]!], phrases: [] }
    const isThere = isNamed(view, word) || (await searching.isReadable(alone))
    recordsOf.set(word, isThere ? Math.max(1, counted.get(word)!) : 0)
  }
  const correctAll = async (some: QueryWord[]): Promise<Replaced> => {
    if (some.length === 0) return new Map()
    const others = words.filter((word) => !some.includes(word))
    const isBeside = others.length > 0 && (await searching.standsIn(planOf({ words: others, replaced: new Map() })))
    return correct(view, some, (terms) => isBeside && isBeside(terms), await searching.standsIn(undefined))
  }
  const absent = words.filter((word) => recordsOf.get(word) === 0)
  // Words of which records have other forms only are corrected rather than left out: potëe, poëte.
  const isStrange = ({ exact, joined }: QueryWord) => countKeys(view, [...exact, ...joined]) === 0
  const strange = words.filter((word) => isStrange(word) && !absent.includes(word))
  const replaced = await correctAll(absent)
  const tryCorrected = async (others: Replaced) => {
    await pause()
    const plan = planOf({ words, replaced: others })
    const hasMatch = others.size > 0 && (await searching.hasMatch(plan))
    return hasMatch ? run({ words, replaced: others }, plan) : undefined
  }
  const corrected =
    (await tryCorrected(replaced)) ??
    (strange.length > 0 ? await tryCorrected(await correctAll([...absent, ...strange])) : undefined)
  if (corrected) return corrected
  const countOf = (word: QueryWord) =>
    Math.max(recordsOf.get(word)!, ...(replaced.get(word.written) ?? []).map((other) => countRecords(view, other)))
  for (const some of leaveOut(words, countOf, isStrange)) {
    const plan = planOf({ words: some, replaced })
    await pause()
    if (await searching.hasMatch(plan)) return run({ words: some, replaced }, plan)
  }
  return found
}
