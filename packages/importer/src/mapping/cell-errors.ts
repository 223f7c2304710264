import { DateCell, findProblem, FormattedNumber, type Cell, type Row } from '../source/cells.ts'
import type { FieldError } from '../records.ts'
import { printCell, showCell, type Column } from './fields.ts'

const times = new Set(['session.opens_at', 'session.closes_at'])
const identifying = new Set(['external_reference', 'seller', 'consignment', 'lot_number', 'auction', 'session'])

const retype = 'format the cell as text, and type its text again'

/** Whether a spreadsheet program has cut a long number: it keeps 15 digits, and writes fewer into a CSV file (`1,23E+12`). */
function isCut(cell: Cell | undefined): boolean {
  const number = cell instanceof FormattedNumber ? cell.number : cell
  if (typeof number === 'number' && (Math.abs(number) >= 1e15 || String(number).includes('e'))) return true
  return /^-?\d(?:[.,]\d+)?E\+\d+$/i.test(printCell(cell))
}

function findMessage(cell: Cell | undefined, fields: string[]): string | undefined {
  if (cell instanceof DateCell && !fields.some((field) => times.has(field)))
    return `is a date in the spreadsheet (${cell.text}): ${retype}`
  if (fields.some((field) => identifying.has(field)) && isCut(cell))
    return `is a number whose last digits a spreadsheet program has cut off: ${retype}`
  return findProblem(cell)
}

/** The errors of a row's cells that have no usable value, in mapped columns. A date is shown with names in the language. */
export const findCellErrors = (row: Row, columns: Column[], locale: string): FieldError[] =>
  columns.flatMap(({ heading: column, index, fields }): FieldError[] => {
    const cell = row.cells[index]
    const message = findMessage(cell, fields)
    const value = cell instanceof DateCell ? cell.shown(locale) : showCell(cell, locale)
    return message === undefined ? [] : [{ field: fields[0]!, code: 'invalid', message, column, value }]
  })
