import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './pool.ts'
import { isRetryable } from './errors.ts'

const attempts = 5

/**
 * Runs the work in one transaction, committed when it returns and rolled back when it throws. A transaction that
 * the server ended for a deadlock or a serialization failure is tried again, five times in all.
 */
export async function inTransaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
  }
}
