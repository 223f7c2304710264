import type { Context } from '../context.ts'
import { groupBy } from '../values/groups.ts'
import { listKeys, makePlan, type Plan, type Vocabulary } from './plan.ts'
import { findStanding, type Search, type Timed } from './queries.ts'
import { findCorrections, findWords } from './word-queries.ts'
import { correctionDistance, correctionLookups } from './words/corrections.ts'
import { correctedWord, type Query, type QueryWord } from './words/query.ts'

const mostCorrected = 4
const mostCorrections = 3
const mostNear = 50
const mostLone = 12
const mostWays = 4

/** The words that a query is searched with in the place of one, by how that one was written. */
export type Replaced = Map<string, QueryWord[]>

/** What the words of a query are corrected against. */
type Corpus = {
  context: Context
  timed: Timed
  search: Omit<Search, 'plan'>
  query: Query
  vocabulary: Vocabulary
  categories: boolean
}

/**
 * The corrections of words that no record has. Those count that stand beside the other words of the query, which
 * `beside` plans; if none does, those that stand in any record, because words will be left out. `vocabulary` knows the
 * corrections too.
 */
export async function correct(
  { context, timed, search, query, vocabulary, categories }: Corpus,
  absent: readonly QueryWord[],
  beside: Plan | undefined,
): Promise<{ replaced: Replaced; vocabulary: Vocabulary }> {
  const near = await findNear(context, absent, categories)
  const candidates = [...near].flatMap(([written, all]) =>
    all.map(({ word, distance }, place) => ({ written, place, distance, word: { ...word, forms: [] } })),
  )
  const learn = async (known: Vocabulary, words: QueryWord[]): Promise<Vocabulary> => {
    if (words.length === 0) return known
    const asked = { keys: listKeys({ ...query, words }), beginnings: [], parts: [], hasPatterns: false }
    const found = await findWords(context, asked, categories)
    return {
      ...known,
      known: new Map([...known.known, ...found.known]),
      links: [...known.links, ...found.links],
    }
  }
  const words = candidates.map(({ word }) => word)
  const known = await learn(vocabulary, words)
  const keepStanding = async (some: typeof candidates, plan: Plan) => {
    const planned = makePlan(
      query,
      some.map(({ word }) => word),
      known,
      [],
    )
    const standing = await findStanding(timed, search, planned.words, plan)
    return some.filter((_, at) => standing[at])
  }
  const kept = beside ? await keepStanding(candidates, beside) : []
  const isKept = new Set(kept.map(({ written }) => written))
  const lone = candidates.filter(({ written, place }) => !isKept.has(written) && place < mostLone)
  kept.push(...(await keepStanding(lone, makePlan({ ...query, phrases: [] }, [], known, []))))
  const replaced = new Map(
    [...groupBy(kept, ({ written }) => written)].map(([written, some]) => {
      const nearest = some.filter(({ distance }) => distance === some[0]!.distance).slice(0, mostCorrections)
      return [written, nearest.map(({ word }) => correctedWord(word.written))]
    }),
  )
  return { replaced, vocabulary: await learn(known, [...replaced.values()].flat()) }
}

// For each word, by how it was written, the nearest words of the house.
async function findNear(
  context: Context,
  absent: readonly QueryWord[],
  categories: boolean,
): Promise<Map<string, { word: QueryWord; distance: number }[]>> {
  const all = new Map<string, { word: QueryWord; distance: number }[]>()
  for (const { written, exact } of absent.filter(({ correctable }) => correctable).slice(0, mostCorrected)) {
    const word = exact[0]!
    const known = await findCorrections(context, correctionLookups(word), categories)
    const near = [...known]
      .flatMap(([candidate, records]) => {
        const distance = correctionDistance(word, candidate)
        return distance === undefined ? [] : [{ candidate, distance, records }]
      })
      .toSorted((one, other) => one.distance - other.distance || other.records - one.records)
    all.set(
      written,
      near.slice(0, mostNear).map(({ candidate, distance }) => ({ word: correctedWord(candidate), distance })),
    )
  }
  return all
}

/**
 * The ways to leave words out while half of them remain: first those that no record has, then as few as possible, the
 * most frequent first. The rarest word that a record has stays, and so do words with digits.
 */
export function leaveOut(words: readonly QueryWord[], recordsOf: (word: QueryWord) => number): QueryWord[][] {
  const known = words.filter((word) => recordsOf(word) > 0 || word.digits)
  const byRecords = known.filter(({ digits }) => !digits).toSorted((one, other) => recordsOf(other) - recordsOf(one))
  const rarest = known
    .filter((word) => recordsOf(word) > 0)
    .toSorted((one, other) => recordsOf(one) - recordsOf(other))[0]
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
