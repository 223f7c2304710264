import { grow } from './arena.ts'

/** The terms of each key. Most keys have one, which takes four bytes. */
export class Having {
  // The term plus one; below zero, the last entry of several terms: less one, negated.
  #first = new Int32Array(1024)
  #terms = new Int32Array(1024)
  #next = new Int32Array(1024)
  #count = 0

  get bytes(): number {
    return (this.#first.length + this.#terms.length * 2) * 4
  }

  add(key: number, term: number): void {
    if (key >= this.#first.length) this.#first = grow(this.#first, key + 1)
    const first = this.#first[key]!
    if (first === 0) this.#first[key] = term + 1
    else this.#first[key] = this.#addEntry(term, first < 0 ? first : this.#addEntry(first - 1, 0))
  }

  #addEntry(term: number, next: number): number {
    if (this.#count === this.#terms.length) {
      this.#terms = grow(this.#terms, this.#count + 1)
      this.#next = grow(this.#next, this.#count + 1)
    }
    const entry = this.#count++
    this.#terms[entry] = term
    this.#next[entry] = next
    return -entry - 1
  }

  /** Tells of each term with a key. */
  each(key: number, tell: (term: number) => void): void {
    const first = this.#first[key]!
    if (first > 0) tell(first - 1)
    for (let entry = -first - 1; entry >= 0; entry = -this.#next[entry]! - 1) tell(this.#terms[entry]!)
  }
}
