import { int32 } from '../../values/bounds.ts'
import { Arena, grow } from './arena.ts'

// The last call of `countAny` that has counted each row.
let counted = new Int32Array(1024)
let calls = 0

/**
 * The items that have each word: their rows, times two, plus one if a title has it. The order says nothing, so an item
 * is taken out of a list without moving the others.
 */
export class Postings {
  readonly #arena = new Arena((cells) => new Int32Array(cells))
  #refs = new Uint32Array(1024)
  #counts = new Int32Array(1024)

  get bytes(): number {
    return this.#arena.cells * 4 + this.#refs.length * 8
  }

  /** How many items have a word. */
  count(term: number): number {
    return this.#counts[term] ?? 0
  }

  /** How many items have any of some words. */
  countAny(terms: readonly number[]): number {
    if (calls === int32.maximum) counted.fill((calls = 0))
    calls += 1
    let count = 0
    for (const term of terms) {
      const list = this.of(term)
      for (let at = 0; at < list.length; at++) {
        const row = list[at]! >> 1
        if (row >= counted.length) counted = grow(counted, row + 1)
        if (counted[row] === calls) continue
        counted[row] = calls
        count += 1
      }
    }
    return count
  }

  /** The postings of a word, until the next change. */
  of(term: number): Int32Array {
    const count = this.count(term)
    if (count === 0) return new Int32Array()
    const ref = this.#refs[term]!
    const offset = this.#arena.offset(ref)
    return this.#arena.page(ref).subarray(offset, offset + count)
  }

  add(term: number, posting: number): void {
    if (term >= this.#counts.length) {
      this.#refs = grow(this.#refs, term + 1)
      this.#counts = grow(this.#counts, term + 1)
    }
    const count = this.#counts[term]!
    if (count === 0) this.#refs[term] = this.#arena.allocate(1)
    else if (this.#arena.roomFor(count) === count) this.#move(term, count, count + 1)
    const ref = this.#refs[term]!
    this.#arena.page(ref)[this.#arena.offset(ref) + count] = posting
    this.#counts[term] = count + 1
  }

  remove(term: number, posting: number): void {
    const list = this.of(term)
    const last = list.length - 1
    list[list.indexOf(posting)] = list[last]!
    this.#counts[term] = last
    if (last === 0) this.#arena.free(this.#refs[term]!, 1)
    else if (this.#arena.roomFor(last) === last) this.#move(term, last + 1, last)
  }

  // Moves a list to a block for another length.
  #move(term: number, from: number, to: number): void {
    const list = this.of(term).subarray(0, Math.min(from, to))
    const ref = this.#arena.allocate(to)
    this.#arena.page(ref).set(list, this.#arena.offset(ref))
    this.#arena.free(this.#refs[term]!, from)
    this.#refs[term] = ref
  }
}
