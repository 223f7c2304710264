import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { isRetryable } from './errors.ts'
import type { Database } from './pool.ts'

const attempts = 5

/**
 * The database did not answer a COMMIT: the transaction is committed, or is not, or will be yet. What belongs to it
 * outside the database, such as its files, must be left as it is.
 */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('the database did not say whether this was carried out: look before you try again', { cause })
    this.name = 'UnknownOutcome'
  }
}

// An error of the server is an answer, unless the server went away, or failed at its log, after it had committed.
const isAnswer = (error: unknown) =>
  error instanceof DatabaseError && !/^(08|40003|53|57P|58|XX)/.test(error.code ?? '')

type Connected = { db: Database }

/**
 * Runs the work in one transaction, committed when it returns and rolled back when it throws. The work is given the
 * context with the transaction as its `db`.
 * @throws UnknownOutcome when the COMMIT was sent and not answered
 */
export async function inTransactionOnce<Context extends Connected, T>(
  context: Context,
  work: (tx: Context) => Promise<T>,
): Promise<T> {
  let committing = false
  try {
    return await context.db.transaction().execute(async (db) => {
      const result = await work({ ...context, db })
      committing = true
      return result
    })
  } catch (error) {
    if (committing && !isAnswer(error)) throw new UnknownOutcome(error)
    throw error
  }
}

/**
 * Runs the work as `inTransactionOnce` does. A transaction that the server ended for a deadlock or a serialization
 * failure is tried again, five times in all.
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
