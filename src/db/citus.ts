import { sql } from 'kysely'
import { sendAhead } from './pipeline.ts'
import type { Database } from './pool.ts'

// A process has one database.
let isDistributed: boolean | undefined

/** Whether the database is Citus with the tables distributed over its workers. */
export async function isCitus(db: Database): Promise<boolean> {
  if (isDistributed === undefined) {
    const { rows } = await sql<{ found: boolean }>`
      select to_regclass('catalogue.queue_writes') is not null as found`.execute(db)
    isDistributed = rows[0]!.found
  }
  return isDistributed
}

/**
 * The table that every transaction about a house on Citus writes to first. A transaction that locks it first cannot
 * deadlock.
 */
export const heldTable = 'auctions'

/**
 * On Citus, keeps the records of a house on their worker until the transaction ends. A write does so by itself, a row
 * lock does not: after a move of the shard, another transaction could get the same lock on the other worker.
 */
export async function holdHouse(db: Database, house: string): Promise<void> {
  if (await isCitus(db))
    await sendAhead(db, sql`delete from ${sql.table(`catalogue.${heldTable}`)} where house_id = ${house} and id = 0`)
}
