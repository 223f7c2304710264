/** A number of XLSX with what its format writes before and behind it: `£1200`, `V-12`, `1.5 kg`. */
export class FormattedNumber {
  readonly number: number
  readonly before: string
  readonly behind: string

  constructor(number: number, before: string, behind: string) {
    this.number = number
    this.before = before
    this.behind = behind
  }

  toString(): string {
    return `${this.before}${this.number}${this.behind}`
  }
}

/**
 * What is in a cell. A number and a yes or no come from XLSX only; a date of XLSX is the text `2026-04-12 19:30:00`, a
 * percentage the text `25 %`.
 */
export type Cell = string | number | FormattedNumber | boolean | null | BrokenCell

/** Columns of a sheet, from 0 on, whose cells are merged in a row. */
export type MergedColumns = { first: number; last: number }

/** A row of a sheet, the line on which it begins, and which of its cells are merged, of the first rows of a workbook. */
export type Row = { line: number; cells: Cell[]; merged?: MergedColumns[] }

/** A cell whose value is not known. Where the mapping names its column, its row is refused. */
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

// In any language: #N/A, #NV, #VERW!, #NAAM?, #¡DIV/0!; the widths that a CSV file has instead of what did not fit.
const errorText = /^(?:#[¡¿]?[\p{Lu}/0]+[!?]|#N\/[ABDV]|#NV|#I\/T|#HIÁNYZIK|#{3,}|Err:\d{3})$/u

/** What is wrong with a cell: an error of the spreadsheet program, or no value. Undefined if nothing is. */
export function findProblem(cell: Cell | undefined): string | undefined {
  if (cell instanceof BrokenCell) return cell.problem
  if (typeof cell !== 'string' || !errorText.test(cell.trim())) return undefined
  return 'is an error of the spreadsheet, and no value: mend it there'
}
