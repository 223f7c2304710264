import { Unusable } from '../misfit.ts'

/** What a row of a sheet can be. Rows above the headings, and those whose mapped columns are empty, are passed over. */
export type RowKind = 'headings' | 'record' | 'empty' | 'total' | 'passed over'

/** The lines on which the first and the last of several successive rows begin. */
export type Lines = { first: number; last: number }

/** A word that says "none": the cells of a column that have it, and the lines of the first few. */
export type None = { column: string; word: string; count: number; lines: number[] }

// A cell of any number of dashes says "none".
const maxWords = 50
const maxLength = 40
const maxLines = 5

/**
 * Accounts for every row of a sheet: its kind and its line, and the words for which a cell was read as empty. Of successive
 * rows of a kind it holds only two lines.
 */
export class RowAccount {
  /** The number of rows that the file has. */
  rows = 0
  readonly #kinds = new Map<RowKind, { count: number; lines: Lines[] }>()
  #last: RowKind | undefined
  readonly #nones = new Map<string, Map<string, None>>()

  /** Notes the kind of a row that begins on this line, or of several successive ones. */
  note(kind: RowKind, { first, last }: Lines, count = 1): void {
    const noted = this.#kinds.get(kind) ?? { count: 0, lines: [] }
    this.#kinds.set(kind, noted)
    noted.count += count
    if (kind === this.#last) noted.lines.at(-1)!.last = last
    else noted.lines.push({ first, last })
    this.#last = kind
  }

  /** How many rows are of a kind, and their lines. */
  of(kind: RowKind): { count: number; lines: readonly Lines[] } {
    return this.#kinds.get(kind) ?? { count: 0, lines: [] }
  }

  /** Notes that a cell of a column was read as empty, because this word says "none". */
  noteNone(column: string, text: string, line: number): void {
    const words = this.#nones.get(column) ?? new Map<string, None>()
    this.#nones.set(column, words)
    const short = text.slice(0, maxLength)
    const word = words.has(short) || words.size < maxWords ? short : '…'
    const none = words.get(word) ?? { column, word, count: 0, lines: [] }
    words.set(word, none)
    none.count++
    if (none.lines.length < maxLines) none.lines.push(line)
  }

  /** The words for which cells were read as empty: a list for each column, the most frequent first. */
  get nones(): None[][] {
    return Array.from(this.#nones.values(), (words) => [...words.values()].toSorted((a, b) => b.count - a.count))
  }

  /** @throws Unusable if a row of the file has no kind */
  check(file: string): void {
    const noted = [...this.#kinds.values()].reduce((sum, { count }) => sum + count, 0)
    if (noted !== this.rows)
      throw new Unusable(`${file} has ${this.rows} rows, of which ${noted} were read: this is a defect of the program`)
  }
}
