import { after } from 'node:test'
import { watchCalls } from '../support/coverage.ts'
import { findWorkers } from '../support/database.ts'

/**
 * The tables without records: marks and numbers of the feed, remembered answers, stored documents, the index of the
 * search, the program's own.
 */
const tablesWithout = [
  'change_marks',
  'changes',
  'generation',
  'idempotency_keys',
  'item_documents',
  'kysely_migration',
  'kysely_migration_lock',
]

/** Whether the database keeps what changes. Citus has no triggers. */
export const isObserved = findWorkers().length === 0

/** The functions of src/ that were not called. One without a call is found only if it is loaded after the watch began. */
export const findUncalled = await watchCalls()
const { openWholeService } = await import('../support/everything.ts')
const { observeTables } = await import('../support/observed.ts')

/** A service that has done everything that the program can do with the records of houses. */
export const service = await openWholeService((db) =>
  isObserved ? observeTables(db, tablesWithout) : Promise.resolve(),
)
after(() => service.close())
