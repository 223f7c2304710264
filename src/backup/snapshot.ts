import { sql } from 'kysely'
import { heldTable, isCitus } from '../db/citus.ts'
import type { Connection, Database } from '../db/pool.ts'
import { withSession } from '../db/session.ts'
import { inTransaction } from '../writes/transaction.ts'
import { findTables, lockTables, type Table } from './tables.ts'

const lockSeconds = 10

const begin = (db: Database) => sql`begin isolation level repeatable read, read only`.execute(db)

/**
 * Begins a read-only transaction that sees a house as of one moment, and locks no table. Returns the function that ends
 * it, which fails if the connection was lost meanwhile, and with it the snapshot.
 * @throws Error, at the end, if Citus has moved the house to another worker, which has another snapshot
 */
export async function beginHouseSnapshot(db: Database, { id }: { id: string }): Promise<() => Promise<void>> {
  // The snapshot of the session that answers for the house: on Citus one of its worker, which has it from here on.
  const identify = async () => {
    const { rows } = await sql<{ snapshot: string }>`
      select pg_backend_pid() || ' ' || pg_current_snapshot() as snapshot, count(*)
      from catalogue.auctions where house_id = ${id} and id = 0`.execute(db)
    return rows[0]!.snapshot
  }
  await begin(db)
  const begun = await identify()
  return async () => {
    if ((await identify()) !== begun)
      throw new Error('Citus has moved the house to another worker meanwhile: try again')
    await endSnapshot(db)
  }
}

/**
 * Begins a read-only transaction that sees the whole database as of one moment. On Citus each node has a snapshot of its own,
 * from its first query on. Writers wait until all nodes have theirs.
 */
export async function beginSnapshot(connection: Connection, db: Database): Promise<void> {
  if (!(await isCitus(db))) {
    await begin(db)
    return
  }
  const isHeld = ({ name }: Table) => Number(name === heldTable)
  const tables = (await findTables(db)).toSorted((one, other) => isHeld(other) - isHeld(one))
  await withSession(connection, (session) =>
    inTransaction(session, async (tx) => {
      await lockTables(tx.db, tables, 'share', lockSeconds)
      await begin(db)
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
