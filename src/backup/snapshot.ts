import { sql } from 'kysely'
import { heldTable } from '../db/citus.ts'
import type { Connection, Database } from '../db/pool.ts'
import { withSession } from '../db/session.ts'
import { inTransaction } from '../writes/transaction.ts'
import { findTables, lockTables, type Table } from './tables.ts'

const lockSeconds = 10

/**
 * Begins a read-only transaction that sees the database as of one moment. On Citus each node has a snapshot of its own,
 * from its first query on. Writers wait until all nodes have theirs.
 */
export async function beginSnapshot(connection: Connection, db: Database): Promise<void> {
  const begin = () => sql`begin isolation level repeatable read, read only`.execute(db)
  const citus = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  if (citus.rows.length === 0) {
    await begin()
    return
  }
  const isHeld = ({ name }: Table) => Number(name === heldTable)
  const tables = (await findTables(db)).toSorted((one, other) => isHeld(other) - isHeld(one))
  await withSession(connection, (session) =>
    inTransaction(session, async (tx) => {
      await lockTables(tx.db, tables, 'share', lockSeconds)
      await begin()
      // A second connection to a node would have another snapshot.
      await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(db)
      await sql`select count(*) from catalogue.categories`.execute(db)
    }),
  )
}

/** Ends the transaction. It fails if the connection was lost meanwhile, and with it the snapshot. */
export async function endSnapshot(db: Database): Promise<void> {
  await sql`commit`.execute(db)
}
