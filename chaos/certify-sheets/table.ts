import { writeFile } from 'node:fs/promises'
import { strToU8, zipSync } from 'fflate'
import iconv from 'iconv-lite'

/** A cell as it is typed: a text, or a number with the format that shows it. */
export type Typed = string | { number: number; format: string }

/** A sheet as it is made: rows of cells from the first line on. The workbook may have more than the sheet. */
export type Table = {
  rows: Typed[][]
  kind: 'csv' | 'xlsx'
  encoding: string
  separator: string
  /** In a workbook: merged ranges, lines that are hidden, and parts of the sheet behind its rows. */
  merged: string[]
  hidden: number[]
  behind: string
  /** Other sheets in front of it, with their states. */
  others: { state: string; rows: string[][] }[]
}

/** The text of a cell as it is typed. */
export const printTyped = (cell: Typed): string => (typeof cell === 'string' ? cell : String(cell.number))

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

function printRows(rows: Typed[][], formats: string[], hidden: number[]): string {
  const printCell = (cell: Typed, place: string) => {
    if (cell === '') return ''
    if (typeof cell === 'string')
      return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
    if (!formats.includes(cell.format)) formats.push(cell.format)
    return `<c r="${place}" s="${formats.indexOf(cell.format)}"><v>${cell.number}</v></c>`
  }
  return rows
    .map((cells, index) => {
      const line = index + 1
      const printed = cells.map((cell, column) => printCell(cell, `${letters(column)}${line}`)).join('')
      return printed === '' ? '' : `<row r="${line}"${hidden.includes(line) ? ' hidden="1"' : ''}>${printed}</row>`
    })
    .join('')
}

function printWorkbook({ rows, merged, hidden, behind, others }: Table): Uint8Array {
  const formats = ['General']
  const sheets = [
    ...others.map((other) => ({ ...other, behind: '', hidden: [] as number[] })),
    { state: '', rows, behind, hidden },
  ]
  const entries: { [name: string]: string } = {}
  const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  for (const [index, sheet] of sheets.entries()) {
    const isLast = index === sheets.length - 1
    const merges =
      isLast && merged.length > 0
        ? `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
        : ''
    entries[`xl/s${index}.xml`] =
      `<worksheet><sheetViews><sheetView><pane ySplit="1" state="frozen"/></sheetView></sheetViews><sheetData>${printRows(sheet.rows, formats, sheet.hidden)}</sheetData>${sheet.behind}${merges}</worksheet>`
  }
  const relate = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${base}/${kind}" Target="${target}"/>`
  entries['xl/_rels/workbook.xml.rels'] =
    `<Relationships>${sheets.map((_, index) => relate(`r${index}`, 'worksheet', `s${index}.xml`)).join('')}${relate('st', 'styles', 'styles.xml')}</Relationships>`
  entries['xl/workbook.xml'] = `<workbook><sheets>${sheets
    .map(
      ({ state }, index) =>
        `<sheet name="Blad ${index + 1}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="r${index}"/>`,
    )
    .join('')}</sheets></workbook>`
  entries['xl/styles.xml'] = `<styleSheet><numFmts>${formats
    .map(
      (format, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escape(format).replaceAll('"', '&quot;')}"/>`,
    )
    .join(
      '',
    )}</numFmts><cellXfs>${formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('')}</cellXfs></styleSheet>`
  return zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])))
}

function printCsv({ rows, encoding, separator }: Table): Buffer {
  const print = (cell: Typed) => {
    const text = printTyped(cell)
    return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const text = rows.map((cells) => `${cells.map(print).join(separator)}\r\n`).join('')
  return iconv.encode(text, encoding, { addBOM: encoding === 'utf-16le' })
}

/** Writes a table as a CSV file or a workbook. */
export const writeTable = (path: string, table: Table): Promise<void> =>
  writeFile(path, table.kind === 'csv' ? printCsv(table) : printWorkbook(table))
