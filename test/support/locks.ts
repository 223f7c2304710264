import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import { inTransaction } from '../../src/writes/transaction.ts'
import { findWorkers } from './database.ts'

/**
 * Holds the locks of `lock` while `others` start one after another and each waits for one; then commits. Returns
 * their results.
 */
export async function whileLocked<T>(
  db: Database,
  lock: (tx: Database) => Promise<unknown>,
  ...others: (() => Promise<T>)[]
): Promise<PromiseSettledResult<T>[]> {
  const started: Promise<PromiseSettledResult<T>[]>[] = []
  await inTransaction({ db }, async ({ db: tx }) => {
    await lock(tx)
    for (const [index, start] of others.entries()) {
      started.push(Promise.allSettled([start()]))
      await untilWaiting(db, index + 1)
    }
  })
  return (await Promise.all(started)).flat()
}

/** Locks the record with this public UUID until the transaction ends; false if it is locked and `how` skips it. */
export async function lockRecord(tx: Database, table: string, uuid: string, how = 'for update'): Promise<boolean> {
  const name = sql.table(`catalogue.${table}`)
  const { rows } = await sql<{ house: string }>`
    select house_id as house from ${name} where public_id = ${uuid}`.execute(tx)
  const locked = await sql`
    select from ${name} where house_id = ${rows[0]!.house} and public_id = ${uuid} ${sql.raw(how)}`.execute(tx)
  return locked.rows.length > 0
}

/**
 * The connections to the database that wait for a lock, on any node. Not in a transaction, where the view would not
 * change.
 */
export async function findWaiting(db: Database): Promise<number[]> {
  const waiting =
    findWorkers().length > 0
      ? sql`select waiting_gpid % 10000000000 as pid from citus_lock_waits`
      : sql`select pid from pg_locks where not granted`
  const { rows } = await sql<{ pid: number }>`
    select distinct a.pid from (${waiting}) w join pg_stat_activity a using (pid)
    where a.datname = current_database()`.execute(db)
  return rows.map(({ pid }) => pid)
}

/** Waits until `count` connections wait for a lock. */
export async function untilWaiting(db: Database, count: number): Promise<void> {
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    if ((await findWaiting(db)).length >= count) return
    await sleep(5)
  }
  throw new Error(`no ${count} transactions wait for a lock`)
}
