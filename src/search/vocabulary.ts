import type { Context } from '../context.ts'
import { enqueueRepeated } from '../jobs/queue.ts'
import { beginIndex, catchUp } from './indexing.ts'
import { listBeginnings, listKeys, mostCompounds, readParts, type Vocabulary } from './plan.ts'
import { mostCaughtUp } from './statements.ts'
import type { Taken } from './taken.ts'
import { indexFormat } from './texts.ts'
import { findKnown, findLinks, findWords, type FoundWords } from './word-queries.ts'
import { compoundParts, compoundsAmong } from './words/compounds.ts'
import { correctedWord, type Query } from './words/query.ts'

/**
 * The words of the house that a query needs, after the index has caught up with every change that was committed before the
 * call, unless too many records wait.
 */
export async function readVocabulary(
  context: Context,
  query: Query,
  taken: Taken | undefined,
  categories: boolean,
): Promise<Vocabulary & { isComplete: boolean }> {
  const others = Object.values(taken?.corrected ?? {}).flatMap((words) => words.map(correctedWord))
  const kept = [...readParts(taken?.parts ?? {}).values()].flat()
  const asked = {
    keys: [...listKeys({ ...query, words: [...query.words, ...others] }), ...kept],
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
    await enqueueRepeated(context.db, 'index_search')
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
  found: FoundWords,
  categories: boolean,
): Promise<Vocabulary & Pick<FoundWords, 'waiting' | 'format'>> {
  const { candidates, languages, ...vocabulary } = found
  const possible = words.map((word) => compoundsAmong(candidates, word, languages))
  const keys = possible.flat().flatMap(({ key, rests }) => [key, ...rests])
  if (keys.length === 0) return { ...vocabulary, compounds: new Map() }
  const known = await findKnown(context, [...new Set(keys)], categories)
  const recordsOf = (key: string) => known.get(key)?.records ?? 0
  const compounds = words.map(({ written }, at): [string, string[]] => {
    const real = possible[at]!.filter(({ rests }) => rests.some((rest) => known.has(rest)))
    const all = [...new Set(real.map(({ key }) => key))].filter((key) => known.has(key))
    return [written, all.toSorted((one, other) => recordsOf(other) - recordsOf(one)).slice(0, mostCompounds)]
  })
  const hashes = compounds.flatMap(([, all]) => all.map((key) => known.get(key)!.hash))
  const links = hashes.length > 0 ? await findLinks(context, hashes, categories) : []
  return {
    ...vocabulary,
    known: new Map([...known, ...vocabulary.known]),
    links: [...vocabulary.links, ...links],
    compounds: new Map(compounds),
  }
}
