import { isDeepStrictEqual } from 'node:util'
import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope, House } from '../context.ts'
import { markChanged, touched } from '../writes/touch.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Relinked, RelatedIds, Relations } from './relations.ts'
import type { ItemState } from './state.ts'
import { type LockedItem, columnsOf, findRelatedIds, changeTranslations, changeLinks } from './statements.ts'
import { textNames } from './texts.ts'
import type { RecordKind } from '../kinds.ts'
import { type Values, noteChange } from '../writes/journal.ts'

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

/** The fields of an item in the journal. A text of another locale is a field such as `translations.en.title`. */
export function listValues(
  { external_reference, texts, bounds }: ItemState,
  { currency, defaultLocale }: House,
): Values {
  const values: Record<string, unknown> = { external_reference, ...texts.flat }
  for (const [locale, translated] of Object.entries(texts.translations))
    if (locale !== defaultLocale)
      for (const name of textNames) values[`translations.${locale}.${name}`] = translated[name]
  for (const bound of ['low', 'high'] as const)
    values[`estimate.${bound}`] = bounds[bound] === null ? null : { amount: bounds[bound], currency }
  return values
}

/** The relations of an item in the journal: printed ids; null for none. */
export function listRelations({ seller, consignment, delivery_class, ...many }: Relations, ids: RelatedIds): Values {
  const find = (kind: RecordKind, id: string | null) => (id === null ? null : (ids.get(`${kind} ${id}`) ?? null))
  const list = (kind: RecordKind, internal: string[]) =>
    internal.length === 0 ? null : internal.map((id) => find(kind, id))
  return {
    seller: find('seller', seller),
    consignment: find('consignment', consignment),
    delivery_class: find('delivery_class', delivery_class),
    categories: list('category', many.categories),
    makers: list('maker', many.makers),
  }
}

/** Notes the links of items that differ. The row of many items has no record of its own. */
async function noteRelinking(tx: Context, changed: readonly Relinked[]): Promise<void> {
  const states = changed.flatMap(({ stored, wanted }) => [stored, wanted])
  const ids = await findRelatedIds(tx, states)
  for (const { uuid, stored, wanted } of changed)
    noteChange(tx, { kind: 'item', uuid }, listRelations(stored, ids), listRelations(wanted, ids), { about: null })
}

/** Notes the fields of an item that differ between two states. */
async function noteUpdate(tx: Context, uuid: string, stored: ItemState, wanted: ItemState): Promise<void> {
  const isRelated = !isDeepStrictEqual(stored.relations, wanted.relations)
  const ids = isRelated ? await findRelatedIds(tx, [stored.relations, wanted.relations]) : new Map<string, string>()
  const list = (state: ItemState) => ({
    archived: state.archived,
    ...listValues(state, tx.house),
    ...(isRelated && listRelations(state.relations, ids)),
  })
  noteChange(tx, { kind: 'item', uuid }, list(stored), list(wanted))
}
