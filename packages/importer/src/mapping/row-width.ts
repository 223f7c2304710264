import { printCell } from './fields.ts'
import type { FieldError } from '../records.ts'
import type { Row } from '../source/cells.ts'
import { toShape } from '../source/quotes.ts'
import type { Sheet } from '../source/sheet.ts'

/**
 * Makes a function that finds the error of a row, of which the caller gives every record in its order: one with more cells
 * than there are headings, one of a CSV file with more cells than most, and one that goes on with the row before because a
 * line break has broken it. Such a row has few cells, as the one before, and does not begin as that does. The beginning is
 * refused too once the sheet has been read before, as a run does.
 */
export function createWidthCheck({ headings, headingRows, width, broken }: Sheet): (row: Row) => FieldError[] {
  const whole = headingRows.at(-1)!.cells.length
  let before: { line: number; count: number; shape: string | undefined } | undefined
  return ({ line, cells }) => {
    const texts = cells.map(printCell)
    const [count, last, shape] = [texts.length, texts.findLastIndex((text) => text !== ''), toShape(texts[0] ?? '')]
    const refuse = (message: string, value: string) => [{ field: '', code: 'invalid', message, value }]
    if (last >= headings.length || (width !== undefined && count > Math.max(width, headings.length))) {
      const cellCount = last >= headings.length ? last + 1 : count
      const message = `the row has ${cellCount} cells, and there are ${headings.length} headings: put a text with a separator between quotes`
      return refuse(message, texts[last] ?? '')
    }
    const above = before
    before = width !== undefined && count < whole ? { line, count, shape } : undefined
    const first = texts.find((text) => text !== '') ?? ''
    const remedy = `look like one that a line break has broken: put its text between quotes, or give each row ${whole} cells`
    if (above !== undefined && before !== undefined && (shape === undefined || shape !== above.shape)) {
      const joined = above.count + count - 1
      const isOther = above.shape !== undefined && shape === undefined && texts[0] !== ''
      if (joined <= whole && (isOther || joined === whole || joined === width)) {
        before = { line: above.line, count: joined, shape: above.shape }
        broken.add(above.line)
        return refuse(`the rows from line ${above.line} to this one ${remedy}`, first)
      }
    }
    return broken.has(line) ? refuse(`this row and the next one ${remedy}`, first) : []
  }
}
