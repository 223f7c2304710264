import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogueError } from '@auction-catalogue/client'
import { replaceBeside } from './files.ts'
import {
  linkedTypes,
  nameRecord,
  pointerNames,
  type FieldError,
  type LoadRecord,
  type Place,
  type SourceRecord,
} from './records.ts'

/** A rejected record, and its errors. One that only depends on another has no error of its own. */
export type Rejection = { source: SourceRecord; errors: FieldError[]; isDependent: boolean }

/**
 * The refusal of a record. A record that depends on a refused one is refused too, and does not count again. `id` is that of
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

/** The errors of a record that the service, or a check before it, has refused. */
export function errorsOf(error: Refused | CatalogueError): FieldError[] {
  if (error instanceof Refused) return error.errors
  if (error.errors) return [...error.errors]
  return [{ field: '', code: error.code, message: error.detail || error.title }]
}

/** An error in one line: file, line, column or field, value, and message. */
export function printError({ file, line }: Place, error: FieldError): string {
  // A value that all rows share has no column.
  const source = error.column === '' ? '"all" of the mapping' : `column "${error.column}"`
  const where = error.column === undefined ? error.field : `${source} (${error.field})`
  const value = error.value === undefined ? '' : `${JSON.stringify(error.value)} `
  return `${file}:${line}: ${where === '' ? '' : `${where}: `}${value}${error.message} [${error.code}]`
}

/** The target of a pointer: its id, or its own line if it has none. */
export type Pointee = { id: string } | { record: LoadRecord } | undefined

// A row of a sheet is several records. A line may only point to earlier lines.
const types: readonly (string | undefined)[] = ['house', ...linkedTypes, 'auction', 'session', 'item', 'image', 'lot']

/** The digest of a rejected record with its errors. As long as a line has it, it was not corrected. */
export function digestOf(record: LoadRecord, errors: FieldError[]): string {
  const isTwin = errors.some(({ field, code }) => field === 'external_reference' && code === 'duplicate')
  // Another title does not correct a reference that is there twice. The name of a picture may be that of its file.
  const wrong = isTwin && record.type !== 'image' && 'external_reference' in record ? record.external_reference : record
  return hash('sha256', JSON.stringify([wrong, errors]), 'base64url').slice(0, 22)
}

// Whether the source itself is wrong. Files and the catalogue may be right by now.
const isOfSource = (source: SourceRecord, errors: FieldError[]) =>
  source.errors.some(({ field, code }) => field !== 'file' && code !== 'unavailable') ||
  errors.some(({ code }) => code === 'duplicate')

/** Collects the rejections, and writes a file that the user can correct and import. */
export class Rejections {
  readonly #list: Rejection[] = []
  /** The number of rejections that do not follow from another. */
  count = 0

  /** All rejections, in the order of the source. */
  get list(): Rejection[] {
    const byPlace = ({ place: a, record: one }: SourceRecord, { place: b, record: other }: SourceRecord) =>
      a.line - b.line ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : types.indexOf(one?.type) - types.indexOf(other?.type))
    return this.#list.toSorted((a, b) => byPlace(a.source, b.source))
  }

  add(source: SourceRecord, errors: FieldError[], isDependent = false): void {
    const located = errors.map((error) => ({ ...source.cellOf?.(error.field), ...error }))
    // The cells of the row are no longer needed, and would stay in memory.
    const { cellOf: _, ...kept } = source
    this.#list.push({ source: kept, errors: located, isDependent })
    if (!isDependent) this.count++
  }

  /**
   * Writes `SOURCE.rejected.ndjson` beside the source: the rejected lines in their order, with pointers to stored records
   * or to earlier lines. Without rejections it removes an old file, unless that is the source. Returns the path of the
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
      const content = source.record === undefined ? { text: source.text } : redirect(source.record)
      const digest = 'type' in content && isOfSource(source, errors) ? digestOf(content, errors) : undefined
      lines.push(JSON.stringify({ ...content, rejection: { ...source.place, errors, digest } }))
    }
    await replaceBeside(path, `${lines.join('\n')}\n`)
    return path
  }
}

/** A rejection, for programs. */
export function describeRejection({ source, errors }: Rejection) {
  return {
    ...source.place,
    type: source.record?.type ?? null,
    reference: source.record ? nameRecord(source.record) : null,
    errors,
  }
}
