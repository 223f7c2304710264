import { sql, type RawBuilder } from 'kysely'
import type { Context, House, Scope } from '../context.ts'
import { kinds } from '../kinds.ts'
import { idOf } from '../reads/documents.ts'
import { mostLevels } from '../values/bounds.ts'
import { markChanged } from '../writes/touch.ts'
import { keys, links, type State } from './made.ts'
import type { MadeKind, Step } from './schema.ts'

/** Whether the house has an increment strategy of this name. */
export async function hasStrategy({ db, house }: Pick<Context, 'db' | 'house'>, name: string): Promise<boolean> {
  const strategy = await db
    .selectFrom('catalogue.increment_strategies')
    .select('id')
    .where('house_id', '=', house.id)
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst()
  return strategy !== undefined
}

/** Adds an increment strategy with its steps, at least one. */
export async function insertStrategy(
  { db, house, now }: Pick<Context, 'db' | 'house' | 'now'>,
  { steps, ...columns }: { public_id: string; name: string; steps: readonly Step[] },
): Promise<void> {
  const { id } = await db
    .insertInto('catalogue.increment_strategies')
    .values({ ...columns, house_id: house.id, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = steps.map(({ from, increment }) => ({
    house_id: house.id,
    increment_strategy_id: id,
    from_amount: from.toString(),
    increment_amount: increment.toString(),
  }))
  await db.insertInto('catalogue.increment_steps').values(rows).execute()
  await markChanged({ db, house }, 'increment_strategy', [id])
}

const tableOf = (kind: MadeKind) => sql.table(`catalogue.${kinds[kind].plural}`)
const keyOf = (kind: MadeKind) => sql.ref(keys[kind])

// The fields of a record `x` as in a body.
const states: Record<MadeKind, (house: Pick<House, 'id'>) => RawBuilder<unknown>> = {
  seller: () => sql`'seller_number', x.seller_number, 'profile_name', x.profile_name, 'account_name', x.account_name`,
  category: (house) => sql`'slug', x.slug, 'names', x.names, 'parent', (
        select ${idOf('category', 'parent')} from catalogue.categories parent
        where parent.house_id = ${house.id} and parent.id = x.parent_id)`,
  maker: () => sql`'name', x.name, 'active', x.active`,
  delivery_class: () => sql`'name', x.name, 'instructions', x.instructions`,
  consignment: (house) => sql`'number', x.number, 'locked', x.locked,
      'commission_percentage', trim_scale(x.commission_percentage)::text, 'private_notes', x.private_notes, 'seller', (
        select ${idOf('seller', 'seller')} from catalogue.sellers seller
        where seller.house_id = ${house.id} and seller.id = x.seller_id)`,
}

/** Locks a record, archived or not, and reads its state. */
export async function lockReference({ db, house }: Scope, kind: MadeKind, uuid: string) {
  const { rows } = await sql<{ id: string; archived: boolean; state: State }>`
    select x.id, x.archived, json_build_object(${states[kind](house)}) as state from ${tableOf(kind)} x
    where x.house_id = ${house.id} and x.public_id = ${uuid} for update of x`.execute(db)
  return rows[0]
}

/** Locks records to which others will point, by their UUIDs. No other transaction can archive them meanwhile. */
export async function lockTargets({ db, house }: Scope, kind: MadeKind, uuids: string[]) {
  const { rows } = await sql<{ id: string; uuid: string; archived: boolean }>`
    select id, public_id as uuid, archived from ${tableOf(kind)}
    where house_id = ${house.id} and public_id = any(${uuids}::uuid[]) order by id for share`.execute(db)
  return new Map(rows.map((row) => [row.uuid, row]))
}

/** The keys among these that unarchived records of the kind have. */
export async function findTaken({ db, house }: Scope, kind: MadeKind, wanted: unknown[]): Promise<Set<unknown>> {
  const type = kind === 'seller' ? sql`int[]` : sql`text[]`
  const { rows } = await sql<{ key: unknown }>`
    select ${keyOf(kind)} as key from ${tableOf(kind)}
    where house_id = ${house.id} and ${keyOf(kind)} = any(${wanted}::${type}) and not archived`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** The highest number of a house's sellers, archived ones too; 0 if none is positive. */
export async function findHighestNumber({ db, house }: Scope): Promise<number> {
  const { rows } = await sql<{ highest: number }>`
    select greatest(max(seller_number), 0) as highest from catalogue.sellers where house_id = ${house.id}`.execute(db)
  return rows[0]!.highest
}

/** The slugs of a house's categories, and their names in its locale. */
export async function listCategories({ db, house }: Pick<Context, 'db' | 'house'>) {
  const { rows } = await sql<{ slug: string | null; name: string | null }>`
    select slug, names ->> ${house.defaultLocale} as name from catalogue.categories
    where house_id = ${house.id} and not archived`.execute(db)
  return rows
}

/** The columns of a state. `target`: the internal id of the record to which it points. */
export function columnsOf(kind: MadeKind, state: State, target: string | null): Record<string, unknown> {
  const link = links[kind]
  return Object.fromEntries(
    Object.entries(state).map(([field, value]) => {
      if (field === link?.field) return [link.column, target]
      return [field, field === 'names' ? JSON.stringify(value) : value]
    }),
  )
}

// A statement has at most 65,535 parameters, and a record has ten.
const mostRows = 5_000

/** Inserts records with the same columns each, and marks them as changed. */
export async function insertReferences(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  kind: MadeKind,
  rows: ({ id: string; public_id: string } & Record<string, unknown>)[],
): Promise<void> {
  const table = db.insertInto(`catalogue.${kinds[kind].plural}` as 'catalogue.makers')
  for (let start = 0; start < rows.length; start += mostRows) {
    const values = rows
      .slice(start, start + mostRows)
      .map((row) => ({ ...row, house_id: house.id, created_at: now, updated_at: now }))
    await table.values(values).execute()
  }
  await markChanged(
    { db, house },
    kind,
    rows.map(({ id }) => id),
  )
}

// Items count even if they are archived, because they still show their links.
const uses: Partial<Record<MadeKind, (house: string, id: string) => RawBuilder<unknown>>> = {
  category: (
    house,
    id,
  ) => sql`exists (select from catalogue.item_categories where house_id = ${house} and category_id = ${id})
      or exists (select from catalogue.categories where house_id = ${house} and parent_id = ${id} and not archived)`,
  maker: (house, id) => sql`exists (select from catalogue.item_makers where house_id = ${house} and maker_id = ${id})`,
  delivery_class: (house, id) =>
    sql`exists (select from catalogue.items where house_id = ${house} and delivery_class_id = ${id})`,
}

/** Whether an item, archived or not, or a child category names the record. */
export async function isUsed({ db, house }: Scope, kind: MadeKind, id: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select ${uses[kind]!(house.id, id)} as used`.execute(db)
  return rows[0]!.used
}

/** Whether a category is another one, or stands somewhere below it. */
export async function isWithin({ db, house }: Scope, category: string, other: string): Promise<boolean> {
  const { rows } = await sql<{ within: boolean }>`
    with recursive above (id) as (
      select ${category}::bigint
      union
      select c.parent_id from above join catalogue.categories c on c.house_id = ${house.id} and c.id = above.id
      where c.parent_id is not null)
    select exists (select from above where id = ${other}) as within`.execute(db)
  return rows[0]!.within
}

/**
 * The levels of categories, by their internal ids: 1 is one without a parent. Of a tree that is too deep, a level beyond
 * the bound is not exact.
 */
export async function findLevels({ db, house }: Scope, categories: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; level: number }>`
    with recursive above (id, parent, level) as (
      select id, parent_id, 1 from catalogue.categories where house_id = ${house.id} and id = any(${categories}::bigint[])
      union all
      select above.id, c.parent_id, above.level + 1 from above
        join catalogue.categories c on c.house_id = ${house.id} and c.id = above.parent
        where above.level <= ${mostLevels}::int)
    select id, max(level) as level from above group by id`.execute(db)
  return new Map(rows.map(({ id, level }) => [id, level]))
}

/** How many levels a category has with those below it. Of a tree that is too deep, one more than the bound. */
export async function findHeight({ db, house }: Scope, category: string): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    with recursive below (id, level) as (
      select ${category}::bigint, 1
      union all
      select c.id, below.level + 1 from below
        join catalogue.categories c on c.house_id = ${house.id} and c.parent_id = below.id and not c.archived
        where below.level <= ${mostLevels}::int)
    select max(level) as height from below`.execute(db)
  return rows[0]!.height
}

/** Whether a consignment has an item, archived or not, of another seller than this one. */
export async function hasItemsOfOthers({ db, house }: Scope, consignment: string, seller: string | null) {
  const { rows } = await sql`
    select from catalogue.items
    where house_id = ${house.id} and consignment_id = ${consignment} and seller_id is distinct from ${seller} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
