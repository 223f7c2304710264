type Cells = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

const pageBits = 20
const pageCells = 2 ** pageBits
const leastPage = 2 ** 12
const mostShared = pageCells / 16
// Refs from here on name a page with one block.
const firstOwn = 2 ** 31

// 1, 2, 3, 4, 6, 8, 12, 16, and so on: at most a third of a block is free.
function roomFor(cells: number): number {
  if (cells <= 2) return cells
  const power = 2 ** (31 - Math.clz32(cells - 1))
  const room = cells <= power * 1.5 ? power * 1.5 : power * 2
  return room <= mostShared ? room : Math.ceil(cells / mostShared) * mostShared
}

/**
 * Blocks of numbers in few large arrays, because an array for each would take more memory than its numbers. A block is
 * named by `ref`, below 2^32: it begins at `offset(ref)` of the array `page(ref)`.
 */
export class Arena<Of extends Cells> {
  readonly #make: (cells: number) => Of
  readonly #pages: Of[] = []
  readonly #own: Of[] = []
  readonly #freeOwn: number[] = []
  readonly #free = new Map<number, number[]>()
  #used = pageCells
  /** How many cells all pages have. */
  cells = 0

  constructor(make: (cells: number) => Of) {
    this.#make = make
  }

  /** The room of a block for so many cells. */
  readonly roomFor = roomFor

  /** Makes a block with room for `cells`. */
  allocate(cells: number): number {
    const room = roomFor(cells)
    if (room > mostShared) {
      const own = this.#freeOwn.pop() ?? this.#own.length
      this.#own[own] = this.#make(room)
      this.cells += room
      return firstOwn + own
    }
    const known = this.#free.get(room)?.pop()
    if (known !== undefined) return known
    if (this.#used + room > pageCells) {
      this.#pages.push(this.#make(0))
      this.#used = 0
    }
    this.#used += room
    this.#growLast()
    return (this.#pages.length - 1) * pageCells + this.#used - room
  }

  // A page begins small: many houses have few words.
  #growLast(): void {
    const last = this.#pages.at(-1)!
    if (this.#used <= last.length) return
    const cells = Math.min(pageCells, Math.max(leastPage, 2 ** Math.ceil(Math.log2(this.#used))))
    const larger = this.#make(cells)
    larger.set(last)
    this.#pages[this.#pages.length - 1] = larger
    this.cells += cells - last.length
  }

  /** Frees a block that was made for `cells`. */
  free(ref: number, cells: number): void {
    if (ref >= firstOwn) {
      this.cells -= this.#own[ref - firstOwn]!.length
      this.#own[ref - firstOwn] = this.#make(0)
      this.#freeOwn.push(ref - firstOwn)
      return
    }
    const room = roomFor(cells)
    const free = this.#free.get(room)
    if (free) free.push(ref)
    else this.#free.set(room, [ref])
  }

  page(ref: number): Of {
    return ref < firstOwn ? this.#pages[ref >>> pageBits]! : this.#own[ref - firstOwn]!
  }

  offset(ref: number): number {
    return ref < firstOwn ? ref & (pageCells - 1) : 0
  }
}

type Column =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>

/** A copy of a column with room for at least `least` values: a quarter more, so that growing is rare and little is free. */
export function grow<Of extends Column>(column: Of, least: number): Of {
  const length = Math.max(least, Math.ceil(column.length * 1.25))
  const larger = new (column.constructor as new (length: number) => Of)(length)
  larger.set(column as never)
  return larger
}
