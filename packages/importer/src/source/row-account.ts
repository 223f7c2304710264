import { Unusable } from '../misfit.ts'

/** What a row of a sheet can be. Rows above the headings, and those whose mapped columns are empty, are passed over. */
export type RowKind = 'headings' | 'record' | 'empty' | 'total' | 'passed over'

/** The lines on which the first and the last of several successive rows begin. */
export type Lines = { first: number; last: number }

/** Accounts for every row of a sheet: its kind and its line. Of successive rows of a kind it holds only two lines. */
export class RowAccount {
  /** The number of rows that the file has. */
  rows = 0
  readonly #kinds = new Map<RowKind, { count: number; lines: Lines[] }>()
  #last: RowKind | undefined

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

  /** @throws Unusable if a row of the file has no kind */
  check(file: string): void {
    const noted = [...this.#kinds.values()].reduce((sum, { count }) => sum + count, 0)
    if (noted !== this.rows)
      throw new Unusable(`${file} has ${this.rows} rows, of which ${noted} were read: this is a defect of the program`)
  }
}
