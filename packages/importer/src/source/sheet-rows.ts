import { BrokenCell, DateCell, type Cell, type Row } from './cells.ts'
import { toColumn, type MergedCells } from './merged-cells.ts'
import { readNumber, readText, toShownDate } from './number-formats.ts'
import type { CellStyle } from './cell-styles.ts'
import type { SharedStrings } from './shared-strings.ts'
import { readTexts, toShownText, unescapeText } from './texts.ts'
import { isLinkedPicture } from './workbook-pictures.ts'
import type { Handlers } from './xml.ts'

// The limits of spreadsheet programs.
const maxRows = 1_048_576
const maxColumns = 16_384
const maxRowLength = 4 * 1024 * 1024

/** The parts of a workbook that its rows need. */
export type Context = {
  strings: SharedStrings | undefined
  /** Indexed by the `s` of a cell. */
  styles: CellStyle[]
  /** Whether dates count from 1904 on. */
  is1904: boolean
  /** Whether formulas are calculated only when the workbook is opened. Until then a zero is no value. */
  isUncalculated: boolean
  /** The pictures that Excel has placed in cells, by the `vm` of a cell. */
  pictures: ReadonlyMap<number, unknown>
  merged: Pick<MergedCells, 'mark' | 'columnsOf'>
}

/** A cell as the file has it: the attributes `t` and `s`, and the texts of `f` and `v`, or of `is`. */
type Raw = {
  column: number
  type: string
  style: number
  formula: string | undefined
  value: string
  text: string | undefined
  /** Whether Excel shows a picture instead of the value. */
  isPicture: boolean
}

const readDate = (text: string) => new DateCell(text, () => text)

function readCell({ type, style: styleNumber, formula, value, text, isPicture }: Raw, context: Context): Cell {
  const { strings, styles, is1904, isUncalculated } = context
  const { format, isStruck } = styles[styleNumber] ?? { format: '', isStruck: false }
  if (isPicture || formula?.includes('DISPIMG(') || isLinkedPicture(type, formula, value)) return null
  const show = (marked: string) => {
    const shown = toShownText(marked, isStruck)
    return typeof shown === 'string' ? readText(shown, format) : shown
  }
  if (type === 'inlineStr') return text === undefined ? null : show(text)
  if (type === 'e') return new BrokenCell(value || '#', 'is an error in the spreadsheet, not a value: correct it there')
  // A formula with an empty text as its result has the type str.
  const isEmpty = value === '' && type !== 'str'
  if (formula !== undefined && (isEmpty || (isUncalculated && type === 'n' && Number(value) === 0)))
    return new BrokenCell(`=${formula}`, 'is a formula without a value: save the sheet in a spreadsheet program')
  if (value === '') return null
  switch (type) {
    case 's': {
      const shared = strings?.get(Number(value))
      if (shared === undefined) throw new Error(`there is no text ${value}`)
      return show(shared)
    }
    case 'str':
      return readText(unescapeText(value), format)
    case 'b': {
      const shown = value === '1' ? 'TRUE' : 'FALSE'
      return new BrokenCell(shown, `is ${shown} in the spreadsheet: format the cell as text, and type its text again`)
    }
    case 'd':
      return readDate(toShownDate(value.slice(0, 19).replace('T', ' '), format))
  }
  const number = Number(value)
  if (Number.isNaN(number)) throw new Error(`"${value}" is not a number`)
  return readNumber(number, format, is1904)
}

/** Makes handlers that emit the rows of a sheet, each up to its last cell with a value. */
export function readSheetRows(context: Context, emit: (row: Row) => void): Handlers {
  let [line, length] = [0, 0]
  let cells: Cell[] = []
  let [lastColumn, isValue, isFormula] = [0, false, false]
  let cell: Raw | undefined
  const texts = readTexts('is', (text) => {
    if (cell !== undefined) cell.text = text
  })
  const beginRow = (place: string | undefined) => {
    const next = place === undefined ? line + 1 : Number(place)
    if (!Number.isInteger(next) || next <= line) throw new Error(`row ${place} has no place in a sheet`)
    if (next > maxRows) throw new Error(`row ${place} lies outside of a sheet`)
    ;[line, length, cells, lastColumn] = [next, 0, [], 0]
  }
  const beginCell = ({ r: place, t: type = 'n', s: style = '0', vm }: Record<string, string>) => {
    const [, letters, digits] = /^([A-Z]{1,3})(\d+)$/.exec(place ?? '') ?? []
    if (place !== undefined && Number(digits) !== line) throw new Error(`cell ${place} has no place in row ${line}`)
    lastColumn = letters === undefined ? lastColumn + 1 : toColumn(letters)
    if (lastColumn > maxColumns) throw new Error(`cell ${place} lies outside of a sheet`)
    const isPicture = context.pictures.has(Number(vm))
    cell = { column: lastColumn, type, style: Number(style), formula: undefined, value: '', text: undefined, isPicture }
  }
  return {
    open(name, attributes) {
      if (name === 'row') beginRow(attributes.r)
      else if (name === 'c') beginCell(attributes)
      else if (name === 'v') isValue = true
      else if (name === 'f' && cell !== undefined) [cell.formula, isFormula] = ['', true]
      else texts.open(name, attributes)
    },
    text(piece) {
      length += piece.length
      if (length > maxRowLength) throw new Error(`row ${line} has more than 4 MiB`)
      if (isValue && cell !== undefined) cell.value += piece
      else if (isFormula && cell !== undefined) cell.formula += piece
      else texts.text(piece)
    },
    close(name) {
      if (name === 'v') isValue = false
      else if (name === 'f') isFormula = false
      else if (name === 'c' && cell !== undefined) {
        const value = readCell(cell, context)
        // An empty cell has only a format.
        if (value !== null) {
          while (cells.length < cell.column) cells.push(null)
          cells[cell.column - 1] = value
        }
        cell = undefined
      } else if (name === 'row') {
        context.merged.mark(line, cells)
        const merged = context.merged.columnsOf(line)
        if (cells.length > 0) emit({ line, cells, ...(merged && { merged }) })
      } else texts.close(name)
    },
  }
}
