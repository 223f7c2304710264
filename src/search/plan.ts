import type { Query, QueryWord, Sequence } from './words/query.ts'
import { int32 } from '../values/bounds.ts'

/**
 * What a record must have for a word: any of these keys, or a maker or category of these links. Exact keys and their links
 * rank first, then forms, then parts. All are hashes as the index has them. `text`: the word as texts have it.
 */
export type Word = {
  text: string
  exact: string[]
  links: string[]
  forms: string[]
  parts: string[]
  otherLinks: string[]
  /** Two words beside each other, written apart where the query has one: a record has a key of each, and the pattern. */
  apart: { keys: [string[], string[]]; pattern: string }[]
  weight: number
}

/** A phrase: a text must match the pattern, and the record has one of the keys; or it has one of the links. */
type Phrase = { keys: string[]; links: string[]; pattern: string }

/** What a search looks for, in the words of the house. */
export type Plan = {
  words: Word[]
  phrases: Phrase[]
  without: { keys: string[]; links: string[]; patterns: string[] }
  /** The place of a word that may be a lot number, and the number. */
  numbered: { at: number; number: string } | null
  /** The number that `q` is, if it has only digits. */
  number: string | null
  reference: string
  /** About how many records may match: as many as have the rarest word. */
  records: number
}

/** A maker or category whose name has some of the words: its link, the hashes of these words, and its texts. */
export type NameLink = { link: string; keys: string[]; words: string }

/**
 * What the house's words say about a query: the known words, those with each beginning, the compounds of a word by how it
 * was written, and names that have them.
 */
export type Vocabulary = {
  known: ReadonlyMap<string, { records: number; hash: string }>
  compounds: ReadonlyMap<string, string[]>
  beginnings: ReadonlyMap<string, string[]>
  links: readonly NameLink[]
}

/** The most matches that are counted and ranked. */
export const mostMatches = 10_000

/** The most words that count for a beginning, the most frequent. */
export const mostBegun = 100

/** The most compounds that count for a part, the most frequent. */
export const mostCompounds = 50

/** The most words that count. */
const mostWords = 12

const recordsOf = ({ known }: Vocabulary, keys: readonly string[]) =>
  keys.reduce((most, key) => Math.max(most, known.get(key)?.records ?? 0), 0)

const begunWith = ({ beginnings }: Vocabulary, all: readonly string[]) =>
  all.flatMap((each) => beginnings.get(each) ?? [])

/** How many records have a word, about. */
export function countRecords(vocabulary: Vocabulary, { written, exact, joined, forms, beginnings }: QueryWord): number {
  const parts = [...begunWith(vocabulary, beginnings), ...(vocabulary.compounds.get(written) ?? [])]
  return recordsOf(vocabulary, [...exact, ...joined, ...forms]) + parts.length
}

/**
 * The beginnings and compounds taken for a word, where the house has more than count: which ones count may change during a
 * walk. Separated by spaces.
 */
export function listParts(words: readonly QueryWord[], vocabulary: Vocabulary): Record<string, string> {
  const parts = words.flatMap(({ written, beginnings }) => {
    const [begun, compounds] = [begunWith(vocabulary, beginnings), vocabulary.compounds.get(written) ?? []]
    return begun.length < mostBegun && compounds.length < mostCompounds
      ? []
      : [[written, [...begun, ...compounds].join(' ')]]
  })
  return Object.fromEntries(parts) as Record<string, string>
}

/** The words of `listParts`. */
export const readParts = (parts: Record<string, string>) =>
  new Map(Object.entries(parts).map(([written, text]) => [written, text.split(' ')]))

/** All keys that a plan must know. */
export function listKeys({ words, phrases, without }: Query): string[] {
  const sequences = [...phrases, ...without].flatMap((each) => each.sequences.flat())
  const ofWords = words.flatMap(({ exact, joined, forms, apart }) => [...exact, ...joined, ...forms, ...apart.flat()])
  return [...new Set([...ofWords, ...[...without, ...sequences].flatMap(({ keys }) => keys)])]
}

/** All beginnings that a query looks for. */
export function listBeginnings({ words, phrases, without }: Query): string[] {
  const sequences = [...phrases, ...without].flatMap((each) => each.sequences.flat())
  return [...new Set([...words, ...without, ...sequences].flatMap(({ beginnings }) => beginnings))]
}

/** The words that count: of more than twelve the rarest, in their order. Words that no record has come first. */
export function chooseWords(words: readonly QueryWord[], vocabulary: Vocabulary): QueryWord[] {
  const rarest = words.toSorted((one, other) => countRecords(vocabulary, one) - countRecords(vocabulary, other))
  const kept = new Set(rarest.slice(0, mostWords))
  return words.filter((word) => kept.has(word))
}

/** The weight of a word: the more records have it, the less. */
export const weigh = (records: number) => Math.max(4, Math.round(40 - 3 * Math.log2(records + 1)))

const escape = (key: string) => key.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

// A line of `words` has the places of a text: `|muller|mueller| |vaas|`.
function printPattern(sequence: Sequence): string {
  const places: string[] = []
  for (const { offset, keys, beginnings } of sequence) {
    const any = [...keys.map((key) => `${escape(key)}\\|`), ...beginnings.map(escape)].join('|')
    while (places.length < offset) places.push('[^ \\n]+')
    places.push(`[^ \\n]*\\|(?:${any})[^ \\n]*`)
  }
  return `(?:^|[ \\n])${places.join(' ')}(?:$|[ \\n])`
}

// The rarest place of a sequence: the index finds the records by its keys.
function rarestKeys(sequence: Sequence, vocabulary: Vocabulary): string[] {
  const keysOf = ({ keys, beginnings }: Sequence[number]) => [...keys, ...begunWith(vocabulary, beginnings)]
  const places = sequence.map(keysOf)
  return places.toSorted((one, other) => recordsOf(vocabulary, one) - recordsOf(vocabulary, other))[0]!
}

/** Makes the plan of a query. `replaced`: the words taken in place of a word, by how it was written. */
export function makePlan(
  { phrases, without, number, reference }: Query,
  words: readonly QueryWord[],
  vocabulary: Vocabulary,
  weights: readonly number[],
  replaced: ReadonlyMap<string, QueryWord[]> = new Map(),
): Plan {
  // A word that no record has is not looked for.
  const hash = (keys: readonly string[]) => [...new Set(keys.flatMap((key) => vocabulary.known.get(key)?.hash ?? []))]
  const linksOf = (hashes: readonly string[], pattern?: RegExp) => {
    const named = vocabulary.links.filter(
      ({ keys, words: texts }) => keys.some((key) => hashes.includes(key)) && pattern?.test(texts) !== false,
    )
    return [...new Set(named.map(({ link }) => link))]
  }
  const planned = words.map(({ written, exact, joined, forms, beginnings, apart }, at): Word => {
    const others = (replaced.get(written) ?? []).flatMap((other) => [...other.exact, ...other.forms])
    const [own, ofForms] = [hash([...exact, ...joined]), hash(forms)]
    const compounds = vocabulary.compounds.get(written) ?? []
    const parts = hash([...begunWith(vocabulary, beginnings), ...compounds, ...others]).filter(
      (key) => !own.includes(key),
    )
    const links = linksOf(own)
    const otherLinks = linksOf([...ofForms, ...parts]).filter((link) => !links.includes(link))
    const two = apart.flatMap(([one, other]) => {
      const keys = [hash([one]), hash([other])] as [string[], string[]]
      return keys.some(({ length }) => length === 0) ? [] : [{ keys, pattern: `|${one}| |${other}|` }]
    })
    return {
      text: exact[0]!,
      exact: own,
      links,
      forms: ofForms,
      parts,
      otherLinks,
      apart: two,
      weight: weights[at] ?? 4,
    }
  })
  const at = words.findIndex(({ written }) => /^\d{1,10}$/.test(written) && Number(written) <= int32.maximum)
  const gone = hash(without.flatMap(({ keys, beginnings }) => [...keys, ...begunWith(vocabulary, beginnings)]))
  const goneSequences = without.flatMap(({ sequences }) => sequences)
  const patterns = goneSequences.map(printPattern)
  const goneNames = goneSequences.flatMap((each) =>
    linksOf(hash(rarestKeys(each, vocabulary)), new RegExp(printPattern(each))),
  )
  return {
    words: planned,
    phrases: phrases.map(({ sequences }) => {
      const keys = hash(sequences.flatMap((each) => rarestKeys(each, vocabulary)))
      const pattern = sequences.map(printPattern).join('|')
      return { keys, links: linksOf(keys, new RegExp(pattern)), pattern }
    }),
    without: { keys: gone, links: [...linksOf(gone), ...goneNames], patterns },
    numbered: at < 0 ? null : { at, number: String(Number(words[at]!.written)) },
    number,
    reference,
    records: Math.min(...words.map((word) => countRecords(vocabulary, word))),
  }
}
