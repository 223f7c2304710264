import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import { inTransaction } from '../../src/db/transaction.ts'

/**
 * Holds locks (what `lock` takes) while `others` start one after another and each waits for one; then commits, and gives
 * what became of them.
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

// Asked outside the transaction, in which the view would stay as it was.
async function untilWaiting(db: Database, count: number) {
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const { rows } = await sql<{ waiting: number }>`
      select count(distinct pid)::int as waiting from pg_locks join pg_stat_activity a using (pid)
      where not granted and a.datname = current_database()`.execute(db)
    if (rows[0]!.waiting >= count) return
    await setImmediate()
  }
  throw new Error(`no ${count} transactions wait for a lock`)
}
