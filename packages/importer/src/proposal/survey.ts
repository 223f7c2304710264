import { findHeadings, nameByMeaning } from './heading-rows.ts'
import { isNone } from '../mapping/absences.ts'
import { surveyCellPictures } from '../source/cell-pictures.ts'
import { checkKind } from '../source/file-kind.ts'
import { openSheet, isXlsx, readTop, recognizeCsv, type SheetFormat } from '../source/sheet.ts'
import { Unusable } from '../misfit.ts'
import { listWorksheets } from '../source/workbook.ts'
import type { Samples } from './values.ts'

/** What the user must say of a sheet, by the key of the mapping, with the sentence that asks for it. */
export type Questions = Partial<Record<keyof SheetFormat, string>>

// The survey of a sheet: its format, the number of pictures in its cells, its columns and number of rows, and messages
// about what was recognised.
type Survey = {
  format: SheetFormat
  questions: Questions
  placed: number
  columns: Samples[]
  rows: number
  said: string[]
}

const maxSamples = 200

/**
 * Surveys a file: chooses one of its sheets, finds its headings, and samples its columns.
 * @throws Unusable if the sheet cannot be read
 */
export async function surveySheet(path: string): Promise<Survey> {
  await checkKind(path)
  const said: string[] = []
  const formats: SheetFormat[] = []
  const questions: Questions = {}
  if (isXlsx(path)) {
    const sheets = await listWorksheets(path)
    const shown = sheets.filter(({ isHidden }) => !isHidden)
    formats.push(...shown.map(({ name }) => ({ sheet: name })))
    const hidden = sheets.flatMap(({ name, isHidden }) => (isHidden ? [JSON.stringify(name)] : []))
    if (hidden.length > 0) said.push(`hidden sheets are read only if the mapping names one: ${hidden.join(', ')}`)
    if (shown.length === 0) throw new Unusable(`${path} has only hidden sheets: show one in the spreadsheet program`)
  } else {
    const recognized = await recognizeCsv(path)
    formats.push(recognized.format)
    said.push(...recognized.said)
    const readings = recognized.doubts.map(({ encoding, word }) => `${encoding} gives ${JSON.stringify(word)}`)
    if (readings.length > 0) questions.encoding = readings.join(', ')
  }
  const sheets = []
  for (const format of formats) {
    const top = await readTop(path, format)
    sheets.push({ format, top, ...findHeadings(top) })
  }
  const [best] = sheets.toSorted((a, b) => b.known - a.known || b.top.length - a.top.length)
  const { format, top, rows: headings, doubtful, isData } = best!
  const [first, last = first] = headings
  if (isData)
    throw new Unusable(
      `${path} has no headings: the row on line ${first!.line} looks like those below it. Write a row with the names of the columns above it`,
    )
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
  if (doubtful) questions.heading_rows = `2 if line ${doubtful.line} has headings too, else 1`
  for (const [key, question] of Object.entries(questions))
    said.push(`${key} is doubtful and must be filled in: ${question}`)
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
  // Cells that say "none" tell nothing of the others.
  for (const column of columns) {
    const telling = column.cells.filter((cell) => !isNone(String(cell)))
    if (telling.length > 0) column.cells = telling
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
  const pictures = isXlsx(path) ? await surveyCellPictures(path, format.sheet, last?.line ?? 0) : undefined
  const placed = pictures?.count ?? 0
  if (placed > 0) said.push(`${placed} pictures lie in or over its cells: they are read as pictures of their rows`)
  for (const problem of pictures?.problems ?? []) said.push(`${problem}, or say "cell_pictures: ignore" in the mapping`)
  return { format, questions, placed, columns, rows, said }
}
