import type { Readable } from 'node:stream'
import { BrokenCell, type Cell, type MergedColumns } from './cells.ts'

// Wider merged cells are frames without values.
const mostColumns = 256
// Headings stand in the first lines.
const lastHeadingLine = 100
// A tag may begin at the end of a piece: so many characters are kept for the next one.
const longestTag = 200
const tag = /<(?:\w+:)?mergeCell\s(?:[^<>]*\s)?ref\s*=\s*["']([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)["']/g

/** The number of a column, from 1 on. */
export const toColumn = (letters: string): number =>
  Buffer.from(letters).reduce((column, letter) => 26 * column + letter - 64, 0)

type Range = { first: number; last: number; name: string }

/** The merged cells of a sheet. If a cell is merged over several rows, only the uppermost row has its value. */
export class MergedCells {
  // The ranges of each column, the next one last.
  readonly #ranges = new Map<number, Range[]>()
  readonly #columns = new Map<number, MergedColumns[]>()

  /** Reads the merged cells from the XML of a sheet. */
  static async read(stream: Readable): Promise<MergedCells> {
    const merged = new MergedCells()
    let rest = ''
    for await (const piece of stream.setEncoding('latin1') as AsyncIterable<string>) {
      const text = rest + piece
      let end = 0
      for (const match of text.matchAll(tag)) {
        merged.#add(match)
        end = match.index + match[0].length
      }
      rest = text.slice(Math.max(end, text.length - longestTag))
    }
    for (const ranges of merged.#ranges.values()) ranges.sort((one, other) => other.first - one.first)
    return merged
  }

  #add([, left, first, right, last]: RegExpMatchArray): void {
    if (left !== right && Number(first) <= lastHeadingLine) {
      const columns = { first: toColumn(left!) - 1, last: toColumn(right!) - 1 }
      this.#columns.set(Number(first), [...(this.#columns.get(Number(first)) ?? []), columns])
    }
    if (first === last) return
    const range = { first: Number(first), last: Number(last), name: `${left}${first}:${right}${last}` }
    const column = toColumn(left!)
    for (let each = column; each <= toColumn(right!) && each < column + mostColumns; each++) {
      const ranges = this.#ranges.get(each)
      if (ranges) ranges.push(range)
      else this.#ranges.set(each, [range])
    }
  }

  /** The merged columns of a row. Undefined if the row has none, or is far below the headings. */
  columnsOf = (line: number): MergedColumns[] | undefined => this.#columns.get(line)

  /** Marks the cells whose value stands in a row above. The caller passes the rows in their order. */
  mark(line: number, cells: Cell[]): void {
    for (const [column, ranges] of this.#ranges) {
      while (ranges.length > 0 && ranges.at(-1)!.last < line) ranges.pop()
      const range = ranges.at(-1)
      if (range === undefined || range.first >= line || (cells[column - 1] ?? null) !== null) continue
      while (cells.length < column) cells.push(null)
      cells[column - 1] = new BrokenCell(
        '',
        `is merged with the cells above (${range.name}): write the value in each row`,
      )
    }
  }
}
