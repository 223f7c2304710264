import { printCell } from './fields.ts'
import type { FieldError } from '../records.ts'
import type { Row } from '../source/cells.ts'
import type { Sheet } from '../source/sheet.ts'

/**
 * Finds the error of a row with more cells than there are headings, or with more or fewer than most rows of a CSV file: its
 * values may stand in wrong columns.
 */
export function checkWidth({ cells }: Row, { headings, headingRows, width }: Sheet): FieldError[] {
  const texts = cells.map(printCell)
  const last = texts.findLastIndex((text) => text !== '')
  const isBeyond = last >= headings.length
  const isLonger = width !== undefined && texts.length > Math.max(width, headings.length)
  // The mapping may name columns to the right of all headings.
  const least = headingRows.at(-1)!.cells.length
  const isShorter = width !== undefined && width >= least && texts.length < least
  if (!isBeyond && !isLonger && !isShorter) return []
  const count = isLonger || isShorter ? texts.length : last + 1
  const cause = isShorter ? 'a line break' : 'a separator'
  const message = `the row has ${count} ${count === 1 ? 'cell' : 'cells'}, and there are ${headings.length} headings: if a text has ${cause}, put it between quotes`
  return [{ field: '', code: 'invalid', message, value: texts[last] ?? '' }]
}
