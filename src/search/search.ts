import type { Context } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import { Problem } from '../problems.ts'
import { beginIndex, catchUp } from './indexing.ts'
import {
  chooseWords,
  countRecords,
  listBeginnings,
  listKeys,
  makePlan,
  weigh,
  type Plan,
  type Taken,
  type Vocabulary,
} from './plan.ts'
import { findMatches, findMatching, findReadable, startTime, type Matches, type Search } from './queries.ts'
import { mostCaughtUp } from './statements.ts'
import { indexFormat } from './texts.ts'
import { compoundParts, compoundsAmong } from './words/compounds.ts'
import { correctionDistance, correctionLookups } from './words/corrections.ts'
import { correctedWord, readQuery, type Query, type QueryFault, type QueryWord } from './words/query.ts'
import { findCorrections, findWords } from './word-queries.ts'

/** A search as a request asks for it. `taken`: how the first page of the walk took `q`. */
export type Asked = Omit<Search, 'plan'> & {
  q: string | undefined
  taken: Taken | undefined
  /** Whether the names of categories count. */
  categories: boolean
}

/** What a search has found. `complete` is false while more records wait for the index than a search catches up with. */
export type Found = Matches & { taken: Taken | undefined; isRelaxed: boolean; isComplete: boolean }

const faults: Record<QueryFault, string> = {
  length: 'q has 1 to 200 characters.',
  'no-letter': 'q needs a letter or a digit.',
  phrases: 'q takes at most four phrases.',
  exclusions: 'q takes away at most four words.',
}

const mostCompounds = 50
const mostCorrected = 4
const mostCorrections = 3

/**
 * Reads `q`.
 * @throws Problem invalid-parameter
 */
export function parseWords(q: string): Query {
  const query = readQuery(q)
  if (typeof query === 'string') throw new Problem('invalid-parameter', faults[query])
  return query
}

/**
 * The words of the house that a query needs, after the index has caught up with every change that was committed before the
 * call, unless too many records wait.
 */
async function readWords(
  context: Context,
  query: Query,
  taken: Taken | undefined,
  categories: boolean,
): Promise<Vocabulary & { isComplete: boolean }> {
  const others = Object.values(taken?.corrected ?? {}).flatMap((words) => words.map(correctedWord))
  const asked = {
    keys: listKeys({ ...query, words: [...query.words, ...others] }),
    beginnings: listBeginnings(query),
    parts: [...new Set(query.words.flatMap(compoundParts))],
    hasPatterns: query.phrases.length + query.without.length > 0,
  }
  const find = async () => addCompounds(context, query, await findWords(context, asked, categories), categories)
  let found = await find()
  if (found.format !== indexFormat) {
    // The index of a later version has other keys.
    if (!(await beginIndex(context))) return { ...found, isComplete: false }
    found = await find()
  }
  if (found.waiting > mostCaughtUp) {
    await enqueue(context.db, 'index_search', {}, { key: 'index_search' })
    return { ...found, isComplete: false }
  }
  if (found.waiting === 0) return { ...found, isComplete: true }
  await catchUp(context)
  return { ...(await find()), isComplete: true }
}

/** Adds the words of the house that have a word of the query as a part, and the rest as another word of the house. */
async function addCompounds(
  context: Context,
  { words }: Query,
  found: Awaited<ReturnType<typeof findWords>>,
  categories: boolean,
): Promise<Vocabulary & Pick<typeof found, 'waiting' | 'format'>> {
  const { candidates, ...vocabulary } = found
  const possible = words.map((word) => compoundsAmong(candidates, word))
  const keys = possible.flat().flatMap(({ key, rests }) => [key, ...rests])
  if (keys.length === 0) return { ...vocabulary, compounds: new Map() }
  const asked = { keys: [...new Set(keys)], beginnings: [], parts: [], hasPatterns: false }
  const { known, links } = await findWords(context, asked, categories)
  const recordsOf = (key: string) => known.get(key)?.records ?? 0
  const compounds = words.map(({ written }, at): [string, string[]] => {
    const real = possible[at]!.filter(({ rests }) => rests.some((rest) => known.has(rest)))
    const all = [...new Set(real.map(({ key }) => key))].filter((key) => known.has(key))
    return [written, all.toSorted((one, other) => recordsOf(other) - recordsOf(one)).slice(0, mostCompounds)]
  })
  return {
    ...vocabulary,
    known: new Map([...known, ...vocabulary.known]),
    links: [...vocabulary.links, ...links],
    compounds: new Map(compounds),
  }
}

/** A way to take a query: its words, and others in the place of some. */
type Reading = { words: QueryWord[]; replaced: Map<string, QueryWord[]> }

/**
 * Searches. Takes `q` as it is written; if that finds nothing, corrects words that no record has; if that finds nothing,
 * leaves words out.
 * @throws Problem invalid-parameter
 */
export async function search(context: Context, asked: Asked): Promise<Found> {
  const { q, taken, categories, ...rest } = asked
  if (q === undefined) {
    const matches = await findMatches(startTime(context), { ...rest, plan: undefined })
    return { ...matches, taken: undefined, isRelaxed: false, isComplete: true }
  }
  const query = parseWords(q)
  const { isComplete, ...vocabulary } = await readWords(context, query, taken, categories)
  const timed = startTime(context)
  const words = chooseWords(query.words, vocabulary)
  const weights = taken?.weights ?? words.map((word) => weigh(countRecords(vocabulary, word)))
  const weightOf = new Map(words.map((word, at) => [word.written, weights[at] ?? 4]))
  const planOf = ({ words: some, replaced }: Reading, known: Vocabulary = vocabulary) =>
    makePlan(
      query,
      some,
      known,
      some.map(({ written }) => weightOf.get(written)!),
      replaced,
    )
  const run = (plan: Plan) => findMatches(timed, { ...rest, plan })
  const show = (matches: Matches, { words: some, replaced }: Reading): Found => {
    const left = words.filter((word) => !some.includes(word)).map(({ written }) => written)
    const corrected = Object.fromEntries(
      [...replaced].flatMap(([written, others]) =>
        left.includes(written) ? [] : [[written, others.map((other) => other.exact[0]!)]],
      ),
    )
    return { ...matches, taken: { corrected, left, weights }, isRelaxed: left.length > 0, isComplete }
  }
  const asWritten: Reading = { words, replaced: new Map() }
  if (taken) {
    const replaced = new Map(
      Object.entries(taken.corrected).map(([written, others]) => [written, others.map(correctedWord)]),
    )
    const reading = { words: words.filter(({ written }) => !taken.left.includes(written)), replaced }
    return show(await run(planOf(reading)), reading)
  }
  const found = await run(planOf(asWritten))
  if (found.count > 0 || words.length === 0) return show(found, asWritten)

  // The house's words are those of archived records too.
  const counts = words.map((word) => countRecords(vocabulary, word))
  const readable = await findReadable(timed, planOf(asWritten).words, counts)
  const recordsOf = (word: QueryWord) => {
    const at = words.indexOf(word)
    return readable[at] ? Math.max(1, counts[at]!) : 0
  }
  const near = await findNear(
    context,
    words.filter((word) => recordsOf(word) === 0),
    categories,
  )
  const others = [...near.values()].flat()
  const ofOthers = await findWords(
    context,
    { keys: listKeys({ ...query, words: others }), beginnings: [], parts: [], hasPatterns: false },
    categories,
  )
  const known = {
    ...vocabulary,
    known: new Map([...vocabulary.known, ...ofOthers.known]),
    links: [...vocabulary.links, ...ofOthers.links],
  }
  const alone = others.map((word) =>
    makePlan({ ...query, phrases: [] }, [{ ...word, forms: [], joined: [] }], known, [1]),
  )
  const isMatching = await findMatching(timed, rest, alone)
  const replaced = new Map(
    [...near].flatMap(([written, all]) => {
      const kept = all.filter((each) => isMatching[others.indexOf(each)]).slice(0, mostCorrections)
      return kept.length > 0 ? [[written, kept] as const] : []
    }),
  )
  const corrected: Reading = { words, replaced }
  if (replaced.size > 0) {
    const matches = await run(planOf(corrected, known))
    if (matches.count > 0) return show(matches, corrected)
  }
  for (const some of leaveOut(words, (word) => (replaced.has(word.written) ? 1 : recordsOf(word)))) {
    const reading = { words: some, replaced }
    const matches = await run(planOf(reading, known))
    if (matches.count > 0) return show(matches, reading)
  }
  return show(found, asWritten)
}

// For each word, by how it was written, the nearest words of the house.
async function findNear(
  context: Context,
  absent: readonly QueryWord[],
  categories: boolean,
): Promise<Map<string, QueryWord[]>> {
  const all = new Map<string, QueryWord[]>()
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
      near.slice(0, 2 * mostCorrections).map(({ candidate }) => correctedWord(candidate)),
    )
  }
  return all
}

// Words are left out one after another while half of them remain: first those that no record has, then the most frequent.
// The rarest word that a record has stays, and so do words with digits.
function* leaveOut(words: readonly QueryWord[], recordsOf: (word: QueryWord) => number): Generator<QueryWord[]> {
  const known = words.filter((word) => recordsOf(word) > 0)
  const rarest = known.toSorted((one, other) => recordsOf(one) - recordsOf(other))[0]
  if (!rarest) return
  const absent = words.filter((word) => recordsOf(word) === 0)
  const frequent = known.filter((word) => word !== rarest).toSorted((one, other) => recordsOf(other) - recordsOf(one))
  let left = [...words]
  for (const word of [...absent, ...frequent].filter(({ digits }) => !digits)) {
    left = left.filter((each) => each !== word)
    if (2 * left.length < words.length) return
    yield left
  }
}
