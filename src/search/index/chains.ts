import { grow } from './arena.ts'

/** A hash of bytes, of 32 bits. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return mix(hash)
}

/** A hash of a text, of 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** Numbers by keys of 32 bits, in about 16 bytes each. */
export class Chains {
  #heads = new Int32Array(1024)
  #keys = new Int32Array(1024)
  #numbers = new Int32Array(1024)
  #next = new Int32Array(1024)
  #count = 0

  get bytes(): number {
    return (this.#heads.length + this.#keys.length * 3) * 4
  }

  add(key: number, number: number): void {
    if (this.#count === this.#keys.length) this.#grow()
    const entry = this.#count++
    this.#keys[entry] = key
    this.#numbers[entry] = number
    this.#link(entry)
  }

  #link(entry: number): void {
    const head = this.#keys[entry]! & (this.#heads.length - 1)
    this.#next[entry] = this.#heads[head]!
    this.#heads[head] = entry + 1
  }

  #grow(): void {
    this.#keys = grow(this.#keys, this.#count + 1)
    this.#numbers = grow(this.#numbers, this.#count + 1)
    this.#next = grow(this.#next, this.#count + 1)
    if (this.#heads.length > this.#count / 2) return
    this.#heads = new Int32Array(this.#heads.length * 2)
    for (let entry = 0; entry < this.#count; entry++) this.#link(entry)
  }

  /** Tells of each number with a key. */
  each(key: number, tell: (number: number) => void): void {
    for (let next = this.#heads[key & (this.#heads.length - 1)]!; next !== 0; next = this.#next[next - 1]!)
      if (this.#keys[next - 1] === key) tell(this.#numbers[next - 1]!)
  }
}
