import { grow } from './arena.ts'
import { hashBytes } from './chains.ts'

let written = Buffer.alloc(1024)

/**
 * Strings, each once, by numbers from 0. They are kept as UTF-8 in one array, with about ten bytes beside the letters of
 * each: as strings of the language they would take sixty.
 */
export class Strings {
  #bytes = Buffer.alloc(8192)
  #ends = new Uint32Array(1024)
  // The numbers plus one, at the places of their hashes.
  #places = new Int32Array(2048)
  count = 0

  get bytes(): number {
    return this.#bytes.length + (this.#ends.length + this.#places.length) * 4
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!
  }

  // Writes a string into `written`. Returns its length.
  #write(string: string): number {
    if (string.length * 3 > written.length) written = Buffer.alloc(string.length * 3)
    return written.write(string)
  }

  // Whether a string is the one in `written`.
  #isWritten(number: number, length: number): boolean {
    const start = this.#startOf(number)
    if (this.#ends[number]! - start !== length) return false
    for (let at = 0; at < length; at++) if (this.#bytes[start + at] !== written[at]) return false
    return true
  }

  // The place of the string in `written`, or the free one that it would get.
  #placeOf(length: number): number {
    const last = this.#places.length - 1
    let place = hashBytes(written, 0, length) & last
    for (let next = this.#places[place]!; next !== 0 && !this.#isWritten(next - 1, length); next = this.#places[place]!)
      place = (place + 1) & last
    return place
  }

  /** The number of a string; undefined if it has none. */
  find(string: string): number | undefined {
    const next = this.#places[this.#placeOf(this.#write(string))]!
    return next === 0 ? undefined : next - 1
  }

  /** The number of a string, which it gets if it is new. */
  add(string: string): number {
    const length = this.#write(string)
    const place = this.#placeOf(length)
    if (this.#places[place] !== 0) return this.#places[place]! - 1
    const number = this.count++
    const start = this.#startOf(number)
    if (number === this.#ends.length) this.#ends = grow(this.#ends, number + 1)
    if (start + length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.ceil((start + length) * 1.25))
      this.#bytes.copy(larger, 0, 0, start)
      this.#bytes = larger
    }
    written.copy(this.#bytes, start, 0, length)
    this.#ends[number] = start + length
    this.#places[place] = number + 1
    if (this.count > this.#places.length * 0.7) this.#rehash()
    return number
  }

  #rehash(): void {
    const places = new Int32Array(this.#places.length * 2)
    const last = places.length - 1
    for (let number = 0; number < this.count; number++) {
      let place = hashBytes(this.#bytes, this.#startOf(number), this.#ends[number]!) & last
      while (places[place] !== 0) place = (place + 1) & last
      places[place] = number + 1
    }
    this.#places = places
  }

  /** The string with a number. */
  of(number: number): string {
    return this.#bytes.toString('utf8', this.#startOf(number), this.#ends[number])
  }

  /** How many bytes a string has. */
  lengthOf(number: number): number {
    return this.#ends[number]! - this.#startOf(number)
  }

  /** Whether a string ends so. */
  endsWith(number: number, end: Uint8Array): boolean {
    const start = this.#ends[number]! - end.length
    if (start < this.#startOf(number)) return false
    for (let at = 0; at < end.length; at++) if (this.#bytes[start + at] !== end[at]) return false
    return true
  }

  /** Compares two strings by their bytes. */
  compare(one: number, other: number): number {
    return this.#compareWith(one, this.#bytes, this.#startOf(other), this.#ends[other]!, this.#ends[one]!)
  }

  /** Compares the beginning of a string, as long as `beginning`, with it. */
  compareBeginning(number: number, beginning: Uint8Array): number {
    const end = Math.min(this.#ends[number]!, this.#startOf(number) + beginning.length)
    return this.#compareWith(number, beginning, 0, beginning.length, end)
  }

  // Compares a string, up to `end`, with other bytes.
  #compareWith(number: number, others: Uint8Array, from: number, to: number, end: number): number {
    const bytes = this.#bytes
    const start = this.#startOf(number)
    const length = Math.min(end - start, to - from)
    for (let at = 0; at < length; at++) {
      const difference = bytes[start + at]! - others[from + at]!
      if (difference !== 0) return difference
    }
    return end - start - (to - from)
  }
}
