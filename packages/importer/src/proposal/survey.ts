import { findHeadings, nameByMeaning } from './heading-rows.ts'
import { openSheet, isXlsx, readTop, recognizeCsv, type SheetFormat } from '../source/sheet.ts'
import { listWorksheets } from '../source/workbook.ts'
import type { Samples } from './values.ts'

// The survey of a sheet: its format, columns and number of rows, and messages about what was recognised. `doubtful` is the
// line of a row that may be a second row of headings.
type Survey = { format: SheetFormat; doubtful: number | undefined; columns: Samples[]; rows: number; said: string[] }

const maxSamples = 200

/**
 * Surveys a file: chooses one of its sheets, finds its headings, and samples its columns.
 * @throws Unusable if the sheet cannot be read
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
  const { format, top, rows: headings, doubtful } = best!
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
  if (doubtful)
    said.push(`line ${doubtful.line} may be a second row of headings, or the first record: say it as heading_rows`)
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
  // Rows end at the last heading. The proposal must also name the columns to the right of it.
  for (const { line, cells } of top)
    for (const [index, cell] of cells.entries()) {
      if (last === undefined || line <= last.line || index < sheet.headings.length) continue
      if (String(cell ?? '').trim() === '') continue
      while (columns.length <= index) columns.push({ heading: '', cells: [] })
      columns[index]!.cells.push(cell)
    }
  return { format, doubtful: doubtful?.line, columns, rows, said }
}
