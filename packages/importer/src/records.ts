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

/** The types of records that exist before an import: nobody creates them over HTTP. */
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

/** Whether a record is one that must exist already. */
export const isLinkedRecord = (record: LoadRecord): record is Records[LinkedType] => isLinked(record.type)

/** The fields by which records point to others: those with one pointer, and those with a list. */
export const pointerNames = {
  one: ['auction', 'session', 'item', 'seller', 'consignment', 'delivery_class', 'increment_strategy', 'parent', 'lot'],
  several: ['categories', 'makers'],
} as const

/** Where a record stands: the line of a file (of a folder of pictures: the file itself, line 1). */
export type Place = { file: string; line: number }

/** What is wrong with one field of a record, and in a sheet with which cell. */
export type FieldError = { field: string; code: string; message: string; column?: string; value?: string }

/** In a sheet, the column of a record's field, and what the row has there. */
export type CellOf = (field: string) => Pick<FieldError, 'column' | 'value'> | undefined

/** A record that was read, with what is already known to be wrong with it. A line that is no record is only a text. */
export type SourceRecord = { place: Place; errors: FieldError[]; cellOf?: CellOf } & (
  | { record: LoadRecord }
  | { record: undefined; text: string }
)

/** The reference by which people know a record: in reports, the journal and messages. */
export function nameRecord(record: LoadRecord): string {
  if ('external_reference' in record && record.external_reference) return record.external_reference
  if (record.type === 'image' && record.file) return record.file
  if (record.type === 'lot') return `${record.session}/${record.lot_number ?? '-'}`
  return record.ref ?? record.id ?? ''
}

/** A record without its fields that are undefined. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
