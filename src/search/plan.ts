import { int32 } from '../values/bounds.ts'
import { byteLength } from '../values/text.ts'
import type { HouseIndex } from './index/house.ts'
import { findBound } from './newest.ts'
import { Sequences, type Place } from './index/sequences.ts'
import { compoundParts, compoundsAmong, type Compounding } from './words/compounds.ts'
import { correctedWord, type Query, type QueryWord, type Sequence } from './words/query.ts'

/** A term by which a record may have a word of a query, and what it is worth in a title or a link, or in another text. */
export type Way = { term: number; title: number; text: number }

/**
 * A word of a plan, as it was `written`. `apart`: pairs of words, each by its terms, that may stand beside each other in its place. `terms`: by
 * which texts have it.
 */
export type Word = { written: string; ways: Way[]; apart: [number[], number[]][]; weight: number; terms: number[] }

/** What a way to a phrase is worth that has the phrase in its name. */
export const inName = 13

/** A phrase. A link that is a way to it has it in its name; of other ways a text must have one of the sequences. */
export type Phrase = { ways: Way[]; sequences: Sequences }

/** What a search looks for, in the terms of the house. */
export type Plan = {
  words: Word[]
  phrases: Phrase[]
  /** Terms that are taken away, and sequences, which are looked for in records with one of the terms `among`. */
  without: { terms: number[]; sequences: { among: number[]; sequences: Sequences }[] }
  /** The place of a word that may be a lot number, and the number. */
  numbered: { at: number; number: number } | undefined
  /** The number that `q` is, if it has only digits. */
  number: number | undefined
  reference: string
}

/** The index of a house as a key sees it: with or without the names of categories. */
export type View = { index: HouseIndex; categories: boolean }

// The frequency of words differs by what a key sees.
const remember = ({ index, categories }: View, name: string, find: () => number[]) =>
  index.remember(`${name} ${categories}`, find)

const mostBegun = 100
const mostCompounds = 50
const mostCandidates = 100
const mostWords = 12

function termsOf({ index }: View, keys: readonly number[]): number[] {
  const terms = new Set<number>()
  for (const key of keys) index.vocabulary.eachTerm(key, (term) => terms.add(term))
  return [...terms]
}

const findKeys = ({ index }: View, keys: readonly string[]) => keys.flatMap((key) => index.vocabulary.find(key) ?? [])

const find = (view: View, keys: readonly string[]) => termsOf(view, findKeys(view, keys))

// How many records have each key, about.
function countEach({ index, categories }: View, keys: ArrayLike<number>): Float64Array {
  const counts = new Float64Array(keys.length)
  for (let at = 0; at < keys.length; at++) counts[at] = index.count(keys[at]!, categories)
  return counts
}

/** How many records have one of these keys, about. */
export const countKeys = (view: View, keys: readonly string[]) => Math.max(0, ...countEach(view, findKeys(view, keys)))

/** The terms, and the links of names that have them, by which records have a word itself. */
export function findOwn(view: View, { exact, joined }: QueryWord): number[] {
  const own = find(view, [...exact, ...joined])
  return [...own, ...linksOf(view, own)]
}

/** Whether the name of a maker or a category has a word. */
export const isNamed = (view: View, { exact, joined }: QueryWord) =>
  linksOf(view, find(view, [...exact, ...joined])).length > 0

// Of keys that as many records have, the first in their order.
function mostFrequent(view: View, keys: Int32Array, most: number): number[] {
  const { vocabulary } = view.index
  const counts = countEach(view, keys)
  const bound = keys.length > most ? Math.max(1, findBound(counts.slice(), most)) : 1
  const found: { key: number; count: number; letters: string }[] = []
  for (let at = 0; at < keys.length; at++)
    if (counts[at]! >= bound) found.push({ key: keys[at]!, count: counts[at]!, letters: vocabulary.keyOf(keys[at]!) })
  return found
    .toSorted((one, other) => other.count - one.count || (one.letters < other.letters ? -1 : 1))
    .slice(0, most)
    .map(({ key }) => key)
}

const beginWith = (view: View, beginnings: readonly string[]) =>
  beginnings.flatMap((each) =>
    remember(view, `begun ${each}`, () => mostFrequent(view, view.index.vocabulary.begun(each), mostBegun)),
  )

// The keys of the house that have a word as a part, and as the rest another word of the house.
const compoundsOf = (view: View, word: QueryWord) =>
  remember(view, `compounds ${word.written}`, () => findCompounds(view, word))

function findCompounds(view: View, word: QueryWord): number[] {
  const { vocabulary } = view.index
  const languages = (['nl', 'de'] as const satisfies Compounding[]).filter(
    (each) => view.index.hasTexts(each) || (view.categories && view.index.categories.has(each)),
  )
  if (languages.length === 0) return []
  const candidates = new Set<string>()
  for (const part of compoundParts(word, languages)) {
    const start = part.slice(0, part.indexOf('/') + 1)
    for (const keys of [vocabulary.begun(part), vocabulary.ending(start, part.slice(start.length))]) {
      const length = byteLength(part)
      const longer = keys.filter((key) => vocabulary.lengthOf(key) > length)
      for (const key of mostFrequent(view, longer, mostCandidates)) candidates.add(vocabulary.keyOf(key))
    }
  }
  const real = compoundsAmong([...candidates], word, languages).filter(({ rests }) => countKeys(view, rests) > 0)
  return mostFrequent(view, Int32Array.from(findKeys(view, [...new Set(real.map(({ key }) => key))])), mostCompounds)
}

/** How many records have a word, about. */
export function countRecords(view: View, word: QueryWord): number {
  const parts = beginWith(view, word.beginnings).length + compoundsOf(view, word).length
  return countKeys(view, [...word.exact, ...word.joined, ...word.forms]) + parts
}

/** The words that count: of more than twelve the rarest, in their order. Words that no record has come first. */
export function chooseWords(words: readonly QueryWord[], recordsOf: (word: QueryWord) => number): QueryWord[] {
  const rarest = words.toSorted((one, other) => recordsOf(one) - recordsOf(other))
  const kept = new Set(rarest.slice(0, mostWords))
  return words.filter((word) => kept.has(word))
}

/** The weight of a word: the more records have it, the less. */
export const weigh = (records: number) => Math.max(4, Math.round(40 - 3 * Math.log2(records + 1)))

type Planned = { places: Place[]; among: number[]; links: number[] }

// The sequences in terms, but for those that no text can have. Records are looked for by the rarest place of each.
function planSequences(view: View, sequences: readonly Sequence[]): Planned[] {
  const { vocabulary, postings } = view.index
  const sizeOf = ({ terms }: Place) => [...terms].reduce((sum, term) => sum + postings.count(term), 0)
  return sequences.flatMap((sequence) => {
    const places = sequence.map(({ offset, keys, beginnings }) => {
      const begun = beginnings.flatMap((each) => [...vocabulary.begun(each)])
      return { offset, terms: new Set(termsOf(view, [...findKeys(view, keys), ...begun])) }
    })
    if (places.some(({ terms }) => terms.size === 0)) return []
    const rarest = places.reduce((one, other) => (sizeOf(other) < sizeOf(one) ? other : one))
    const among = [...rarest.terms]
    return [{ places, among, links: linksOf(view, among, new Sequences([places])) }]
  })
}

// The links of makers and categories whose names have any of the terms, and one of the sequences.
function linksOf({ index, categories }: View, terms: readonly number[], sequences?: Sequences): number[] {
  const named = [...index.makers.having(terms), ...(categories ? index.categories.having(terms) : [])]
  return named.filter(({ words }) => !sequences || sequences.isIn(words)).map(({ link }) => link)
}

// Two words of the house that one is written apart as. The second may have a form: snuffbox, snuff boxes.
function findPair(view: View, first: string, second: string): Word['apart'] {
  const one = find(view, [first])
  if (one.length === 0) return []
  const other = remember(view, `apart ${second}`, () => {
    const { exact, forms } = correctedWord(second)
    return find(view, [...exact, ...forms])
  })
  return other.length > 0 ? [[one, other]] : []
}

/** The sequence of words, by their terms, that stand beside each other. */
export const sequenceOf = (...words: (readonly number[])[]) =>
  new Sequences([words.map((terms, offset) => ({ offset, terms: new Set(terms) }))])

const waysOf = (terms: readonly number[], title: number, text: number): Way[] =>
  terms.map((term) => ({ term, title, text }))

/** Plans a word. `others`: the words taken in its place. */
export function planWord(view: View, word: QueryWord, weight: number, others: readonly QueryWord[]): Word {
  const { forms, beginnings, apart } = word
  const ofForms = find(view, forms)
  const ofOthers = findKeys(
    view,
    others.flatMap((other) => [...other.exact, ...other.forms]),
  )
  const parts = termsOf(view, [...beginWith(view, beginnings), ...compoundsOf(view, word), ...ofOthers])
  const pairs = apart.flatMap(([first, second]) => findPair(view, first, second))
  const besides = pairs.flatMap(([one, other]) => linksOf(view, one, sequenceOf(one, other)))
  const ways = [
    ...waysOf(findOwn(view, word), 12, 8),
    ...waysOf(ofForms, 6, 5),
    ...waysOf(parts, 3, 2),
    ...waysOf(linksOf(view, ofForms), 6, 6),
    ...waysOf([...linksOf(view, parts), ...besides], 3, 3),
  ]
  return {
    written: word.written,
    // Of a term the first way, which is the best.
    ways: [...new Map(ways.toReversed().map((way) => [way.term, way])).values()],
    apart: pairs,
    weight,
    terms: find(
      view,
      [word, ...others].map((each) => each.exact[0]!),
    ),
  }
}

/** Makes the plan of a query with some of its words. */
export function makePlan(view: View, { phrases, without, number, reference }: Query, words: readonly Word[]): Plan {
  const at = words.findIndex(({ written }) => /^\d{1,10}$/.test(written) && Number(written) <= int32.maximum)
  const goneKeys = without.flatMap(({ keys, beginnings }) => [...findKeys(view, keys), ...beginWith(view, beginnings)])
  const gone = termsOf(view, goneKeys)
  const goneSequences = without.flatMap(({ sequences }) => planSequences(view, sequences))
  return {
    words: [...words],
    phrases: phrases.map(({ sequences }) => {
      const all = planSequences(view, sequences)
      return {
        ways: all.flatMap(({ among, links }) => [...waysOf(links, inName, inName), ...waysOf(among, 12, 8)]),
        sequences: new Sequences(all.map(({ places }) => places)),
      }
    }),
    without: {
      terms: [...gone, ...linksOf(view, gone), ...goneSequences.flatMap(({ links }) => links)],
      sequences: goneSequences.map(({ among, places }) => ({ among, sequences: new Sequences([places]) })),
    },
    numbered: at < 0 ? undefined : { at, number: Number(words[at]!.written) },
    number: number === null ? undefined : Number(number),
    reference,
  }
}
