import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { touched } from '../db/touch.ts'

// Lots are locked in the order of their ids, as every other writer of several lots does.
function currentLots(house: string, items: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`house_id = ${house} and id in (
    select id from catalogue.lots where house_id = ${house} and item_id ${items} and not archived order by id for update)`
}

/**
 * Writes a change of an item that a reader sees as one: advances the timestamps and revisions of the item and of its
 * current lots (section 4.4), in the same statement as the change. `assignments` (each ends with a comma) changes
 * columns of the item, `also` (each begins with a comma) adds CTEs that change its links.
 */
export async function touchItem(
  { db, house, now }: Pick<Context, 'db' | 'house' | 'now'>,
  item: string,
  assignments: RawBuilder<unknown> = sql``,
  also: RawBuilder<unknown> = sql``,
): Promise<void> {
  await sql`
    with touched as (
      update catalogue.lots set ${touched(now)} where ${currentLots(house.id, sql`= ${item}`)}
    ) ${also}
    update catalogue.items set ${assignments} ${touched(now)}
    where house_id = ${house.id} and id = ${item}`.execute(db)
}

/** Does for several items at once, whose images have changed, what `touchItem` does for one. The caller has locked them. */
export async function touchItems(
  { db, house, now }: Pick<Context, 'db' | 'now'> & { house: { id: string } },
  items: string[],
): Promise<void> {
  const chosen = sql`= any(${items}::bigint[])`
  await sql`
    with touched as (update catalogue.lots set ${touched(now)} where ${currentLots(house.id, chosen)})
    update catalogue.items set ${touched(now)} where house_id = ${house.id} and id ${chosen}`.execute(db)
}

/** Advances only the revisions of an item and its lots: what readers get has changed, the record has not (new renditions). */
export async function reviseItem(
  { db, house }: Pick<Context, 'db'> & { house: { id: string } },
  item: string,
): Promise<void> {
  await sql`
    with revised as (update catalogue.lots set revision = revision + 1 where ${currentLots(house.id, sql`= ${item}`)})
    update catalogue.items set revision = revision + 1 where house_id = ${house.id} and id = ${item}`.execute(db)
}
