import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { compileOnce } from '../db/compile.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { ItemState } from './state.ts'
import { columnsOf, textColumns, translationsOf } from './statements.ts'
import { hasText, textNames } from './texts.ts'

/** An item to insert. */
export type Insertion = { uuid: string; state: ItemState; now: Date }

const types = {
  public_id: 'uuid',
  external_reference: 'text',
  ...Object.fromEntries(textNames.map((name) => [name, 'text'])),
  estimate_low: 'bigint',
  estimate_high: 'bigint',
  seller_id: 'bigint',
  delivery_class_id: 'bigint',
  consignment_id: 'bigint',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
}
const columns = Object.keys(types)

/** The lists of a statement's `unnest`: one of each of these columns, of all rows. */
const listsOf = (rows: Record<string, unknown>[], names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)]))

const insertRows = compileOnce(
  (value) => sql`
    insert into catalogue.items (house_id, ${sql.raw(columns.join(', '))})
    select ${value('house')}::bigint, r.*
    from unnest(${sql.join(Object.entries(types).map(([name, type]) => sql`${value(name)}::${sql.raw(type)}[]`))}) r
    on conflict (house_id, external_reference) do nothing returning id, public_id as uuid`,
)

const insertTexts = compileOnce(
  (value) => sql`
    insert into catalogue.item_translations (house_id, item_id, locale, ${textColumns})
    select ${value('house')}::bigint, t.* from unnest(${value('item')}::bigint[], ${value('locale')}::text[],
      ${sql.join(textNames.map((name) => sql`${value(name)}::text[]`))}) t`,
)

const insertCategories = compileOnce(
  (value) => sql`
    insert into catalogue.item_categories (house_id, item_id, category_id)
    select ${value('house')}::bigint, item, target
    from unnest(${value('item')}::bigint[], ${value('target')}::bigint[]) with ordinality c (item, target, place) order by place`,
)

const insertMakers = compileOnce(
  (value) => sql`
    insert into catalogue.item_makers (house_id, item_id, maker_id, position)
    select ${value('house')}::bigint, m.*
    from unnest(${value('item')}::bigint[], ${value('target')}::bigint[], ${value('position')}::int[]) m`,
)

/**
 * Inserts items with their texts and links. Returns their internal ids by their UUIDs, without those whose reference is
 * taken: of these nothing is inserted. The items are sorted by reference, so that transactions wait in one order.
 */
export async function insertItems({ db, house }: Scope, items: Insertion[]): Promise<Map<string, string>> {
  const place = ({ state }: Insertion) => state.external_reference ?? ''
  const rows = items
    .toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
    .map(({ uuid, state, now }) => ({ ...columnsOf(state), public_id: uuid, created_at: now, updated_at: now }))
  const query = insertRows({ house: house.id, ...listsOf(rows, columns) }).compile()
  const inserted = await db.executeQuery<{ id: string; uuid: string }>(query)
  const ids = new Map(inserted.rows.map(({ id, uuid }) => [uuid, id]))
  const stored = items.flatMap(({ uuid, state }) => (ids.has(uuid) ? [{ item: ids.get(uuid)!, state }] : []))
  const insert = async (statement: ReturnType<typeof compileOnce>, all: Record<string, unknown>[], names: string[]) => {
    if (all.length > 0) await sendAhead(db, statement({ house: house.id, ...listsOf(all, names) }))
  }
  const texts = stored.flatMap(({ item, state }) =>
    translationsOf(state).flatMap(([locale, each]) => (hasText(each) ? [{ item, locale, ...each }] : [])),
  )
  await insert(insertTexts, texts, ['item', 'locale', ...textNames])
  const linksTo = (name: 'categories' | 'makers') =>
    stored.flatMap(({ item, state }) => state.relations[name].map((target, position) => ({ item, target, position })))
  await insert(insertCategories, linksTo('categories'), ['item', 'target'])
  await insert(insertMakers, linksTo('makers'), ['item', 'target', 'position'])
  return ids
}
