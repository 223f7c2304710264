import { isNext, isWord, termOf } from './texts.ts'

/** A place of a sequence: any of the words, so many places after the first. */
export type Place = { offset: number; terms: ReadonlySet<number> }

let starts = new Int32Array(256)

/** Whether texts, in the numbers of texts.ts, have one of the sequences within one line. */
export function hasSequence(codes: ArrayLike<number>, length: number, sequences: readonly Place[][]): boolean {
  if (starts.length <= length) starts = new Int32Array(length * 2)
  for (let at = 0; at < length;) {
    let places = 0
    for (at += 1; at < length && isWord(codes[at]!); at++) if (isNext(codes[at]!)) starts[places++] = at
    starts[places] = at
    const has = ({ offset, terms }: Place, first: number) => {
      if (first + offset >= places) return false
      for (let each = starts[first + offset]!; each < starts[first + offset + 1]!; each++)
        if (terms.has(termOf(codes[each]!))) return true
      return false
    }
    for (let first = 0; first < places; first++)
      for (const sequence of sequences) if (sequence.every((place) => has(place, first))) return true
  }
  return false
}

const nearPlaces = 7
const [besideWorth, nearWorth] = [40, 15]
let marks = new Uint8Array(1024)

/**
 * What it is worth how near to each other texts have neighbours of a query: 40 where one follows the other, 15 where they
 * are not far apart. `terms`: the words of the query; undefined for one that the house does not have.
 */
export function weighNearness(
  codes: ArrayLike<number>,
  length: number,
  terms: readonly (number | undefined)[],
): number {
  const most = terms.reduce<number>((all, term) => Math.max(all, term ?? 0), 0)
  if (marks.length <= most) marks = new Uint8Array(most * 2)
  for (const [at, term] of terms.entries()) if (term !== undefined) marks[term] = at + 1
  const last = terms.map(() => -Infinity)
  const worth = terms.map(() => 0)
  let place = 0
  for (let at = 0; at < length; at++) {
    const code = codes[at]!
    // A line is far from the one before it.
    if (!isWord(code)) place += nearPlaces
    else {
      if (isNext(code)) place += 1
      const term = termOf(code)
      const word = term < marks.length ? marks[term]! - 1 : -1
      if (word >= 0) {
        const before = word > 0 ? place - last[word - 1]! : Infinity
        if (before <= nearPlaces) worth[word] = Math.max(worth[word]!, before === 1 ? besideWorth : nearWorth)
        if (word + 1 < terms.length && place - last[word + 1]! <= nearPlaces)
          worth[word + 1] = Math.max(worth[word + 1]!, nearWorth)
        last[word] = place
      }
    }
  }
  for (const term of terms) if (term !== undefined) marks[term] = 0
  return worth.reduce((sum, each) => sum + each, 0)
}

/** The most that `weighNearness` gives for so many words. */
export const mostNearness = (words: number) => besideWorth * Math.max(0, words - 1)
