import { sql, type RawBuilder, type Updateable } from 'kysely'
import type { Context, Scope } from '../context.ts'
import type { Followed } from '../kinds.ts'
import { markChanged } from './marks.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Tables } from '../db/schema/tables.ts'

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

type Touched = 'auctions' | 'sessions' | 'lots' | 'images'

const kinds: { [Name in Touched]?: Followed } = { auctions: 'auction', sessions: 'session', lots: 'lot' }

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
  // The builder's types take one table. All four tables have the columns that are used here.
  const table = db.updateTable(`catalogue.${name}` as 'catalogue.lots')
  const row = table.set(set as unknown as Updateable<Tables['catalogue.lots']>).where('house_id', '=', house.id)
  await sendAhead(db, row.where('id', '=', id))
  const kind = kinds[name]
  if (kind) await markChanged({ db, house }, kind, [id])
}
