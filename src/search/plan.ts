import type { Query, QueryWord, Sequence } from './words/query.ts'

/** What a record must have for a word: any of these keys. Exact ones rank first, then forms, then parts. */
export type Word = { exact: string[]; forms: string[]; parts: string[]; weight: number }

/** A phrase: a text must match the pattern, and the record has one of the keys. */
export type Phrase = { keys: string[]; pattern: string }

/** What a search looks for, in the words of the house. */
export type Plan = {
  words: Word[]
  phrases: Phrase[]
  without: { keys: string[]; patterns: string[] }
  /** The place of a word that may be a lot number, and the number. */
  numbered: { at: number; number: string } | null
  /** The number that `q` is, if it has only digits. */
  number: string | null
  reference: string
}

/** What the house's words say about a query: the records of each key, and the words with each beginning. */
export type Vocabulary = { records: Record<string, number>; beginnings: Record<string, string[]> }

/** How `q` was taken, for all pages of a walk: corrections, words left out, and the weight of each word. */
export type Taken = { corrected: Record<string, string[]>; left: string[]; weights: number[] }

/** The most words that count. */
export const mostWords = 12
const greatestNumber = 2_147_483_647

const recordsOf = ({ records }: Vocabulary, keys: readonly string[]) =>
  keys.reduce((most, key) => Math.max(most, Object.hasOwn(records, key) ? records[key]! : 0), 0)

/** How many records have a word, about. */
export function countRecords(vocabulary: Vocabulary, { exact, joined, forms, beginnings }: QueryWord): number {
  const begun = beginnings.flatMap((each) => vocabulary.beginnings[each] ?? [])
  return recordsOf(vocabulary, [...exact, ...joined, ...forms]) + begun.length
}

/** All keys whose records a plan must know. */
export function listKeys({ words, phrases }: Query): string[] {
  const ofPhrases = phrases.flatMap(({ sequences }) => sequences.flatMap((each) => each.flatMap(({ keys }) => keys)))
  return [...new Set([...words.flatMap(({ exact, joined, forms }) => [...exact, ...joined, ...forms]), ...ofPhrases])]
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
  const keysOf = ({ keys, beginnings }: Sequence[number]) => [
    ...keys,
    ...beginnings.flatMap((each) => vocabulary.beginnings[each] ?? []),
  ]
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
  const planned = words.map(({ written, exact, joined, forms, beginnings }, at): Word => {
    const others = replaced.get(written) ?? []
    const begun = beginnings.flatMap((each) => vocabulary.beginnings[each] ?? [])
    const parts = [...begun, ...others.flatMap((other) => [...other.exact, ...other.forms])]
    return { exact: [...exact, ...joined], forms, parts, weight: weights[at] ?? 4 }
  })
  const at = words.findIndex(({ written }) => /^\d{1,10}$/.test(written) && Number(written) <= greatestNumber)
  return {
    words: planned,
    phrases: phrases.map(({ sequences }) => ({
      keys: [...new Set(sequences.flatMap((each) => rarestKeys(each, vocabulary)))],
      pattern: sequences.map(printPattern).join('|'),
    })),
    without: {
      keys: without.flatMap(({ keys, beginnings }) => [
        ...keys,
        ...beginnings.flatMap((each) => vocabulary.beginnings[each] ?? []),
      ]),
      patterns: without.flatMap(({ sequences }) => sequences.map(printPattern)),
    },
    numbered: at < 0 ? null : { at, number: String(Number(words[at]!.written)) },
    number,
    reference,
  }
}
