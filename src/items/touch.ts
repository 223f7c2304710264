import { isDeepStrictEqual } from 'node:util'
import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { markChanged, touched } from '../writes/touch.ts'
import { sendAhead } from '../db/pipeline.ts'
import { noteNewItem, noteRelinking, noteUpdate } from './journal.ts'
import { changeLinks, changeTranslations, insertTranslations, textColumns, translationsOf } from './link-statements.ts'
import type { Found, Relinked } from './relations.ts'
import type { ItemBody } from './schema.ts'
import type { ItemState } from './state.ts'
import type { LockedItem } from './statements.ts'
import { textNames } from './texts.ts'

/** Locks items by their internal ids, in the order of the ids. */
export async function lockItems({ db, house }: Scope, items: string[]): Promise<void> {
  await sql`
    select id from catalogue.items where house_id = ${house.id} and id = any(${items}::bigint[])
    order by id for update`.execute(db)
}

function columnsOf({ external_reference, archived, texts, bounds, relations }: ItemState) {
  return {
    external_reference,
    archived,
    ...texts.flat,
    estimate_low: bounds.low?.toString() ?? null,
    estimate_high: bounds.high?.toString() ?? null,
    seller_id: relations.seller,
    delivery_class_id: relations.delivery_class,
    consignment_id: relations.consignment,
  }
}

// Only in the transaction that has inserted it.
const insertedId = sql`currval('catalogue.items_id_seq')`

/**
 * Inserts an item with its texts and links, and notes its fields for the journal. `found`: the records that its body
 * names.
 */
export async function insertItem(
  tx: Context,
  uuid: string,
  item: ItemState,
  { body, found }: { body: ItemBody; found: Found },
): Promise<void> {
  const { db, house, now } = tx
  const row = columnsOf(item)
  await sendAhead(
    db,
    sql`
    insert into catalogue.items (house_id, public_id, external_reference, ${textColumns}, estimate_low, estimate_high,
      seller_id, delivery_class_id, consignment_id, created_at, updated_at)
    values (${house.id}, ${uuid}, ${row.external_reference}, ${sql.join(textNames.map((name) => row[name]))},
      ${row.estimate_low}, ${row.estimate_high}, ${row.seller_id}, ${row.delivery_class_id}, ${row.consignment_id},
      ${now}, ${now})`,
  )
  await sendAhead(db, insertTranslations(house.id, insertedId, translationsOf(item)))
  const { categories, makers } = item.relations
  if (categories.length > 0) {
    await sendAhead(
      db,
      sql`
      insert into catalogue.item_categories (house_id, item_id, category_id)
      select ${house.id}, ${insertedId}, c.id from unnest(${categories}::bigint[]) with ordinality c (id, place)
      order by c.place`,
    )
  }
  if (makers.length > 0) {
    await sendAhead(
      db,
      sql`
      insert into catalogue.item_makers (house_id, item_id, maker_id, position)
      select ${house.id}, ${insertedId}, m.id, m.place - 1 from unnest(${makers}::bigint[]) with ordinality m (id, place)`,
    )
  }
  await markChanged({ db, house }, 'item', insertedId)
  noteNewItem(tx, uuid, body, found, item)
}

// Lots are locked in the order of their ids, as every other writer of several lots does.
function currentLots(house: string, items: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`house_id = ${house} and id in (
    select id from catalogue.lots where house_id = ${house} and item_id ${items} and not archived order by id for update)`
}

// The parts of a WITH clause.
const withOthers = (lots: RawBuilder<unknown>, others: RawBuilder<unknown>[]) =>
  sql.join([lots, ...others].map((part, index) => sql`${sql.ref(`part_${index}`)} as (${part})`))

/**
 * Changes a locked item to the wanted state, advances the timestamps and revisions of the item and of its current lots
 * (section 4.4), and notes for the journal what differs. Writes nothing if nothing differs.
 */
export async function touchItem(tx: Context, { id, uuid, state }: LockedItem, wanted: ItemState): Promise<void> {
  if (isDeepStrictEqual(wanted, state)) return
  const { db, house, now } = tx
  const links = [
    changeTranslations(house.id, id, state, wanted),
    ...changeLinks(house.id, [{ id, stored: state.relations, wanted: wanted.relations }]),
  ]
  // Citus takes no INSERT in a WITH clause. Deletes and updates share one statement, and need no round trip of their
  // own.
  for (const { insert } of links) if (insert !== undefined) await sendAhead(db, insert)
  const lots = sql`update catalogue.lots set ${touched(now)} where ${currentLots(house.id, sql`= ${id}`)}`
  const assignments = Object.entries(columnsOf(wanted)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await sendAhead(
    db,
    sql`
    with ${withOthers(
      lots,
      links.flatMap(({ others }) => others),
    )}
    update catalogue.items set ${sql.join([...assignments, touched(now)])}
    where house_id = ${house.id} and id = ${id}`,
  )
  await markChanged({ db, house }, 'item', [id])
  await noteUpdate(tx, uuid, state, wanted)
}

/**
 * Changes the categories, makers and delivery classes of locked items, each of which differs, and touches the items and
 * their lots as `touchItem` does.
 */
export async function touchRelations(tx: Context, items: readonly Relinked[]): Promise<void> {
  const { db, house } = tx
  const changes = changeLinks(house.id, items)
  for (const { insert } of changes) if (insert !== undefined) await sendAhead(db, insert)
  const moved = items.filter(({ stored, wanted }) => stored.delivery_class !== wanted.delivery_class)
  if (moved.length > 0)
    await sendAhead(
      db,
      sql`
      update catalogue.items i set delivery_class_id = w.delivery_class
      from unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ wanted }) => wanted.delivery_class)}::bigint[])
        w (id, delivery_class)
      where i.house_id = ${house.id} and i.id = w.id`,
    )
  await touchItems(
    tx,
    items.map(({ id }) => id),
    changes.flatMap(({ others }) => others),
  )
  await noteRelinking(tx, items)
}

/**
 * Advances items whose galleries or links have changed, and their current lots. The journal has the rows of what has
 * changed. The caller holds the locks of the items.
 */
export async function touchItems(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  items: string[],
  others: RawBuilder<unknown>[] = [],
): Promise<void> {
  const chosen = sql`= any(${items}::bigint[])`
  await sendAhead(
    db,
    sql`
    with ${withOthers(sql`update catalogue.lots set ${touched(now)} where ${currentLots(house.id, chosen)}`, others)}
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
