// A source is a sheet, a folder of pictures (`folder.ts`) or a file in the load format (`load-file.ts`). Folders and files
// in the load format give records. A sheet is CSV (`encodings.ts`, `quotes.ts`) or XLSX (`workbook.ts` and its parts), which
// `file-kind.ts` checks. This file gives the headings of a sheet (`headings.ts`) and its rows of cells (`cells.ts`), with the
// lines of the file, and `row-account.ts` counts them all.
import { extname } from 'node:path'
import { CsvError, parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import type { Cell, Row } from './cells.ts'
import { readText, recognizeEncoding, type Recognized } from './encodings.ts'
import { joinHeadings, pairHeadings, type HeadingPair } from './headings.ts'
import { Unusable } from '../misfit.ts'
import { countBreaks, Quotes } from './quotes.ts'
import { RowAccount } from './row-account.ts'
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

/**
 * An open sheet. Each call of `rows` reads the rows below the headings again, and notes all others in the account. The
 * caller notes those that it gets. `width` is the number of cells that most rows of a CSV file have, `broken` the lines on
 * which rows begin that were found to be broken.
 */
export type Sheet = {
  headings: string[]
  headingRows: Row[]
  width: number | undefined
  broken: Set<number>
  rows(account?: RowAccount): AsyncIterable<Row>
}

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
  const { heading_row: named } = format
  let upper: Row | undefined
  for await (const row of readRows(path, format)) {
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
    const headingRows = upper ? [upper, row] : [row]
    const width = isXlsx(path) ? undefined : await findWidth(path, format, row.line)
    return {
      headings,
      headingRows,
      width,
      broken: new Set(),
      rows: (account) => readBelow(path, format, { headings, headingRows }, account),
    }
  }
  throw new Unusable(named === undefined ? `${path} has no rows` : `${path} has no row that begins on line ${named}`)
}

async function* readBelow(
  path: string,
  format: SheetFormat,
  { headings, headingRows }: Pick<Sheet, 'headings' | 'headingRows'>,
  account = new RowAccount(),
): AsyncGenerator<Row> {
  const [first, last] = [headingRows[0]!.line, headingRows.at(-1)!.line]
  for await (const row of readRows(path, format, account)) {
    const { line, cells } = row
    // In a workbook, calculations and remarks often stand beside the table.
    const named = isXlsx(path) ? cells.slice(0, headings.length) : cells
    const lines = { first: line, last: line }
    if (line < first) account.note('passed over', lines)
    else if (line <= last) account.note('headings', lines)
    else if (isEmpty(named)) account.note('passed over', lines)
    else yield { ...row, cells: named }
  }
}

// A file may mix kinds of line breaks, because a program has added the `sep=` line.
const record_delimiter = ['\r\n', '\n', '\r']

// Spreadsheet programs write and read the separator in a first line, which is no row.
const separatorLine = /^"?sep=(.)"?$/i

// Programs write a text such as `0012` so, that a spreadsheet program keeps its zeros.
const guardedText = /^="([^"]*)"$/

async function* readCsvRows(path: string, format: SheetFormat, account: RowAccount): AsyncGenerator<Row> {
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
      const breaks = countBreaks(raw)
      const fault = quotes.check(raw)
      if (fault !== undefined) throw new Unusable(`${path}:${line + fault.lines}: ${fault.message}`)
      account.rows++
      if (line === 1 && separatorLine.test(raw.trim())) account.note('passed over', { first: line, last: line })
      else if (isEmpty(record)) account.note('empty', { first: line, last: line })
      else {
        const cells = record.map((text) => guardedText.exec(text)?.[1] ?? text)
        yield breaks > 1 ? { line, last: line + breaks - 1, cells } : { line, cells }
      }
      line += breaks
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

async function* readXlsxRows(path: string, { sheet }: SheetFormat, account: RowAccount): AsyncGenerator<Row> {
  for await (const row of readWorksheet(path, sheet)) {
    if (isEmpty(row.cells)) continue
    const [first, last] = [account.rows + 1, row.line - 1]
    if (last >= first) account.note('empty', { first, last }, row.line - first)
    account.rows = row.line
    yield row
  }
}

/**
 * The rows of a CSV or XLSX file that are not empty, with titles and headings. The account counts all rows to the last one
 * with a value.
 */
const readRows = (path: string, format: SheetFormat, account = new RowAccount()): AsyncIterable<Row> =>
  isXlsx(path) ? readXlsxRows(path, format, account) : readCsvRows(path, format, account)

const topRows = 50

/** The number of cells that most of the first rows below a line have; of two that are as frequent, the larger one. */
async function findWidth(path: string, format: SheetFormat, below: number): Promise<number> {
  const counts = new Map<number, number>()
  for (const { line, cells } of await readTop(path, format))
    if (line > below) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [usual] = [...counts].toSorted((one, other) => other[1] - one[1] || other[0] - one[0])
  return usual?.[0] ?? 0
}

/** Reads the first rows of a file that are not empty. */
export async function readTop(path: string, format: SheetFormat): Promise<Row[]> {
  const top: Row[] = []
  for await (const row of readRows(path, format)) if (top.push(row) === topRows) break
  return top
}

/** Recognises encoding and separator of a CSV file, and says why. `doubts` are the encodings that may be meant. */
export async function recognizeCsv(
  path: string,
): Promise<{ format: SheetFormat; said: string[]; doubts: Recognized['doubts'] }> {
  const { encoding, because, doubts } = await recognizeEncoding(path)
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
    doubts,
    said: [
      `encoding ${encoding}, because ${because}`,
      told === undefined
        ? `separator ${name}: ${Math.round(agreeing * 100)} % of the first rows have ${width} columns with it`
        : `separator ${name}, because the first line says so`,
    ],
  }
}
