import { countCharacters } from '../../values/text.ts'
import { isCorrectable } from './corrections.ts'
import { foldWord, mayJoin, normalize, tokenize, type Token } from './letters.ts'
import { formsOfName, stemmed, stemWord } from './stems.ts'

const longest = 200
const mostOfAKind = 4
const shortestApart = 3

/** A word of a query. A record matches if it has any of these keys. */
export interface QueryWord {
  /** As it was typed, in lower case. */
  written: string
  /** Exact keys: mostly one. */
  exact: string[]
  /** Exact keys of this word joined with a neighbour, on both words: `art deco` finds `artdeco`. */
  joined: string[]
  /** The two words that this one may be, written apart: `artdeco` finds `art deco`. */
  apart: [string, string][]
  /** Form keys in all languages, and of names. */
  forms: string[]
  /** Of the last word without a space behind it, and of a single Chinese character: exact keys may begin so. */
  beginnings: string[]
  /** Has a digit. Such a word is never corrected and never left out. */
  digits: boolean
  /** May be corrected: letters only, at least four of them. */
  correctable: boolean
}

/** Words at these places within one field of one language, each by any of its exact keys or beginnings. */
export type Sequence = { offset: number; keys: string[]; beginnings: string[] }[]

/** A phrase: one of the sequences must match. */
interface QueryPhrase {
  sequences: Sequence[]
}

/** What is taken away: records with any of the keys, any word that begins so, or any of the sequences. */
interface QueryExclusion {
  keys: string[]
  beginnings: string[]
  sequences: Sequence[]
}

/** What a `q` asks for. Every word and every phrase must match. */
export interface Query {
  /** Without duplicates. They may be more than twelve. */
  words: QueryWord[]
  phrases: QueryPhrase[]
  without: QueryExclusion[]
  /** If `q` is digits only: these, without leading zeros. Otherwise null. */
  number: string | null
  /** `q` without the spaces around it, as it was typed. */
  reference: string
}

/** Why a `q` is refused: its length, no letter or digit, more than four phrases, more than four `-words`. */
export type QueryFault = 'length' | 'no-letter' | 'phrases' | 'exclusions'

// A clause is a phrase, one or more words to take away, or a word.
const clausePattern = /((?<!\S)-+)?(?:["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]?|([^\s"“”„‟«»]+))/gu

/** Reads `q` (1 to 200 characters). */
export function readQuery(q: string): Query | QueryFault {
  const characters = countCharacters(q)
  if (characters === 0 || characters > longest) return 'length'
  const normalized = normalize(q)
  const number = /^0*(\d+)$/.exec(normalized.trim())?.[1] ?? null
  const query: Query = { words: [], phrases: [], without: [], number, reference: q.trim() }
  const side: Token[][] = []
  let before: 'word' | 'other' = 'other'
  for (const [, minus, phrase, word] of normalized.matchAll(clausePattern)) {
    const tokens = tokenize(phrase ?? word!)
    if (minus === undefined && phrase === undefined) {
      if (before === 'word') side.at(-1)!.push(...tokens)
      else side.push(tokens)
    } else if (tokens.length > 0) {
      if (minus === undefined) query.phrases.push({ sequences: readSequences(tokens) })
      else query.without.push(readExclusion(tokens))
    }
    before = minus === undefined && phrase === undefined ? 'word' : 'other'
  }
  for (const [index, tokens] of side.entries()) {
    const isOpen = before === 'word' && index === side.length - 1 && !/\s$/u.test(normalized)
    for (const each of readWords(tokens, isOpen)) addWord(query.words, each)
  }
  if (query.words.length + query.phrases.length + query.without.length === 0) return 'no-letter'
  if (query.phrases.length > mostOfAKind) return 'phrases'
  return query.without.length > mostOfAKind ? 'exclusions' : query
}

/** The word by which a word of the house is searched for in the place of another. */
export function correctedWord(word: string): QueryWord {
  return { ...readWords(tokenize(word), false)[0]!, apart: [] }
}

function readWords(tokens: Token[], isOpen: boolean): QueryWord[] {
  // The last character of a run is in the pair before it.
  const all = tokens.filter(({ kind }) => kind !== 'last')
  const kept = all.some(({ elided }) => !elided) ? all.filter(({ elided }) => !elided) : all
  return kept.map(({ word, joined, kind }, index) => {
    const exact = foldWord(word)
    const isBeginning = kind === 'single' || (isOpen && kind === 'word' && index === kept.length - 1)
    const neighbours = [
      [kept[index - 1], kept[index]],
      [kept[index], kept[index + 1]],
    ].flatMap(([one, other]) => (one && other && mayJoin(one.word, other.word) ? [one.word + other.word] : []))
    return {
      written: word,
      exact,
      joined: unique([...joined, ...neighbours].flatMap(foldWord)),
      apart: kind === 'word' && isCorrectable(exact[0]!) ? splitWord(exact[0]!) : [],
      forms: kind === 'word' ? [...stemmed.flatMap((language) => stemWord(word, language)), ...formsOfName(word)] : [],
      beginnings: isBeginning ? exact : [],
      digits: /\p{N}/u.test(word),
      correctable: isCorrectable(exact[0]!),
    }
  })
}

function splitWord(word: string): [string, string][] {
  const places = Array.from({ length: Math.max(0, word.length + 1 - 2 * shortestApart) }, (_, at) => at + shortestApart)
  return places.map((at) => [word.slice(0, at), word.slice(at)])
}

function addWord(words: QueryWord[], word: QueryWord) {
  const same = words.find(({ exact }) => exact[0] === word.exact[0])
  if (!same) words.push(word)
  else {
    same.joined = unique([...same.joined, ...word.joined])
    same.beginnings = unique([...same.beginnings, ...word.beginnings])
  }
}

function readSequences(tokens: Token[]): Sequence[] {
  const kept = tokens.filter(({ kind }) => kind !== 'last')
  const first = kept[0]!.position
  const written = kept.map(({ position, word, kind }) => {
    const keys = foldWord(word)
    return { offset: position - first, keys, beginnings: kind === 'single' ? keys : [] }
  })
  const joined = kept.flatMap(({ word }, index) => {
    const next = kept[index + 1]
    if (next === undefined || !mayJoin(word, next.word)) return []
    const one = { offset: written[index]!.offset, keys: foldWord(word + next.word), beginnings: [] }
    const after = written.slice(index + 2).map((each) => ({ ...each, offset: each.offset - 1 }))
    return [[...written.slice(0, index), one, ...after]]
  })
  return [written, ...joined]
}

function readExclusion(tokens: Token[]): QueryExclusion {
  const kept = readWords(tokens, false)
  if (kept.length > 1 || tokens.some(({ joined }) => joined.length > 0))
    return { keys: [], beginnings: [], sequences: readSequences(tokens) }
  const { exact, forms, beginnings } = kept[0]!
  return { keys: [...exact, ...forms], beginnings, sequences: [] }
}

function unique(keys: string[]): string[] {
  return [...new Set(keys)]
}
