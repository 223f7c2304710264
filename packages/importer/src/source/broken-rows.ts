import { toShape } from './quotes.ts'
import type { Row } from './cells.ts'

// The beginning of a row, as the rows so far make it: the line of the first, and its first cell.
type Beginning = { line: number; count: number; first: string }

/**
 * Finds rows of a CSV file that a line break without quotes has broken: successive short rows whose cells, joined at the
 * break, are those of one whole row. A row that begins with a reference like that of the row before is a row of its own.
 */
export class BrokenRows {
  readonly #width: number
  #beginning: Beginning | undefined

  /** `width` is the number of headings. */
  constructor(width: number) {
    this.#width = width
  }

  /** The line on which the broken row begins that ends with this one. Undefined if there is none. */
  check({ line, cells }: Row): number | undefined {
    const first = String(cells[0] ?? '')
    const before = this.#beginning
    this.#beginning = undefined
    if (cells.length >= this.#width) return undefined
    const shape = toShape(first)
    const isOwn = before === undefined || (shape !== undefined && shape === toShape(before.first))
    const count = isOwn ? cells.length : before.count + cells.length - 1
    if (!isOwn && count === this.#width) return before.line
    this.#beginning = isOwn || count > this.#width ? { line, count: cells.length, first } : { ...before, count }
    return undefined
  }
}
