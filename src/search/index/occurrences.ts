import { isNext, isWord, termOf } from './texts.ts'

/** How many places a text is at least from the one before it. */
export const far = 64

const filterSize = 1_024

/** Finds where terms of some sets stand in the texts of a record. */
export class Occurrences {
  readonly #sets = new Map<number, number[]>()
  // Whether a term may be in a set: most are not, and are found out without a look into the map.
  readonly #filter = new Uint8Array(filterSize)

  constructor(sets: readonly Iterable<number>[]) {
    for (const [set, terms] of sets.entries())
      for (const term of terms) {
        const known = this.#sets.get(term)
        if (known) known.push(set)
        else this.#sets.set(term, [set])
        this.#filter[term % filterSize] = 1
      }
  }

  /**
   * Tells of each occurrence: the number of its set, and its place. Ends where `tell` returns true, and then returns that.
   * `bytes`: of `Texts.bytesOf`.
   */
  find(bytes: Uint8Array, tell: (set: number, place: number) => boolean): boolean {
    const filter = this.#filter
    let place = 0
    let code = 0
    let shift = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      code |= (byte & 127) << shift
      shift += 7
      if (byte > 127) continue
      if (!isWord(code)) place += far
      else {
        if (isNext(code)) place += 1
        const term = termOf(code)
        if (filter[term % filterSize] === 1)
          for (const set of this.#sets.get(term) ?? []) if (tell(set, place)) return true
      }
      code = 0
      shift = 0
    }
    return false
  }
}
