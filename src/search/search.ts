import type { Context } from '../context.ts'
import { Problem } from '../problems.ts'
import { correct, leaveOut, type Replaced } from './corrections.ts'
import { chooseWords, countRecords, listParts, makePlan, readParts, weigh, type Plan, type Vocabulary } from './plan.ts'
import { findFirstMatching, findMatches, findReadable, startTime, type Matches, type Search } from './queries.ts'
import type { Taken } from './taken.ts'
import { readVocabulary } from './vocabulary.ts'
import { correctedWord, readQuery, type Query, type QueryFault, type QueryWord } from './words/query.ts'

/** A search as a request asks for it. `taken`: how the first page of the walk took `q`. */
type Asked = Omit<Search, 'plan'> & {
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

/**
 * Reads `q`.
 * @throws Problem invalid-parameter
 */
function parseWords(q: string): Query {
  const query = readQuery(q)
  if (typeof query === 'string') throw new Problem('invalid-parameter', faults[query])
  return query
}

/** A way to take a query: its words, and others in the place of some. */
type Reading = { words: QueryWord[]; replaced: Replaced }

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
  const { isComplete, ...vocabulary } = await readVocabulary(context, query, taken, categories)
  const timed = startTime(context)
  const words = taken
    ? query.words.filter(({ written }) => Object.hasOwn(taken.weights, written))
    : chooseWords(query.words, vocabulary)
  const weights =
    taken?.weights ?? Object.fromEntries(words.map((word) => [word.written, weigh(countRecords(vocabulary, word))]))
  const parts = taken?.parts ?? listParts(words, vocabulary)
  const planOf = ({ words: some, replaced }: Reading, known: Vocabulary = vocabulary) =>
    makePlan(
      query,
      some,
      known,
      some.map(({ written }) => weights[written]!),
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
    return { ...matches, taken: { corrected, left, weights, parts }, isRelaxed: left.length > 0, isComplete }
  }
  const asWritten: Reading = { words, replaced: new Map() }
  if (taken) {
    const replaced = new Map(
      Object.entries(taken.corrected).map(([written, others]) => [written, others.map(correctedWord)]),
    )
    const reading = { words: words.filter(({ written }) => !taken.left.includes(written)), replaced }
    const kept = readParts(taken.parts)
    const own = new Map([...vocabulary.compounds, ...kept])
    const begun = reading.words.map((word) => (kept.has(word.written) ? { ...word, beginnings: [] } : word))
    return show(await run(planOf({ ...reading, words: begun }, { ...vocabulary, compounds: own })), reading)
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
  const absent = words.filter((word) => recordsOf(word) === 0)
  const present = words.filter((word) => recordsOf(word) > 0)
  const { replaced, vocabulary: known } = await correct(
    { context, timed, search: rest, query, vocabulary, categories },
    absent,
    present.length > 0 ? planOf({ words: present, replaced: new Map() }) : undefined,
  )
  if (replaced.size > 0) {
    const corrected: Reading = { words, replaced }
    const matches = await run(planOf(corrected, known))
    if (matches.count > 0) return show(matches, corrected)
  }
  const countOf = (word: QueryWord) =>
    Math.max(recordsOf(word), ...(replaced.get(word.written) ?? []).map((other) => countRecords(known, other)))
  const fewer = leaveOut(words, countOf)
  const plans = fewer.map((some) => planOf({ words: some, replaced }, known))
  const first = await findFirstMatching(timed, rest, plans)
  if (first !== undefined) return show(await run(plans[first]!), { words: fewer[first]!, replaced })
  return show(found, asWritten)
}
