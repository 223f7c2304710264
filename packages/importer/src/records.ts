import type { TextName } from '@auction-catalogue/client'
import type { Records } from './load-format.ts'

export type { Records }

/** An amount in minor units (cents) and an ISO 4217 code. */
export type Money = { amount: number; currency: string }

/** The texts of an item in one locale. */
export type Texts = { [Name in TextName]?: string | null | undefined }

/** The types of records. */
export type RecordType = keyof Records

/** Any record of the load format. */
export type LoadRecord = Records[RecordType]

/** The types of records that must exist before an import: the HTTP interface cannot create them. */
export const linkedTypes = [
  'seller',
  'category',
  'maker',
  'delivery_class',
  'increment_strategy',
  'consignment',
] as const

/** One of these types. */
export type LinkedType = (typeof linkedTypes)[number]

const isLinked = (type: string): type is LinkedType => (linkedTypes as readonly string[]).includes(type)

/** Whether a record must exist before an import. */
export const isLinkedRecord = (record: LoadRecord): record is Records[LinkedType] => isLinked(record.type)

/** The fields that point to other records: those with one pointer, and those with a list. */
export const pointerNames = {
  one: ['auction', 'session', 'item', 'seller', 'consignment', 'delivery_class', 'increment_strategy', 'parent', 'lot'],
  several: ['categories', 'makers'],
} as const

/**
 * The place of a record: a line of a file, and the last line of a row of several. The place of a picture in a folder is line
 * 1 of its file.
 */
export type Place = { file: string; line: number; last?: number }

/** An error in one field of a record. In a sheet it has the column and the value of the cell. */
export type FieldError = { field: string; code: string; message: string; column?: string; value?: string }

/** Finds the cell of a record's field in a sheet: the column, and the value in the row. */
export type CellOf = (field: string) => Pick<FieldError, 'column' | 'value'> | undefined

/**
 * A record of the source, with the errors found so far. A line without a record has only its text. An absent record is one
 * that the source could have: the catalogue must not have it either.
 */
export type SourceRecord = { place: Place; errors: FieldError[]; cellOf?: CellOf; isAbsent?: true } & (
  | { record: LoadRecord }
  | { record: undefined; text: string }
)

/** The reference of a record for reports, the journal and messages. */
export function nameRecord(record: LoadRecord): string {
  if ('external_reference' in record && record.external_reference) return record.external_reference
  if (record.type === 'image' && record.file) return record.file
  if (record.type === 'lot') return `${record.session}/${record.lot_number ?? '-'}`
  return record.ref ?? record.id ?? ''
}

/** Copies an object without its undefined fields. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
