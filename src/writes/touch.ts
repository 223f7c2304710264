import { sql, type RawBuilder, type Updateable } from 'kysely'
import type { Scope, Context } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Database } from '../db/pool.ts'
import { kinds, type Followed } from '../kinds.ts'
import type { Tables } from '../db/schema/tables.ts'

/** The channel on which houses with new changes are announced, by their internal id. */
export const channel = 'catalogue_changes'

const marked = new WeakMap<Database, Set<string>>()

type Records = string[] | RawBuilder<unknown>

/**
 * Marks records as changed, by their internal ids or by SQL for one id, in the transaction of the change. The next
 * read of the feed numbers the marks, and the next search reads the marked records again. The lots and images of a marked
 * item and the auction of a marked session need no mark.
 */
export async function markChanged({ db, house }: Scope, kind: Followed, records: Records): Promise<void> {
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

/** Wakes the requests that wait for changes of a house, once the transaction of `db` has committed. */
export async function wakeWaiting(db: Database, house: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${house})`.execute(db)
}

function announce(db: Database, house: string): void {
  const recent = announced.get(db) ?? new Map<string, boolean>()
  announced.set(db, recent)
  const isRecent = recent.has(house)
  recent.set(house, isRecent)
  if (isRecent) return
  void wakeWaiting(db, house).catch(() => undefined)
  setTimeout(() => {
    const hasChanged = recent.get(house)
    recent.delete(house)
    if (hasChanged) announce(db, house)
  }, pauseMilliseconds).unref()
}

/**
 * The `updated_at` of a change at `now`. It advances by at least a millisecond: also for two changes in one
 * millisecond, for a change that began earlier, and on a machine with a slow clock.
 */
export function advance(now: Date, column = 'updated_at'): RawBuilder<Date> {
  // Independent of the session's time zone, so that the expression is immutable.
  return sql`greatest(${now}::timestamptz, (${sql.ref(column)} at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`
}

/** The assignments that mark a row as changed at `now`. */
export function touched(now: Date): RawBuilder<unknown> {
  return sql`updated_at = ${advance(now)}, revision = revision + 1`
}

type Touched =
  | 'auctions'
  | 'sessions'
  | 'lots'
  | 'images'
  | 'sellers'
  | 'categories'
  | 'makers'
  | 'delivery_classes'
  | 'consignments'

const kindOf: { [Name in Touched]: Followed } = {
  auctions: 'auction',
  sessions: 'session',
  lots: 'lot',
  images: 'image',
  sellers: 'seller',
  categories: 'category',
  makers: 'maker',
  delivery_classes: 'delivery_class',
  consignments: 'consignment',
}

/**
 * Advances the revisions of records, but not their timestamps, for a change of what only staff see. `assignments`: more
 * to set. The rows are locked in the order of their ids.
 */
export async function revise(
  { db, house }: Scope,
  name: 'lots' | 'sessions',
  ids: string[],
  assignments: RawBuilder<unknown>[] = [],
): Promise<void> {
  const table = sql.table(`catalogue.${name}`)
  await sendAhead(
    db,
    sql`
    update ${table} set ${sql.join([...assignments, sql`revision = revision + 1`])}
    where house_id = ${house.id} and id in (
      select id from ${table} where house_id = ${house.id} and id = any(${ids}::bigint[]) order by id for no key update)`,
  )
  await markChanged({ db, house }, kindOf[name], ids)
}

type Changes<Name extends Touched> = {
  [Column in keyof Updateable<Tables[`catalogue.${Name}`]>]?:
    | Updateable<Tables[`catalogue.${Name}`]>[Column]
    | RawBuilder<unknown>
}

/**
 * Changes one record, and advances its timestamp and revision in the same statement. To touch an item's lots too, see
 * items/touch.ts.
 */
export async function touch<Name extends Touched>(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  name: Name,
  id: string,
  changes: Changes<Name>,
): Promise<void> {
  const set = { ...changes, updated_at: advance(now), revision: sql`revision + 1` }
  // The builder's types take one table. All these tables have the columns that are used here.
  const table = db.updateTable(`catalogue.${name}` as 'catalogue.lots')
  const row = table.set(set as unknown as Updateable<Tables['catalogue.lots']>).where('house_id', '=', house.id)
  await sendAhead(db, row.where('id', '=', id))
  await markChanged({ db, house }, kindOf[name], [id])
}
