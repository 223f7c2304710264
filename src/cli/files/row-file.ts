import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { CsvError, parse, type Options } from 'csv-parse/sync'
import { LoadError, messageOf } from '../../load/errors.ts'
import type { Source } from '../../load/source.ts'
import { Problem, type Cause, type FieldError } from '../../problems.ts'
import { CommandError } from '../command-error.ts'

/** The faults of a file of staff, each a line `FILE:LINE: column: what is wrong`. With one, nothing is done. */
export class FileFaults {
  readonly file: string
  readonly problems: string[] = []
  readonly #lines = new Map<string, number>()

  constructor(file: string) {
    this.file = file
  }

  add(line: number, column: string, problem: string): void {
    this.problems.push(new LoadError({ file: this.file, line }, column, problem).message)
  }

  /** Adds a fault, and returns true, if a line before has the same `key` in the column: in words, the `thing`. */
  addTwin(line: number, column: string, key: string | number, thing: string): boolean {
    const place = `${column} ${key}`
    const first = this.#lines.get(place)
    if (first === undefined) this.#lines.set(place, line)
    else this.add(line, column, `line ${first} has ${thing} too`)
    return first !== undefined
  }

  /** @throws CommandError if there is a fault */
  refuse(): void {
    if (this.problems.length > 0) throw new CommandError(this.problems)
  }
}

/**
 * Does a work on the rows of a file. What its rule refuses is said of their lines: `describe` tells the column of a fault
 * and what is wrong.
 * @throws CommandError
 */
export async function refusingRows<T>(
  file: { name: string; lines: readonly number[] },
  describe: (fault: FieldError | Cause, index: number) => [column: string, problem: string],
  work: Promise<T>,
): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const found = [...(error.errors ?? []), ...error.causes].flatMap((fault) =>
      fault.index === undefined ? [] : [{ fault, index: fault.index }],
    )
    const faults = new FileFaults(file.name)
    for (const { fault, index } of found.toSorted((one, other) => one.index - other.index))
      faults.add(file.lines[index]!, ...describe(fault, index))
    faults.refuse()
    throw error
  })
}

/**
 * How messages call the rows of a file, and the names of the columns: all, and the required ones. Unknown columns are
 * refused, or collected in `ignored`. `units`: bare integers are units, which those of JSON cannot be.
 */
export type Shape = {
  rows: string
  columns: readonly string[]
  needed: readonly string[]
  ignored?: Set<string>
  units?: boolean | undefined
}

/** Reads a value of a row. The refusal says which values are valid. */
export type Read = <T>(field: string, parse: (value: unknown) => T | undefined, right: string) => T

/** A row: the number of its line, and its cells. */
type Row<Cells> = { line: number; record: Cells }

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
  const text = await readText(source)
  const isJson = text.trimStart().startsWith('{')
  const rows = (isJson ? readJsonLines : readTable)(source.name, text, shape)
  if (rows.length === 0) throw new CommandError(`${source.name} has no ${shape.rows}`)
  if (isJson && shape.units) throw new CommandError(`${source.name} is JSON, which has minor units: --units is for CSV`)
  const faults = new FileFaults(source.name)
  const values = rows.map(({ line, record }) => {
    const read: Read = <T>(field: string, parse: (value: unknown) => T | undefined, right: string): T => {
      const value = parse(record[field])
      if (value === undefined) faults.add(line, field, `${JSON.stringify(record[field] ?? '')} is not ${right}`)
      return value as T
    }
    return readRow(line, read, isJson)
  })
  faults.refuse()
  return values
}

/**
 * The text of a file.
 * @throws CommandError if it cannot be read, or is not UTF-8
 */
export async function readText({ name, stream }: Source): Promise<string> {
  const bytes = await buffer(stream).catch((error: unknown) => {
    throw new CommandError(`${name} cannot be read: ${messageOf(error)}`)
  })
  if (!isUtf8(bytes)) throw new CommandError(`${name} is not UTF-8: save it as "CSV UTF-8"`)
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
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
  if (unknown === '') throw new CommandError(`${file}:${line}: a column has no heading: ${describe(shape)}`)
  if (unknown !== undefined)
    throw new CommandError(new LoadError({ file, line }, unknown, `is not known: ${describe(shape)}`).message)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new CommandError(new LoadError({ file, line }, twice, 'is there twice').message)
}

/**
 * The rows of a CSV text, those without any value left out. Neither headings nor references have separators: the first
 * one in the text is that of the file.
 * @throws CommandError
 */
export function parseCsv<Cells>(file: string, text: string, options: Options): Row<Cells>[] {
  const delimiter = /[,;\t]/.exec(text)?.[0] ?? ','
  const skips = { skip_empty_lines: true, skip_records_with_empty_values: true }
  try {
    const rows: unknown = parse(text, { delimiter, info: true, trim: true, ...skips, ...options })
    return (rows as { record: Cells; info: { lines: number } }[]).map(({ record, info }) => ({
      line: info.lines,
      record,
    }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandError(new LoadError({ file, line: Number(error['lines']) }, '', error.message).message)
  }
}

function readTable(file: string, text: string, shape: Shape): Row<Record<string, unknown>>[] {
  const columns = (headings: string[]) => {
    const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s-]+/g, '_'))
    checkNames(file, 1, names, shape)
    const missing = shape.needed.find((name) => !names.includes(name))
    if (missing !== undefined)
      throw new CommandError(new LoadError({ file, line: 1 }, missing, `is missing: ${describe(shape)}`).message)
    return names
  }
  return parseCsv(file, text, { columns })
}

function readJsonLines(file: string, text: string, shape: Shape): Row<Record<string, unknown>>[] {
  return text.split('\n').flatMap((json, index) => {
    if (json.trim() === '') return []
    const line = index + 1
    try {
      const record = Object(JSON.parse(json)) as Record<string, unknown>
      checkNames(file, line, Object.keys(record), shape)
      return [{ line, record }]
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new CommandError(new LoadError({ file, line }, '', 'the line is not JSON').message)
    }
  })
}
