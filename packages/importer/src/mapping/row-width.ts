import type { Row } from '../source/cells.ts'
import { printCell } from './fields.ts'
import type { FieldError } from '../records.ts'

// A text that ends in one cell and an amount that goes on in the next: `€ 1` and `250`, `12` and `50`.
const isSplit = (text: string, next: string) => /^\D{0,4}\d{1,3}$/.test(text) && /^\d{2,3}(?:\D.{0,8})?$/.test(next)

/** Finds the error of a row with more cells than there are headings, also if the last ones are empty. */
export function checkWidth(row: Row, width: number): FieldError[] {
  const texts = row.cells.map(printCell)
  const split = texts.length > width ? texts.findIndex((text, index) => isSplit(text, texts[index + 1] ?? '')) : -1
  const last = texts.findLastIndex((text) => text !== '')
  if (last < width && split < 0) return []
  const message = `the row has ${last < width ? texts.length : last + 1} cells, and there are ${width} headings`
  return [{ field: '', code: 'invalid', message, value: last < width ? `${texts[split]}` : texts[last]! }]
}
