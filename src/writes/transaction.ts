import { setTimeout as sleep } from 'node:timers/promises'
import type { Write, Written } from '../context.ts'
import { announceChanges } from './marks.ts'
import { holdHouse } from '../db/citus.ts'
import { isRetryable } from '../db/errors.ts'
import type { Database } from '../db/pool.ts'

const attempts = 5

type Connected = { db: Database; house?: { id: string }; write?: Write | undefined }

/**
 * Runs the work in one transaction. Commits when the work returns, rolls back when it throws. The work gets the
 * context with the transaction as its `db`. For a request that writes, it returns what it has written.
 * @throws UnknownOutcome if the database did not answer the COMMIT
 */
export async function inTransactionOnce<Context extends Connected, T>(
  context: Context,
  work: (tx: Context) => Promise<T>,
): Promise<T> {
  const { result, transaction } = await context.db.transaction().execute(async (db) => {
    if (context.house) await holdHouse(db, context.house.id)
    await context.write?.begin(db)
    const result = await work({ ...context, db })
    await context.write?.end(db, result as Written | undefined)
    return { result, transaction: db }
  })
  announceChanges(context.db, transaction)
  return result
}

/**
 * As `inTransactionOnce`, but repeats the work after a deadlock or a serialization failure, at most five times in
 * all.
 */
export async function inTransaction<Context extends Connected, T>(
  context: Context,
  work: (tx: Context) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransactionOnce(context, work)
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
  }
}
