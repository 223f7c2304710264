import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from './pool.ts'

/**
 * The generation identifies one history of the database. It changes with a restored dump, a copied database, and a
 * server that was promoted or recovered to a point in time. After a copy of files, which the database cannot notice,
 * call `renewGeneration`. It includes the identity of the stored row (server, database, table, the transaction that
 * wrote it), which a dump does not restore.
 */
export const generation: RawBuilder<string> = sql`(
  select encode(sha256(convert_to(concat_ws(' ', value, xmin, tableoid,
    (select oid from pg_database where datname = current_database()),
    (select system_identifier from pg_control_system()),
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end), 'UTF8')), 'hex')
  from catalogue.generation)`

/** The present generation of the database. */
export async function readGeneration(db: Database): Promise<string> {
  const { rows } = await sql<{ generation: string }>`select ${generation} as generation`.execute(db)
  return rows[0]!.generation
}

/** Begins a new generation: older cursors and ETags are no longer valid. */
export async function renewGeneration(db: Database): Promise<void> {
  await sql`update catalogue.generation set value = ${randomUUID()}`.execute(db)
}
