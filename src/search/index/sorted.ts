import { grow } from './arena.ts'
import type { Strings } from './strings.ts'

const mostFresh = 1_024

/** Numbers of strings in the order of these, so that those which begin alike are beside each other. */
export class Sorted {
  readonly #strings: Strings
  #numbers = new Int32Array(mostFresh)
  #count = 0
  // What was added lately, in no order.
  #fresh: number[] = []

  constructor(strings: Strings) {
    this.#strings = strings
  }

  get bytes(): number {
    return (this.#numbers.length + mostFresh) * 4
  }

  get count(): number {
    return this.#count + this.#fresh.length
  }

  add(number: number): void {
    this.#fresh.push(number)
    if (this.#fresh.length === mostFresh) this.#merge()
  }

  // The least are moved last, each with those before it which are greater.
  #merge(): void {
    const fresh = this.#fresh.toSorted((one, other) => this.#strings.compare(one, other))
    const room = this.#count + fresh.length
    if (room > this.#numbers.length) this.#numbers = grow(this.#numbers, room)
    let end = this.#count
    for (let left = fresh.length; left > 0; left--) {
      const number = fresh[left - 1]!
      const place = this.#find(end, (other) => this.#strings.compare(other, number) > 0)
      this.#numbers.copyWithin(place + left, place, end)
      this.#numbers[place + left - 1] = number
      end = place
    }
    this.#count = room
    this.#fresh = []
  }

  // The first place below `end` that is at or behind what is looked for.
  #find(end: number, isBehind: (number: number) => boolean): number {
    let [low, high] = [0, end]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBehind(this.#numbers[middle]!)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Those whose strings begin so. */
  begun(beginning: string): Int32Array {
    const bytes = Buffer.from(beginning)
    const compare = (number: number) => this.#strings.compareBeginning(number, bytes)
    const first = this.#find(this.#count, (number) => compare(number) >= 0)
    const last = this.#find(this.#count, (number) => compare(number) > 0)
    const fresh = this.#fresh.filter((number) => compare(number) === 0)
    const begun = new Int32Array(last - first + fresh.length)
    begun.set(this.#numbers.subarray(first, last))
    begun.set(fresh, last - first)
    return begun
  }
}
