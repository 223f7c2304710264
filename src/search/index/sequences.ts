import { isNext, isWord, termOf } from './texts.ts'

/** A place of a sequence: any of the terms, so many places after the first. */
export type Place = { offset: number; terms: ReadonlySet<number> }

const filterSize = 1_024
let starts = new Int32Array(256)
let firsts = new Int32Array(256)

/** Sequences of terms, of which a text is to have one within one line. */
export class Sequences {
  readonly #sequences: readonly Place[][]
  // Whether a term may be the first of a sequence: most are not, and are found out without a look into the sets.
  readonly #filter = new Uint8Array(filterSize)
  /** Whether a sequence has more than one place. A text that has the term of another has the sequence. */
  readonly areLong: boolean

  constructor(sequences: readonly Place[][]) {
    this.#sequences = sequences
    this.areLong = sequences.some(({ length }) => length > 1)
    for (const [first] of sequences) for (const term of first!.terms) this.#filter[term % filterSize] = 1
  }

  /** Whether texts have one of the sequences. `codes`: in the numbers of texts.ts, so many. */
  isIn(codes: ArrayLike<number>, length: number): boolean {
    if (starts.length <= length) {
      starts = new Int32Array(length * 2)
      firsts = new Int32Array(length * 2)
    }
    for (let at = 0; at < length;) {
      let places = 0
      let found = 0
      for (at += 1; at < length && isWord(codes[at]!); at++) {
        if (isNext(codes[at]!)) starts[places++] = at
        if (this.#filter[termOf(codes[at]!) % filterSize] === 1) firsts[found++] = places - 1
      }
      starts[places] = at
      for (let each = 0; each < found; each++)
        for (const sequence of this.#sequences) if (isAt(firsts[each]!, sequence, codes, places)) return true
    }
    return false
  }
}

// Whether a line with so many places, which begin at `starts`, has a sequence at one of them.
function isAt(first: number, sequence: readonly Place[], codes: ArrayLike<number>, places: number): boolean {
  for (const { offset, terms } of sequence) {
    if (first + offset >= places) return false
    let at = starts[first + offset]!
    const end = starts[first + offset + 1]!
    while (at < end && !terms.has(termOf(codes[at]!))) at += 1
    if (at === end) return false
  }
  return true
}
