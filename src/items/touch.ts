import { sql, type RawBuilder, type Updateable } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { markChanged, touched } from '../writes/touch.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Locks items by their internal ids, in the order of the ids. */
export async function lockItems({ db, house }: Scope, items: string[]): Promise<void> {
  await sql`
    select id from catalogue.items where house_id = ${house.id} and id = any(${items}::bigint[])
    order by id for update`.execute(db)
}

// Lots are locked in the order of their ids, as every other writer of several lots does.
function currentLots(house: string, items: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`house_id = ${house} and id in (
    select id from catalogue.lots where house_id = ${house} and item_id ${items} and not archived order by id for update)`
}

/**
 * Changes the `columns` of an item, and advances the timestamps and revisions of the item and of its current lots
 * (section 4.4), in one statement. `others`: a DELETE or UPDATE each, of rows that belong to the item.
 */
export async function touchItem(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  item: string,
  columns: Updateable<Tables['catalogue.items']> = {},
  others: RawBuilder<unknown>[] = [],
): Promise<void> {
  const assignments = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  const lots = sql`update catalogue.lots set ${touched(now)} where ${currentLots(house.id, sql`= ${item}`)}`
  const parts = [lots, ...others].map((part, index) => sql`${sql.ref(`part_${index}`)} as (${part})`)
  await sendAhead(
    db,
    sql`
    with ${sql.join(parts)}
    update catalogue.items set ${sql.join([...assignments, touched(now)])}
    where house_id = ${house.id} and id = ${item}`,
  )
  await markChanged({ db, house }, 'item', [item])
}

/** Advances several items whose images have changed, as `touchItem` does. The caller holds their locks. */
export async function touchItems({ db, house, now }: Scope & Pick<Context, 'now'>, items: string[]): Promise<void> {
  const chosen = sql`= any(${items}::bigint[])`
  await sendAhead(
    db,
    sql`
    with touched as (update catalogue.lots set ${touched(now)} where ${currentLots(house.id, chosen)})
    update catalogue.items set ${touched(now)} where house_id = ${house.id} and id ${chosen}`,
  )
  await markChanged({ db, house }, 'item', items)
}

/**
 * Advances only the revisions of an item and its lots, not their timestamps: new renditions change the answer, but not
 * the record.
 */
export async function reviseItem({ db, house }: Scope, item: string): Promise<void> {
  await sendAhead(
    db,
    sql`
    with revised as (update catalogue.lots set revision = revision + 1 where ${currentLots(house.id, sql`= ${item}`)})
    update catalogue.items set revision = revision + 1 where house_id = ${house.id} and id = ${item}`,
  )
  await markChanged({ db, house }, 'item', [item])
}
