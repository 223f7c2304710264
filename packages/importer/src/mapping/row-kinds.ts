import { Unusable } from '../misfit.ts'
import { BrokenCell, type Cell, type Row } from '../source/cells.ts'
import type { RowKind } from '../source/row-account.ts'
import type { Sheet } from '../source/sheet.ts'
import { printCell, type Column } from './fields.ts'

const simplify = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const sums =
  'totaal|subtotaal|eindtotaal|totaalbedrag|total|totals|subtotal|sub total|grand total|sum|summe|gesamt|gesamtsumme|' +
  'zwischensumme|endsumme|sous total|total general|totale|subtotale|somma|somme|suma|razem|ogołem|łacznie|osszesen|' +
  'vegosszeg|reszosszeg|合计|合計|总计|總計|小计|小計|共计'
const sumWord = new RegExp(`^(?:${sums})(?: (?:\\d+|eur|kavels?|lots?|lose|stuks?|items?|lotes?|lotti|tetel))*$`, 'u')

// A figure has no words but those of currencies and units.
const isFigure = (text: string) => /\d/.test(text) && !/\p{L}{4}/u.test(text.replaceAll(/\beuros?\b|\bforint\b/gi, ''))

const identifying = new Set(['external_reference', 'lot_number'])
const isRange = (text: string) => /\d\s*[-–—/]\s*\d/.test(text)

/**
 * Whether a row without a reference and a lot number has, beside the word for a sum, only figures. In a sheet without
 * references, a range is no sum.
 */
function isTotal(row: Row, references: Column[]): boolean {
  const words = row.cells.map(printCell).filter((text) => text !== '' && !isFigure(text))
  if (words.length !== 1 || !sumWord.test(simplify(words[0]!))) return false
  if (references.length === 0 && row.cells.map(printCell).some(isRange)) return false
  return references.every(({ index }) => ['', words[0]].includes(printCell(row.cells[index])))
}

const isEmpty = (cell: Cell | undefined) => !(cell instanceof BrokenCell) && printCell(cell) === ''

/**
 * Makes a function that tells what a row below the headings is. A row without a value in the mapped columns is passed over.
 * @throws Unusable for headings of other columns than those above
 */
export function createRowJudge(file: string, sheet: Sheet, columns: Column[]): (row: Row) => RowKind {
  const { headingRows } = sheet
  const references = columns.filter(({ fields }) => fields.some((each) => identifying.has(each)))
  const headings = headingRows.map(({ cells }) => cells.map((cell) => simplify(printCell(cell))))
  // A column of pictures may be called `1`, as a lot is.
  const known = new Set(headings.flat().filter((text) => /\p{L}/u.test(text)))
  return (row) => {
    const beyond = row.cells.slice(sheet.headings.length)
    if ([...columns.map(({ index }) => row.cells[index]), ...beyond].every(isEmpty)) return 'passed over'
    const texts = row.cells.map((cell) => simplify(printCell(cell)))
    const filled = texts.filter((text) => text !== '')
    for (const heading of headings) {
      const same = filled.length > 0 && texts.every((text, index) => text === '' || text === heading[index])
      if (same && (filled.length > 1 || heading.filter((text) => text !== '').length === 1)) return 'headings'
    }
    const again = filled.filter((text) => known.has(text)).length
    const isNumbered = references.some(({ index }) => /\d/.test(printCell(row.cells[index])))
    if (!isNumbered && again >= 2 && again >= filled.length / 2)
      throw new Unusable(
        `${file}:${row.line} has headings again, for other columns than on line ${headingRows[0]!.line}: divide the file there`,
      )
    return isTotal(row, references) ? 'total' : 'record'
  }
}
