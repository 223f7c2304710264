import { hash } from 'node:crypto'

// A slot holds three words of a name's digest, and the name's number plus one.
const wordsOfSlot = 4
const wordsOfDigest = wordsOfSlot - 1
const fewSlots = 256

// The digest is a text: buffers of 100,000 digests would stay outside the heap for long.
function digestOf(name: string): number[] {
  const digest = hash('sha256', name, 'hex')
  return [0, 8, 16].map((start) => Number.parseInt(digest.slice(start, start + 8), 16))
}

/**
 * A map from names to whole numbers, for 100,000 names and more. It holds 96 bits of each name's digest instead of the
 * name. In practice no two names share them.
 */
export class Names {
  #slots = new Uint32Array(wordsOfSlot * fewSlots)
  #count = 0

  /** The index of the digest's slot, or of the free slot for it. */
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

  /** Sets the number of a name, 0 or more, and replaces an earlier one. */
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
