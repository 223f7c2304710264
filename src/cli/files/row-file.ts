import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { CsvError, parse } from 'csv-parse/sync'
import { LoadError, messageOf } from '../../load/errors.ts'
import type { Source } from '../../load/source.ts'
import type { Cause, FieldError } from '../../problems.ts'
import { Problem } from '../../problems.ts'
import type { Printer } from '../../sentences.ts'
import { CommandError, describeForCommand, describeInRow } from '../command-error.ts'

/** A fault in a row of a file: its line, its column, and what is wrong. */
export type RowFault = { line: number; column: string; problem: string }

/** A refused file of staff, from which nothing was done: a line `FILE:LINE: column: what is wrong` for each fault. */
export const refuseFile = (file: string, faults: readonly RowFault[]): CommandError =>
  new CommandError(faults.map(({ line, column, problem }) => new LoadError({ file, line }, column, problem).message))

/**
 * Does a work on the rows of a file. What its rule refuses is said of their lines: `columnOf` names the column of a fault.
 * @throws CommandError
 */
export async function refusingRows<T>(
  file: { name: string; lines: readonly number[] },
  words: { printer: Printer; house: { slug: string } },
  columnOf: (fault: FieldError | Cause, index: number) => string,
  work: Promise<T>,
): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const faults = [...(error.errors ?? []), ...error.causes].flatMap((fault) =>
      fault.index === undefined ? [] : [{ fault, index: fault.index }],
    )
    if (faults.length === 0) throw error
    const { printer, house } = words
    throw refuseFile(
      file.name,
      faults
        .toSorted((one, other) => one.index - other.index)
        .map(({ fault, index }) => ({
          line: file.lines[index]!,
          column: columnOf(fault, index),
          problem: 'field' in fault ? describeInRow(fault, printer, house) : describeForCommand(fault, printer),
        })),
    )
  })
}

/**
 * How messages call the rows of a file, and the names of the columns: all, and the required ones. Unknown columns are
 * refused, or collected in `ignored`.
 */
export type Shape = { rows: string; columns: readonly string[]; needed: readonly string[]; ignored?: Set<string> }

/** Reads a value of a row. The refusal says which values are valid. */
export type Read = <T>(field: string, parse: (value: unknown) => T | undefined, right: string) => T

type Row = { line: number; fields: Record<string, unknown> }

function describe({ rows, columns, needed }: Shape): string {
  const others = columns.filter((name) => !needed.includes(name))
  if (needed.length === 0) return `a file of ${rows} has some of ${others.join(', ')}`
  const more = others.length > 0 ? ` and, if you like, ${others.join(', ')}` : ''
  return `a file of ${rows} has ${needed.join(', ')}${more}`
}

/**
 * The rows of a CSV file with headings (separated by commas, semicolons or tabs) or of newline-delimited JSON, at least
 * one. `isJson` tells `readRow` which of the two.
 * @throws CommandError
 */
export async function readRowFile<T>(
  source: Source,
  shape: Shape,
  readRow: (line: number, read: Read, isJson: boolean) => T,
): Promise<T[]> {
  const bytes = await buffer(source.stream).catch((error: unknown) => {
    throw new CommandError(`${source.name} cannot be read: ${messageOf(error)}`)
  })
  if (!isUtf8(bytes)) throw new CommandError(`${source.name} is not UTF-8: save it as "CSV UTF-8"`)
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const isJson = text.trimStart().startsWith('{')
  const rows = (isJson ? readJsonLines : readCsv)(source.name, text, shape)
  if (rows.length === 0) throw new CommandError(`${source.name} has no ${shape.rows}`)
  const problems: string[] = []
  const values = rows.map(({ line, fields }) => {
    const read: Read = <T>(field: string, parse: (value: unknown) => T | undefined, right: string): T => {
      const value = parse(fields[field])
      if (value === undefined) {
        const problem = `${JSON.stringify(fields[field] ?? '')} is not ${right}`
        problems.push(new LoadError({ file: source.name, line }, field, problem).message)
      }
      return value as T
    }
    return readRow(line, read, isJson)
  })
  if (problems.length > 0) throw new CommandError(problems)
  return values
}

/** The whole number in a cell, in digits or in JSON. Undefined if it is not from `least` to `most`. */
export function readWhole(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
    ? number
    : undefined
}

function checkNames(file: string, line: number, given: string[], shape: Shape): void {
  const names = shape.ignored ? given.filter((name) => shape.columns.includes(name)) : given
  for (const name of given) if (!names.includes(name)) shape.ignored?.add(name)
  const unknown = names.find((name) => !shape.columns.includes(name))
  if (unknown === '') throw new CommandError([`${file}:${line}: a column has no heading: ${describe(shape)}`])
  if (unknown !== undefined)
    throw new CommandError([new LoadError({ file, line }, unknown, `is not known: ${describe(shape)}`).message])
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new CommandError([new LoadError({ file, line }, twice, 'is there twice').message])
}

// The names of columns have no separators, so the first separator in the headings is that of the file.
function readCsv(file: string, text: string, shape: Shape): Row[] {
  const delimiter = /[,;\t]/.exec(text)?.[0] ?? ','
  const checkHeadings = (headings: string[]) => {
    const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s-]+/g, '_'))
    checkNames(file, 1, names, shape)
    const missing = shape.needed.find((name) => !names.includes(name))
    if (missing !== undefined)
      throw new CommandError([new LoadError({ file, line: 1 }, missing, `is missing: ${describe(shape)}`).message])
    return names
  }
  try {
    const rows = parse<{ record: Record<string, string>; info: { lines: number } }>(text, {
      delimiter,
      columns: checkHeadings,
      info: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    })
    return rows.map(({ record, info }) => ({ line: info.lines, fields: record }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandError([new LoadError({ file, line: Number(error['lines']) }, '', error.message).message])
  }
}

function readJsonLines(file: string, text: string, shape: Shape): Row[] {
  return text.split('\n').flatMap((json, index) => {
    if (json.trim() === '') return []
    const line = index + 1
    try {
      const fields = Object(JSON.parse(json)) as Record<string, unknown>
      checkNames(file, line, Object.keys(fields), shape)
      return [{ line, fields }]
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new CommandError([new LoadError({ file, line }, '', 'the line is not JSON').message])
    }
  })
}
