type Cells = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

const pageBits = 20
const pageCells = 2 ** pageBits
const mostShared = pageCells / 16

// 1, 2, 3, 4, 6, 8, 12, 16, and so on: at most a third of a block is free.
function roomFor(cells: number): number {
  if (cells <= 2) return cells
  const power = 2 ** (31 - Math.clz32(cells - 1))
  const room = cells <= power * 1.5 ? power * 1.5 : power * 2
  return room <= mostShared ? room : Math.ceil(cells / mostShared) * mostShared
}

/**
 * Blocks of numbers in few large arrays, because an array for each would take more memory than its numbers. A block is
 * named by `ref`: its page is `page(ref)`, and it begins there at `offset(ref)`.
 */
export class Arena<Of extends Cells> {
  readonly #make: (cells: number) => Of
  readonly #pages: Of[] = []
  readonly #free = new Map<number, number[]>()
  readonly #unused: number[] = []
  #current = 0
  #used = pageCells
  /** How many cells all pages have. */
  cells = 0

  constructor(make: (cells: number) => Of) {
    this.#make = make
  }

  #addPage(cells: number): number {
    const page = this.#unused.pop() ?? this.#pages.length
    this.#pages[page] = this.#make(cells)
    this.cells += cells
    return page
  }

  /** The room of a block for so many cells. */
  readonly roomFor = roomFor

  /** Makes a block with room for `cells`. */
  allocate(cells: number): number {
    const room = roomFor(cells)
    if (room > mostShared) return this.#addPage(room) * pageCells
    const known = this.#free.get(room)?.pop()
    if (known !== undefined) return known
    if (this.#used + room > pageCells) {
      this.#current = this.#addPage(pageCells)
      this.#used = 0
    }
    this.#used += room
    return this.#current * pageCells + this.#used - room
  }

  /** Frees a block that was made for `cells`. */
  free(ref: number, cells: number): void {
    const room = roomFor(cells)
    if (room > mostShared) {
      const page = ref >>> pageBits
      this.cells -= this.#pages[page]!.length
      this.#pages[page] = this.#make(0)
      this.#unused.push(page)
      return
    }
    const free = this.#free.get(room)
    if (free) free.push(ref)
    else this.#free.set(room, [ref])
  }

  page(ref: number): Of {
    return this.#pages[ref >>> pageBits]!
  }

  offset(ref: number): number {
    return ref & (pageCells - 1)
  }
}

type Column =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>

/** A copy of a column with room for `length` values. */
export function grow<Of extends Column>(column: Of, length: number): Of {
  const larger = new (column.constructor as new (length: number) => Of)(length)
  larger.set(column as never)
  return larger
}
