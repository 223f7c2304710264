import { printPlain, printShown } from './shown-numbers.ts'

/** A number of an XLSX cell with a format, which may show something beside it: `£1200`, `V-0012`, `1.50 kg`. */
export class FormattedNumber {
  readonly number: number
  readonly format: string

  constructor(number: number, format: string) {
    this.number = number
    this.format = format
  }

  /** What the cell shows, with the signs of a language. */
  shown(locale: string): string {
    return printShown(this.number, this.format, locale)
  }

  toString(): string {
    return printPlain(this.number, this.format)
  }
}

/**
 * A date or a time of an XLSX cell: `2026-04-12 19:30:00`. `shown` is what the cell shows, such as `12-apr`, with names in a
 * language of the caller's.
 */
export class DateCell {
  readonly text: string
  readonly shown: (locale: string) => string

  constructor(text: string, shown: (locale: string) => string) {
    this.text = text
    this.shown = shown
  }

  toString(): string {
    return this.text
  }
}

/** The value of a cell. Only XLSX has numbers and dates. A percentage is the text `25 %`. */
export type Cell = string | number | FormattedNumber | DateCell | null | BrokenCell

/** The first and the last of the merged columns in a row, counted from 0. */
export type MergedColumns = { first: number; last: number }

/**
 * A row, the line on which it begins, and that on which it ends if it has several. The first rows of a workbook also have
 * their merged columns.
 */
export type Row = { line: number; last?: number; cells: Cell[]; merged?: MergedColumns[] }

/** A cell without a usable value. Its row is refused if the mapping names its column. */
export class BrokenCell {
  readonly shown: string
  readonly problem: string

  constructor(shown: string, problem: string) {
    this.shown = shown
    this.problem = problem
  }

  toString(): string {
    return this.shown
  }
}

// Spreadsheet errors in any language, such as #N/A, #NV, #VERW!, #NAAM? and #¡DIV/0!. A CSV file has ### for a value that
// was too wide for its column.
const errorText = /^(?:#[¡¿]?[\p{Lu}/0]+[!?]|#N\/[ABDV]|#NV|#I\/T|#HIÁNYZIK|#{3,}|Err:\d{3})$/u

/** The problem of a cell: an error of the spreadsheet program, a control character, or no value. */
export function findProblem(cell: Cell | undefined): string | undefined {
  if (cell instanceof BrokenCell) return cell.problem
  if (typeof cell !== 'string') return undefined
  const control = /(?![\t\n\v\f\r])\p{Cc}/u.exec(cell)?.[0]
  if (control !== undefined)
    return `has the control character U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}: take it out`
  if (!errorText.test(cell.trim())) return undefined
  return 'is an error in the spreadsheet, not a value: correct it there'
}
