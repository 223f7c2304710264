import { isNext, isWord, termOf } from './texts.ts'

/** A place of a sequence: any of the terms, so many places after the first. */
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
