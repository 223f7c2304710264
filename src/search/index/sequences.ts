import { far, Occurrences } from './occurrences.ts'

/** A place of a sequence: any of the terms, so many places after the first. */
export type Place = { offset: number; terms: ReadonlySet<number> }

/** Sequences of terms, of which a text is to have one within one line. */
export class Sequences {
  readonly #places: Occurrences
  // By the numbers of places, in which those of a sequence follow each other: how far a place is from the one before it,
  // and whether it is the last.
  readonly #gaps: Int32Array
  readonly #areLast: Uint8Array
  // Where a text has each place at last, and a bit for each of the 32 words up to there that it had it at, with all before it.
  readonly #at: Int32Array
  readonly #recent: Int32Array
  /** Whether a sequence has more than one place. A text that has the term of another has the sequence. */
  readonly areLong: boolean

  constructor(sequences: readonly (readonly Place[])[]) {
    const places = sequences.flat()
    this.#places = new Occurrences(places.map(({ terms }) => terms))
    this.#gaps = Int32Array.from(places, ({ offset }, at) => (offset === 0 ? 0 : offset - places[at - 1]!.offset))
    this.#areLast = Uint8Array.from(places, (_, at) => (this.#gaps[at + 1] ? 0 : 1))
    this.#at = new Int32Array(places.length)
    this.#recent = new Int32Array(places.length)
    this.areLong = sequences.some(({ length }) => length > 1)
  }

  /** Whether texts have one of the sequences. `bytes`: of `Texts.bytesOf`. */
  isIn(bytes: Uint8Array): boolean {
    this.#at.fill(-far)
    return this.#places.find(bytes, this.#reach)
  }

  // Whether a sequence ends here.
  readonly #reach = (place: number, at: number): boolean => {
    const gap = this.#gaps[place]!
    if (gap > 0) {
      const back = gap - (at - this.#at[place - 1]!)
      if (back < 0 || (this.#recent[place - 1]! & (1 << back)) === 0) return false
    }
    if (this.#areLast[place] === 1) return true
    const moved = at - this.#at[place]!
    this.#recent[place] = (moved < 32 ? this.#recent[place]! << moved : 0) | 1
    this.#at[place] = at
    return false
  }
}
