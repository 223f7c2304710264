import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogueError } from '@auction-catalogue/client'
import { replaceBeside } from '../files.ts'
import {
  linkedTypes,
  nameRecord,
  pointerNames,
  type FieldError,
  type LoadRecord,
  type Place,
  type SourceRecord,
} from '../records.ts'

/** A record that was not taken, and why. */
export type Rejection = { source: SourceRecord; errors: FieldError[] }

/**
 * The refusal of a record. A record that depends on a refused one is refused too, and does not count again. The id is that of
 * a stored record that differs.
 */
export class Refused extends Error {
  readonly errors: FieldError[]
  readonly isDependent: boolean
  readonly id: string | undefined

  constructor(errors: FieldError[], isDependent = false, id?: string) {
    super(errors[0]!.message)
    this.errors = errors
    this.isDependent = isDependent
    this.id = id
  }
}

/** The refusal of one field. */
export function refuse(field: string, code: string, message: string): Refused {
  return new Refused([{ field, code, message }])
}

/** The errors of a record that the service, or a check before it, did not take. */
export function errorsOf(error: Refused | CatalogueError): FieldError[] {
  if (error instanceof Refused) return error.errors
  if (error.errors) return [...error.errors]
  return [{ field: '', code: error.code, message: error.detail || error.title }]
}

/** A rejection in one line: file, line, column or field, value, and what would fit. */
export function printError({ file, line }: Place, error: FieldError): string {
  // A value that all rows have stands in no column.
  const source = error.column === '' ? '"all" of the mapping' : `column "${error.column}"`
  const where = error.column === undefined ? error.field : `${source} (${error.field})`
  const value = error.value === undefined ? '' : `${JSON.stringify(error.value)} `
  return `${file}:${line}: ${where === '' ? '' : `${where}: `}${value}${error.message} [${error.code}]`
}

/** What is known of a record to which others point: its id, or its own line if it has none. */
export type Pointee = { id: string } | { record: LoadRecord } | undefined

// A row of a sheet is several records, and lines point to earlier ones.
const types: readonly (string | undefined)[] = ['house', ...linkedTypes, 'auction', 'session', 'item', 'image', 'lot']

/** Collects what was rejected, to be written as a file that can be mended and given again. */
export class Rejections {
  readonly #list: Rejection[] = []
  /** Those that do not follow from another. */
  count = 0

  /** All of them, in the order of the source. */
  get list(): Rejection[] {
    const byPlace = ({ place: a, record: one }: SourceRecord, { place: b, record: other }: SourceRecord) =>
      a.line - b.line ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : types.indexOf(one?.type) - types.indexOf(other?.type))
    return this.#list.toSorted((a, b) => byPlace(a.source, b.source))
  }

  add(source: SourceRecord, errors: FieldError[], isDependent = false): void {
    const located = errors.map((error) => ({ ...source.cellOf?.(error.field), ...error }))
    // A row's cells are no longer needed, and would stay in memory.
    const { cellOf: _, ...kept } = source
    this.#list.push({ source: kept, errors: located })
    if (!isDependent) this.count++
  }

  /**
   * Writes `SOURCE.rejected.ndjson` beside the source: the rejected lines in their order, with pointers that lead to stored
   * records, or to lines before them. Without rejections an old file goes, unless it is what was read. Gives the path of the
   * file; undefined without one.
   * @throws Unusable
   */
  async write(
    directory: string,
    sourceName: string,
    house: LoadRecord | undefined,
    find: (ref: string) => Pointee,
  ): Promise<string | undefined> {
    const isRejected = sourceName.endsWith('rejected.ndjson')
    const path = join(directory, isRejected ? sourceName : `${sourceName}.rejected.ndjson`)
    const { list } = this
    if (list.length === 0) {
      if (!isRejected) await rm(path, { force: true })
      return undefined
    }
    const lines: string[] = house === undefined ? [] : [JSON.stringify(house)]
    const written = new Set<string>()
    const rejected = new Set(list.flatMap(({ source }) => source.record?.ref ?? []))
    const point = (pointer: string): string => {
      const found = find(pointer)
      if (found === undefined) return pointer
      if ('id' in found) return found.id
      if (!rejected.has(pointer) && !written.has(pointer)) {
        written.add(pointer)
        lines.push(JSON.stringify(redirect(found.record)))
      }
      return pointer
    }
    const redirect = (record: LoadRecord): LoadRecord => {
      const changed: Record<string, unknown> = { ...record }
      for (const name of pointerNames.one) if (typeof changed[name] === 'string') changed[name] = point(changed[name])
      for (const name of pointerNames.several)
        if (Array.isArray(changed[name]))
          changed[name] = changed[name].map((each: unknown) => (typeof each === 'string' ? point(each) : each))
      return changed as LoadRecord
    }
    for (const { source, errors } of list) {
      const rejection = { ...source.place, errors }
      const content = source.record === undefined ? { text: source.text } : redirect(source.record)
      lines.push(JSON.stringify({ ...content, rejection }))
    }
    await replaceBeside(path, `${lines.join('\n')}\n`)
    return path
  }
}

/** A rejection as programs read it. */
export function describeRejection({ source, errors }: Rejection) {
  return {
    ...source.place,
    type: source.record?.type ?? null,
    reference: source.record ? nameRecord(source.record) : null,
    errors,
  }
}
