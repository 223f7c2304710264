import { setTimeout as sleep } from 'node:timers/promises'
import type { Write, Written, Context } from '../context.ts'
import { writeJournal } from './journal.ts'
import { announceChanges } from './touch.ts'
import { holdHouse } from '../db/citus.ts'
import { isRetryable } from '../db/errors.ts'
import type { Database } from '../db/pool.ts'
import { requireFound } from '../problems.ts'
import type { PrefixedKind } from '../values/ids.ts'
import { readDocument, readLast, readTag } from '../reads/reads.ts'
import type { Selection } from '../reads/selections.ts'

const attempts = 5

type Connected = { db: Database; house?: { id: string }; write?: Write | undefined }

/**
 * Runs the work in one transaction. Commits when the work returns, rolls back when it throws. The work gets the
 * context with the transaction as its `db`. For a request that writes, it returns what it has written, or the error of a
 * refusal that is noted in the journal.
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
    await writeJournal(db)
    await context.write?.end(db, result as Written | Error | undefined)
    return { result, transaction: db }
  })
  announceChanges(context.db, transaction)
  return result
}

/**
 * As `inTransactionOnce`, but repeats the work after a deadlock or a serialization failure, at most five times in
 * all. Within a transaction it only does the work: the outermost call begins, repeats and ends. So nothing inside may
 * catch an error of the database and go on.
 */
export async function inTransaction<Context extends Connected, T>(
  context: Context,
  work: (tx: Context) => Promise<T>,
): Promise<T> {
  if (context.db.isTransaction) return work(context)
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransactionOnce(context, work)
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
  }
}

type Writing = Pick<Context, 'db' | 'write'>

/**
 * Reads a record back as the last statement of a transaction, together with COMMIT. If the write needs the answer
 * first (`needsAnswer`), COMMIT comes later.
 * @throws Problem not-found, integrity-unavailable
 */
export async function readWritten(
  { db, write }: Writing,
  selection: Selection,
): Promise<{ json: string; tag: string }> {
  await writeJournal(db)
  return write?.needsAnswer ? readDocument(db, selection) : readLast(db, selection)
}

/**
 * Returns a record that a write has locked, if it has the version that the request expects. `select` reads it as the
 * interface does. Call it before any other condition.
 * @throws Problem not-found, precondition-failed, precondition-required
 */
export async function requireLocked<Found>(
  { db, write }: Writing,
  found: Found | undefined,
  select: (expand: never[]) => Selection,
  kind?: PrefixedKind,
  uuid?: string,
): Promise<Found> {
  const record = requireFound(found, kind, uuid)
  await write?.guard(async (expansions) => {
    const selections = expansions.map((names) => select(names as never[]))
    const distinct = new Map(selections.map((selection) => [selection.documents.format, selection]))
    const tags: string[] = []
    for (const selection of distinct.values()) tags.push(await readTag(db, selection))
    return tags
  })
  return record
}
