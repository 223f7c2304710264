import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Database } from '../db/pool.ts'
import { kinds, type Followed } from '../kinds.ts'

/** The channel on which houses with new changes are announced, by their internal id. */
export const channel = 'catalogue_changes'

const marked = new WeakMap<Database, Set<string>>()

/**
 * Marks records as changed, by their internal ids or by SQL for one id, in the transaction of the change. The next
 * read of the feed numbers the marks. The lots of a marked item and the auction of a marked session need no mark.
 */
export async function markChanged(
  { db, house }: Scope,
  kind: Followed,
  records: string[] | RawBuilder<unknown>,
): Promise<void> {
  if (Array.isArray(records) && records.length === 0) return
  const rows = Array.isArray(records)
    ? sql`select ${house.id}, ${kinds[kind].number}, id from unnest(${records}::bigint[]) id`
    : sql`values (${house.id}, ${kinds[kind].number}, ${records})`
  await sendAhead(db, sql`insert into catalogue.change_marks (house_id, kind, record_id) ${rows}`)
  marked.set(db, (marked.get(db) ?? new Set()).add(house.id))
}

// For each connection pool: the houses announced within the pause, and whether they have changed since.
const announced = new WeakMap<Database, Map<string, boolean>>()
const pauseMilliseconds = 100

/** Wakes the requests that wait for changes of a house. Without the announcement they would only wait longer. */
export function announceChanges(db: Database, transaction: Database): void {
  for (const house of marked.get(transaction) ?? []) announce(db, house)
}

function announce(db: Database, house: string): void {
  const recent = announced.get(db) ?? new Map<string, boolean>()
  announced.set(db, recent)
  const isRecent = recent.has(house)
  recent.set(house, isRecent)
  if (isRecent) return
  void sql`select pg_notify(${channel}, ${house})`.execute(db).catch(() => undefined)
  setTimeout(() => {
    const hasChanged = recent.get(house)
    recent.delete(house)
    if (hasChanged) announce(db, house)
  }, pauseMilliseconds).unref()
}
