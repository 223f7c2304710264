import { sql, type RawBuilder } from 'kysely'
import { idPrefixes, type RecordKind } from '../values/ids.ts'

// These stand in every document many times: as plain text they cost the builder next to nothing.

/** `'lot_' || lots.public_id`: null where the record has no identity. */
export function idOf(kind: RecordKind, table: string): RawBuilder<string | null> {
  return sql.raw(`'${idPrefixes[kind]}_' || ${table}.public_id`)
}

/** A timestamp column in UTC with milliseconds. */
export function timeOf(column: string): RawBuilder<string | null> {
  return sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
}

/** An amount column as a Money object, null where it is null. */
export function moneyOf(column: string, currency: string): RawBuilder<unknown> {
  return sql`case when ${sql.raw(column)} is not null then json_build_object('amount', ${sql.raw(column)}, 'currency', ${currency}::text) end`
}

/** A row as JSON text without those of the named fields that are null. In the text of a value a quote is escaped, so nothing else can match. */
export function withoutNull(row: RawBuilder<unknown>, ...fields: string[]): RawBuilder<unknown> {
  let text = sql`row_to_json(${row})::text`
  for (const field of fields) text = sql`replace(${text}, ${sql.lit(`"${field}":null,`)}, '')`
  return text
}
