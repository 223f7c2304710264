import { hash } from 'node:crypto'

// A slot has three words of a name's digest, and its number plus one.
const wordsOfSlot = 4
const wordsOfDigest = wordsOfSlot - 1
const fewSlots = 256

// The buffers of a hundred thousand digests would stay beside the heap for long: a text does not.
function digestOf(name: string): number[] {
  const digest = hash('sha256', name, 'hex')
  return [0, 8, 16].map((start) => Number.parseInt(digest.slice(start, start + 8), 16))
}

/**
 * Whole numbers by names, for a hundred thousand names and more. Memory has no name, but 96 bits of its digest: names that
 * share them do not occur.
 */
export class Names {
  #slots = new Uint32Array(wordsOfSlot * fewSlots)
  #count = 0

  /** Where the digest's slot begins, or the free one in which it belongs. */
  #find(digest: ArrayLike<number>): number {
    const slots = this.#slots
    for (let at = (digest[0]! * wordsOfSlot) % slots.length; ; at = (at + wordsOfSlot) % slots.length) {
      if (slots[at + wordsOfDigest] === 0) return at
      if (slots[at] === digest[0] && slots[at + 1] === digest[1] && slots[at + 2] === digest[2]) return at
    }
  }

  /** The number of a name. */
  get(name: string): number | undefined {
    const number = this.#slots[this.#find(digestOf(name)) + wordsOfDigest]!
    return number === 0 ? undefined : number - 1
  }

  /** Gives a name a number from 0 on, in place of an earlier one. */
  set(name: string, number: number): void {
    const digest = digestOf(name)
    let at = this.#find(digest)
    if (this.#slots[at + wordsOfDigest] === 0 && ++this.#count * wordsOfSlot > 0.8 * this.#slots.length) {
      this.#grow()
      at = this.#find(digest)
    }
    this.#slots.set(digest, at)
    this.#slots[at + wordsOfDigest] = number + 1
  }

  #grow(): void {
    const earlier = this.#slots
    this.#slots = new Uint32Array(2 * earlier.length)
    for (let at = 0; at < earlier.length; at += wordsOfSlot) {
      const slot = earlier.subarray(at, at + wordsOfSlot)
      if (slot[wordsOfDigest] !== 0) this.#slots.set(slot, this.#find(slot))
    }
  }
}
