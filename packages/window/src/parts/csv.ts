import { decimalsOf, type Money } from '@auction-catalogue/client'
import { stringify } from 'csv-stringify/browser/esm/sync'

export type Cell = string | number | boolean | Money | null | undefined

/** Saves rows in the browser's folder for downloads, as a file that spreadsheets open as they should. */
export function saveCsv(name: string, columns: string[], rows: Cell[][]): void {
  const options = { columns, header: true, bom: true, escape_formulas: true, cast: { boolean: String } }
  const text = stringify(
    rows.map((row) => row.map(print)),
    options,
  )
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Money in units, with all decimals of its currency: `450.50`. */
function print(cell: Cell) {
  if (typeof cell !== 'object' || cell === null) return cell
  const digits = decimalsOf(cell.currency)
  const text = String(cell.amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
