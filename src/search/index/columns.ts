import { resultStates, type ResultState } from '../../values/offers.ts'
import { grow } from './arena.ts'
import { Ids } from './ids.ts'

const last = 2 ** 32 - 1
const digits = (part: number) => part.toString(16).padStart(8, '0')

type Growing = Record<string, Parameters<typeof grow>[0]>

/**
 * A column for each field, in which a record has one row: an object for each record would take several times the memory.
 * Times are microseconds. A record without a creation is the oldest.
 */
class Columns {
  readonly rows = new Ids()
  room = 1024
  // The four parts of the public UUID.
  first = new Uint32Array(this.room)
  second = new Uint32Array(this.room)
  third = new Uint32Array(this.room)
  fourth = new Uint32Array(this.room)
  created = new Float64Array(this.room)

  get count(): number {
    return this.rows.count
  }

  get bytes(): number {
    const columns = Object.values(this).filter((column) => ArrayBuffer.isView(column))
    return columns.reduce((sum, { byteLength }) => sum + byteLength, this.rows.bytes)
  }

  /** The row of a record, new or not. A new one is all zeros. */
  rowOf(id: bigint): number {
    const known = this.rows.find(id)
    if (known !== undefined) return known
    const row = this.rows.add(id)
    if (row === this.room) {
      const columns = this as unknown as Growing
      for (const [name, column] of Object.entries(columns))
        if (ArrayBuffer.isView(column)) columns[name] = grow(column, row + 1)
      this.room = this.created.length
    }
    return row
  }

  setIdentity(row: number, uuid: string | null, created: number | null): void {
    const text = uuid?.replaceAll('-', '')
    const part = (at: number) => (text === undefined ? last : Number.parseInt(text.slice(at, at + 8), 16))
    this.first[row] = part(0)
    this.second[row] = part(8)
    this.third[row] = part(16)
    this.fourth[row] = part(24)
    this.created[row] = created ?? -Infinity
  }

  /** The public UUID of a record; the last one there is if it has none. */
  uuidOf(row: number): string {
    const parts = [this.first, this.second, this.third, this.fourth]
    const text = parts.map((part) => digits(part[row]!)).join('')
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }

  /** What is compared, in this order, to find the record that was created later; ties go to the greater UUID. */
  get ages(): readonly (Float64Array | Uint32Array)[] {
    return [this.created, this.first, this.second, this.third, this.fourth]
  }

  /** Compares the public UUIDs of two records. */
  compareUuids(one: number, other: number): number {
    for (const part of [this.first, this.second, this.third, this.fourth])
      if (part[one] !== part[other]) return part[one]! - part[other]!
    return 0
  }
}

/** The bits of `ItemColumns.flags`. */
export const itemFlags = { archived: 1, images: 2 }

/**
 * Items. A missing bound of an estimate is NaN. `languages` has a bit for each locale in which the item has a text.
 * `firstLot` is the row of a lot plus one, or 0. `makers` and `categories` are numbers of sets. `titleWords`: of the shortest
 * title, 0 without one.
 */
export class ItemColumns extends Columns {
  flags = new Uint8Array(this.room)
  languages = new Int32Array(this.room)
  estimateLow = new Float64Array(this.room)
  estimateHigh = new Float64Array(this.room)
  seller = new BigInt64Array(this.room)
  consignment = new BigInt64Array(this.room)
  /** See `hashReference`; 0 without a reference. */
  reference = new Float64Array(this.room)
  makers = new Int32Array(this.room)
  categories = new Int32Array(this.room)
  firstLot = new Int32Array(this.room)
  titleWords = new Uint16Array(this.room)
}

/** The bits of `LotColumns.flags`. */
export const lotFlags = { archived: 1, active: 2, held: 4 }

/** The states of a result, with their numbers in `LotColumns.result`. */
export const results = ['none', ...resultStates] as const satisfies (ResultState | 'none')[]

/**
 * Lots. A missing bid or time is NaN. `session` is the place of the session, `item` the row of the item plus one, and
 * `next` the row of its next lot plus one.
 */
export class LotColumns extends Columns {
  flags = new Uint8Array(this.room)
  result = new Uint8Array(this.room)
  session = new Int32Array(this.room)
  item = new Int32Array(this.room)
  next = new Int32Array(this.room)
  place = new Float64Array(this.room)
  bid = new Float64Array(this.room)
  closes = new Float64Array(this.room)
}

/** Sets of numbers, each once: many items have the same makers or categories. The first is empty. */
export class Sets {
  readonly #numbers = new Map<string, number>([['', 0]])
  readonly all: number[][] = [[]]

  numberOf(members: readonly number[]): number {
    const name = members.join()
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.all.push([...members]) - 1
    this.#numbers.set(name, number)
    return number
  }

  get bytes(): number {
    return this.all.length * 150
  }
}

/** A number that almost surely differs for another reference. Never 0. */
export function hashReference(reference: string): number {
  let [low, high] = [0x9e3779b1, 0x85ebca6b]
  for (let at = 0; at < reference.length; at++) {
    low = Math.imul(low ^ reference.charCodeAt(at), 2_654_435_761)
    high = Math.imul(high ^ reference.charCodeAt(at), 1_597_334_677)
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  return 2 ** 32 * (high & 0xfffff) + (low >>> 0) + 1
}
