import { grow } from './arena.ts'

const none = -1

/** Finds the row of an internal id in a column of ids. Four bytes a place: a `Map` of bigints would take fifty. */
export class Ids {
  #places = new Int32Array(2048).fill(none)
  #count = 0
  /** The ids by their rows. */
  ids = new BigInt64Array(1024)

  get bytes(): number {
    return this.#places.length * 4 + this.ids.length * 8
  }

  /** How many rows there are. */
  get count(): number {
    return this.#count
  }

  // The place of an id, or the free one that it would get.
  #placeOf(id: bigint): number {
    const last = this.#places.length - 1
    const [low, high] = [Number(BigInt.asUintN(32, id)), Number(BigInt.asUintN(32, id >> 32n))]
    let place = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) & last
    for (let row = this.#places[place]!; row !== none && this.ids[row] !== id; row = this.#places[place]!)
      place = (place + 1) & last
    return place
  }

  /** The row of an id; undefined if it has none. */
  find(id: bigint): number | undefined {
    const row = this.#places[this.#placeOf(id)]!
    return row === none ? undefined : row
  }

  /** Gives a new id the next row. */
  add(id: bigint): number {
    const row = this.#count++
    if (row === this.ids.length) this.ids = grow(this.ids, row + 1)
    if (row > this.#places.length * 0.7) {
      this.#places = new Int32Array(this.#places.length * 2).fill(none)
      for (let each = 0; each < row; each++) this.#places[this.#placeOf(this.ids[each]!)] = each
    }
    this.#places[this.#placeOf(id)] = row
    this.ids[row] = id
    return row
  }
}
