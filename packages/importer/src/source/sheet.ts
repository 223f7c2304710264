// A source is a sheet, a folder of pictures (`folder.ts`) or a file in the load format (`load-file.ts`). Folders and files
// in the load format give records. A sheet is CSV (`encodings.ts`, `quotes.ts`) or XLSX (`workbook.ts` and its parts). This
// file gives the headings of a sheet (`headings.ts`) and its rows of cells (`cells.ts`), with the lines of the file.
import { extname } from 'node:path'
import { CsvError, parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import type { Cell, Row } from './cells.ts'
import { readText, recognizeEncoding } from './encodings.ts'
import { joinHeadings, pairHeadings, type HeadingPair } from './headings.ts'
import { Unusable } from '../misfit.ts'
import { countBreaks, Quotes } from './quotes.ts'
import { readWorksheet } from './workbook.ts'

/**
 * The format of a sheet: encoding and separator of a CSV file, or the name of the XLSX sheet; the line of the headings if
 * titles stand above them, and whether the headings take two rows.
 */
export type SheetFormat = {
  encoding?: string
  separator?: string
  sheet?: string
  heading_row?: number
  heading_rows?: 1 | 2
}

/** An open sheet. Each call of `rows` reads the rows again. */
export type Sheet = { headings: string[]; rows(): AsyncIterable<Row> }

/** Whether a file is a sheet by its name. */
export const isSheet = (path: string): boolean =>
  ['.csv', '.tsv', '.txt', '.xlsx'].includes(extname(path).toLowerCase())

/** Whether a sheet is an XLSX file by its name. */
export const isXlsx = (path: string): boolean => extname(path).toLowerCase() === '.xlsx'

const isEmpty = (cells: Cell[]) => cells.every((cell) => String(cell ?? '').trim() === '')

/**
 * Opens a CSV or XLSX file. The headings are the row on the named line, or the first row that is not empty; if they take
 * two rows, the next row too. `name` names each column.
 * @throws Unusable if the file cannot be read
 */
export async function openSheet(
  path: string,
  format: SheetFormat,
  name = (pairs: HeadingPair[]) => pairs.map(joinHeadings),
): Promise<Sheet> {
  const rows = () => readRows(path, format)
  const { heading_row: named } = format
  let upper: Row | undefined
  for await (const row of rows()) {
    const { line, cells } = row
    if (named !== undefined && line < named) continue
    if (upper === undefined && named !== undefined && line > named) break
    if (upper === undefined && format.heading_rows === 2) {
      upper = row
      continue
    }
    const headings = name(
      upper
        ? pairHeadings(upper, row)
        : cells.map((cell) => ({ upper: '', lower: String(cell ?? '').trim(), reach: 'own' })),
    )
    return {
      headings,
      async *rows() {
        for await (const row of rows()) {
          if (row.line <= line) continue
          // In a workbook, calculations and remarks often stand beside the table.
          const named = isXlsx(path) ? row.cells.slice(0, headings.length) : row.cells
          if (!isEmpty(named)) yield { line: row.line, cells: named }
        }
      },
    }
  }
  throw new Unusable(named === undefined ? `${path} has no rows` : `${path} has no row that begins on line ${named}`)
}

// A file may mix kinds of line breaks, because a program has added the `sep=` line.
const record_delimiter = ['\r\n', '\n', '\r']

// Spreadsheet programs write and read the separator in a first line, which is no row.
const separatorLine = /^"?sep=(.)"?$/i

async function* readCsvRows(path: string, format: SheetFormat): AsyncGenerator<Row> {
  const { separator = ',' } = format
  const parser = parse({
    delimiter: separator,
    raw: true,
    record_delimiter,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 4 * 1024 * 1024,
  })
  const text = readText(path, format.encoding ?? 'utf-8')
  const feeding = (async () => {
    for await (const piece of text)
      if (!parser.write(piece)) await new Promise((resolve) => parser.once('drain', resolve))
    parser.end()
  })().catch((error: unknown) => parser.destroy(error as Error))
  const quotes = new Quotes(separator)
  let line = 1
  try {
    for await (const { record, raw } of parser as AsyncIterable<{ record: string[]; raw: string }>) {
      const fault = quotes.check(raw)
      if (fault !== undefined) throw new Unusable(`${path}:${line + fault.lines}: ${fault.message}`)
      const isSeparator = line === 1 && separatorLine.test(raw.trim())
      if (!isEmpty(record) && !isSeparator) yield { line, cells: record }
      line += countBreaks(raw)
    }
    await feeding
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const what = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is not closed to the end of the file' : error.message
    throw new Unusable(`${path}: in the row that begins on line ${line}: ${what}`)
  } finally {
    parser.destroy()
  }
}

async function* readXlsxRows(path: string, { sheet }: SheetFormat): AsyncGenerator<Row> {
  for await (const row of readWorksheet(path, sheet)) if (!isEmpty(row.cells)) yield row
}

/** The rows of a CSV or XLSX file that are not empty, with titles and headings. */
const readRows = (path: string, format: SheetFormat): AsyncIterable<Row> =>
  isXlsx(path) ? readXlsxRows(path, format) : readCsvRows(path, format)

const topRows = 50

/** Reads the first rows of a file that are not empty. */
export async function readTop(path: string, format: SheetFormat): Promise<Row[]> {
  const top: Row[] = []
  for await (const row of readRows(path, format)) if (top.push(row) === topRows) break
  return top
}

/** Recognises encoding and separator of a CSV file, and says why. */
export async function recognizeCsv(path: string): Promise<{ format: SheetFormat; said: string[] }> {
  const { encoding, because } = await recognizeEncoding(path)
  let sample = ''
  for await (const piece of readText(path, encoding)) {
    sample += piece
    if (sample.length > 200_000) break
  }
  const told = separatorLine.exec(sample.split(/\r?\n/, 1)[0]!)?.[1]
  const separators = (told === undefined ? [';', ',', '\t', '|'] : [told]).map((separator) => {
    const rows: string[][] = parseSync(sample, {
      delimiter: separator,
      record_delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // The sample may end inside a cell.
      skip_records_with_error: true,
      to: 100,
    })
    // A title has a row of its own. Most rows are as wide as the table.
    const share = (width: number) => rows.filter(({ length }) => length === width).length / rows.length
    const [width = 0] = rows.map(({ length }) => length).toSorted((a, b) => share(b) - share(a) || b - a)
    return { separator, width, agreeing: share(width) }
  })
  const [best] = separators.toSorted(
    (a, b) => Number(b.width > 1) - Number(a.width > 1) || b.agreeing - a.agreeing || b.width - a.width,
  )
  const { separator, width, agreeing } = best!
  const name = separator === '\t' ? 'a tab' : `"${separator}"`
  return {
    format: { encoding, separator },
    said: [
      `encoding ${encoding}, because ${because}`,
      told === undefined
        ? `separator ${name}: ${Math.round(agreeing * 100)} % of the first rows have ${width} columns with it`
        : `separator ${name}, because the first line says so`,
    ],
  }
}
