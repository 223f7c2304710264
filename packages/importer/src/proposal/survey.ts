import type { Cell } from '../source/cells.ts'
import { findHeadings, nameByMeaning } from './heading-rows.ts'
import { openSheet, isXlsx, readTop, recognizeCsv, type SheetFormat } from '../source/sheet.ts'
import { listWorksheets } from '../source/workbook.ts'

/** A column of a sheet: its heading, and the first of its cells that hold something. */
export type Samples = { heading: string; cells: Cell[] }

/** What a sheet looks like: its format, its columns, and in words for a person what was recognised. */
export type Survey = { format: SheetFormat; columns: Samples[]; rows: number; said: string[] }

const maxSamples = 200

/**
 * Reads what can be seen of a sheet: which of several it is, where its headings are, and what its columns hold.
 * @throws Unusable when the sheet cannot be read
 */
export async function surveySheet(path: string): Promise<Survey> {
  const said: string[] = []
  const formats: SheetFormat[] = []
  if (isXlsx(path)) for (const sheet of await listWorksheets(path)) formats.push({ sheet })
  else {
    const recognized = await recognizeCsv(path)
    formats.push(recognized.format)
    said.push(...recognized.said)
  }
  const sheets = []
  for (const format of formats) {
    const top = await readTop(path, format)
    sheets.push({ format, top, ...findHeadings(top) })
  }
  const [best] = sheets.toSorted((a, b) => b.known - a.known || b.top.length - a.top.length)
  const { format, top, rows: headings } = best!
  const [first, last = first] = headings
  if (format.sheet !== undefined)
    said.push(`sheet "${format.sheet}" of ${formats.map(({ sheet }) => `"${sheet}"`).join(', ')}`)
  if (first !== undefined && first !== top[0]) {
    format.heading_row = first.line
    said.push(`the headings are on line ${first.line}, below what looks like a title`)
  }
  if (headings.length === 2) {
    format.heading_rows = 2
    said.push(`the headings stand in two rows, on lines ${first!.line} and ${last!.line}`)
  }
  const sheet = await openSheet(path, format, nameByMeaning)
  const columns = sheet.headings.map((heading): Samples => ({ heading, cells: [] }))
  let rows = 0
  for await (const { cells } of sheet.rows()) {
    rows++
    for (const [index, cell] of cells.entries()) {
      const samples = columns[index]?.cells
      if (samples !== undefined && samples.length < maxSamples && String(cell ?? '').trim() !== '') samples.push(cell)
    }
  }
  said.push(`${rows} rows and ${columns.length} columns`)
  // Rows end at the last heading, and what stands to the right of it is to be known, too.
  for (const { line, cells } of top)
    for (const [index, cell] of cells.entries()) {
      if (last === undefined || line <= last.line || index < sheet.headings.length) continue
      if (String(cell ?? '').trim() === '') continue
      while (columns.length <= index) columns.push({ heading: '', cells: [] })
      columns[index]!.cells.push(cell)
    }
  return { format, columns, rows, said }
}
