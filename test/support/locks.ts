import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import { inTransaction } from '../../src/writes/transaction.ts'
import { findWorkers } from './database.ts'

/**
 * One or two that wait for a lock. Of three that wait for one row, the order of the last two is not known: when the
 * first changes the row, they race for its new version.
 */
export type Waiters<T> = [first: () => Promise<T>] | [first: () => Promise<T>, second: () => Promise<T>]

/**
 * Holds the locks of `lock` while others start, each when the one before waits for its lock; then commits. Returns
 * their results. They get the locks in this order, if `lock` changes no row for which both wait.
 */
export async function whileLocked<T>(
  db: Database,
  lock: (tx: Database) => Promise<unknown>,
  ...others: Waiters<T>
): Promise<PromiseSettledResult<T>[]> {
  const started: Promise<PromiseSettledResult<T>[]>[] = []
  await inTransaction({ db }, async ({ db: tx }) => {
    await lock(tx)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    const queue = rows.map(({ pid }) => pid)
    for (const start of others) {
      const work = start()
      started.push(Promise.allSettled([work]))
      queue.push(await findNext(db, queue, work))
    }
  })
  return (await Promise.all(started)).flat()
}

/** Waits until the work waits for a connection of the queue. Returns its own connection. */
async function findNext(db: Database, queue: number[], work: Promise<unknown>): Promise<number> {
  const ended = new AbortController()
  const end = () => ended.abort()
  work.then(end, end)
  while (!ended.signal.aborted) {
    const waits = await findWaits(db)
    const next = waits.find(({ waiting, blocking }) => queue.includes(blocking) && !queue.includes(waiting))
    if (next) return next.waiting
    await sleep(5)
  }
  throw new Error('it ended without waiting for a lock')
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

/** The connections to the database that wait for a lock, on any node. Not in a transaction: see `findWaits`. */
export async function findWaiting(db: Database): Promise<number[]> {
  return [...new Set((await findWaits(db)).map(({ waiting }) => waiting))]
}

// Not in a transaction, where the view would not change.
async function findWaits(db: Database): Promise<{ waiting: number; blocking: number }[]> {
  const waits =
    findWorkers().length > 0
      ? sql`select (waiting_gpid % 10000000000)::int as waiting, (blocking_gpid % 10000000000)::int as blocking
          from citus_lock_waits`
      : sql`select pid as waiting, unnest(pg_blocking_pids(pid)) as blocking from pg_locks where not granted and locktype <> 'extend'`
  const { rows } = await sql<{ waiting: number; blocking: number }>`
    select waiting, blocking from (${waits}) w join pg_stat_activity a on a.pid = waiting
    where a.datname = current_database()`.execute(db)
  return rows
}

/** Waits until `count` connections wait for a lock. */
export async function untilWaiting(db: Database, count: number): Promise<void> {
  while ((await findWaiting(db)).length < count) await sleep(5)
}
