import { isDeepStrictEqual } from 'node:util'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import { kinds, type RecordKind } from '../kinds.ts'
import { idOf } from '../reads/documents.ts'
import { textsOf, listTexts } from './document.ts'
import type { Found, RelatedIds, Relations, Relinked } from './relations.ts'
import type { ItemState } from './state.ts'
import type { Locale } from '../values/locales.ts'
import { hasText, type Texts, textNames } from './texts.ts'

/** Whether an unarchived lot without a result offers the item. */
export async function isOffered({ db, house }: Scope, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from catalogue.lots
    where house_id = ${house.id} and item_id = ${id} and not archived and result_state is null limit 1`.execute(db)
  return rows.length > 0
}

const [flatTexts, translationTexts] = [textsOf('i'), textsOf('t')]

const categoriesOf = (house: Scope['house']) => sql`
        (select coalesce(json_agg(c.category_id::text order by c.id), '[]') from catalogue.item_categories c
          where c.house_id = ${house.id} and c.item_id = i.id)`
const makersOf = (house: Scope['house']) => sql`
        (select coalesce(json_agg(m.maker_id::text order by m.position, m.id), '[]') from catalogue.item_makers m
          where m.house_id = ${house.id} and m.item_id = i.id)`

/** A locked item. `revision` belongs to the locked row, `seen` to the row whose links were read. */
export type LockedItem = {
  id: string
  uuid: string
  revision: string
  seen: string
  state: ItemState
  unclear: boolean
}

/** Locks an item, archived or not, and reads its state in the same statement. */
export async function lockItemState({ db, house }: Scope, uuid: string): Promise<LockedItem | undefined> {
  const { rows } = await sql<LockedItem>`
    select i.id, i.public_id as uuid, i.revision, (select revision from catalogue.items seen where seen.house_id = ${house.id} and seen.id = i.id) as seen,
      links.unclear, json_build_object(
        'external_reference', i.external_reference, 'archived', i.archived,
        'bounds', json_build_object('low', i.estimate_low, 'high', i.estimate_high),
        'texts', json_build_object('flat', ${flatTexts}, 'translations', links.translations),
        'relations', json_build_object('seller', i.seller_id::text, 'delivery_class', i.delivery_class_id::text,
          'consignment', i.consignment_id::text, 'categories', links.categories, 'makers', links.makers)) as state
    from catalogue.items i cross join lateral (
      select count(*) <> count(distinct t.locale) as unclear,
        coalesce(json_object_agg(t.locale, ${translationTexts}) filter (where t.locale is not null), '{}') as translations,
        ${categoriesOf(house)} as categories, ${makersOf(house)} as makers
      from catalogue.item_translations t where t.house_id = ${house.id} and t.item_id = i.id
    ) links
    where i.house_id = ${house.id} and i.public_id = ${uuid} for update of i`.execute(db)
  return rows[0]
}

/**
 * Locks items that are not archived, in the order of their ids, then reads their relations in a second statement. `bytes`:
 * about as many as their texts have.
 */
export async function lockRelations({ db, house }: Scope, uuids: string[]) {
  const chosen = sql`i.house_id = ${house.id} and i.public_id = any(${uuids}::uuid[]) and not i.archived`
  await sendAhead(db, sql`select from catalogue.items i where ${chosen} order by i.id for update`)
  const { rows } = await sql<{ id: string; uuid: string; bytes: number; stored: Relations }>`
    select i.id, i.public_id as uuid, (octet_length(i::text) + (select coalesce(sum(octet_length(t::text)), 0)
      from catalogue.item_translations t where t.house_id = ${house.id} and t.item_id = i.id))::float8 as bytes,
      json_build_object('seller', i.seller_id::text, 'delivery_class', i.delivery_class_id::text,
      'consignment', i.consignment_id::text, 'categories', ${categoriesOf(house)}, 'makers', ${makersOf(house)}) as stored
    from catalogue.items i where ${chosen}`.execute(db)
  return rows
}

/** What to do about records that another transaction has locked: wait for them, or leave them out. */
export type Locking = 'wait' | 'skip'

const locking = (how: Locking) => (how === 'skip' ? sql`skip locked` : sql``)

type Consignment = NonNullable<Found['consignment']> & { public_id: string }

/** Locks the consignments with these public or internal ids against changes. */
export async function lockConsignments(
  { db, house }: Scope,
  column: 'public_id' | 'id',
  ids: string[],
  how: Locking,
): Promise<Consignment[]> {
  const { rows } = await sql<Consignment>`
    select public_id, id, archived, locked, seller_id as seller from catalogue.consignments
    where house_id = ${house.id} and ${sql.ref(column)} = any(${ids}::${sql.raw(column === 'id' ? 'bigint' : 'uuid')}[])
    for share ${locking(how)}`.execute(db)
  return rows
}

/** The UUIDs of the records that items will point to. `inherited` are internal ids of sellers. */
export type WantedLinks = Record<'sellers' | 'inherited' | 'delivery_classes' | 'categories' | 'makers', string[]>

type Seller = { id: string; public_id: string | null; archived: boolean }

/** Records by their UUIDs, `inherited` by internal ids; of those that cannot be archived sellers their internal ids. */
type Linked = Record<'sellers' | 'inherited', Record<string, Seller>> &
  Record<'delivery_classes' | 'categories' | 'makers', Record<string, string>>

/**
 * Finds and locks the records that items will point to. No other transaction can archive or delete them meanwhile.
 */
export async function lockLinked({ db, house }: Scope, wanted: WantedLinks, how: Locking = 'wait'): Promise<Linked> {
  const sellers = (column: 'public_id' | 'id', ids: RawBuilder<unknown>) => sql`
      (select coalesce(json_object_agg(${sql.ref(column)}, json_build_object('id', id::text, 'public_id', public_id, 'archived', archived)), '{}')
        from (select public_id, id, archived from catalogue.sellers
          where house_id = ${house.id} and ${sql.ref(column)} = any(${ids}) for share ${locking(how)}) s)`
  const others = (name: 'delivery_classes' | 'categories' | 'makers') => sql`
      (select coalesce(json_object_agg(public_id, id::text), '{}') from (
        select public_id, id from ${sql.table(`catalogue.${name}`)}
        where house_id = ${house.id} and public_id = any(${wanted[name]}::uuid[]) and not archived for key share ${locking(how)}) o)`
  const { rows } = await sql<Linked>`
    select ${sellers('public_id', sql`${wanted.sellers}::uuid[]`)} as sellers,
      ${sellers('id', sql`${wanted.inherited}::bigint[]`)} as inherited,
      ${others('delivery_classes')} as delivery_classes, ${others('categories')} as categories, ${others('makers')} as makers`.execute(
    db,
  )
  return rows[0]!
}

/** The public ids of the records that several states of an item point to. */
export async function findRelatedIds({ db, house }: Scope, states: readonly Relations[]): Promise<RelatedIds> {
  const related: [kind: RecordKind, ids: string[]][] = [
    ...(['seller', 'consignment', 'delivery_class'] as const).map((kind): [RecordKind, string[]] => [
      kind,
      states.flatMap((state) => state[kind] ?? []),
    ]),
    ['category', states.flatMap(({ categories }) => categories)],
    ['maker', states.flatMap(({ makers }) => makers)],
  ]
  const parts = related.map(
    ([kind, ids]) => sql`
    select ${sql.lit(`${kind} `)} || id as internal, ${idOf(kind, kinds[kind].plural)} as public
    from ${sql.table(`catalogue.${kinds[kind].plural}`)} where house_id = ${house.id} and id = any(${[...new Set(ids)]}::bigint[])`,
  )
  const { rows } = await sql<{ internal: string; public: string | null }>`${sql.join(parts, sql` union all `)}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.internal, row.public]))
}

/** The columns of an item's row that its state decides. */
export function columnsOf({ external_reference, archived, texts, bounds, relations }: ItemState) {
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

/** As `title, description, …`. */
export const textColumns = listTexts((name) => name)

// As `title = k.title, …`.
const newTexts = listTexts((name) => `${name} = k.${name}`)

/** The translations of an item, by their locales. */
export const translationsOf = ({ texts }: ItemState) => Object.entries(texts.translations) as [Locale, Texts][]

function unnestTranslations(translations: [Locale, Texts][]): RawBuilder<unknown> {
  const columns = textNames.map((name) => sql`${translations.map(([, texts]) => texts[name])}::text[]`)
  return sql`unnest(${translations.map(([locale]) => locale)}::text[], ${sql.join(columns)})`
}

// Inserts the translations that have a text.
function insertTranslations(house: string, item: string, translations: [Locale, Texts][]): RawBuilder<unknown> {
  return sql`
    insert into catalogue.item_translations (house_id, item_id, locale, ${textColumns})
    select ${house}, ${item}::bigint, t.* from ${unnestTranslations(translations.filter(([, texts]) => hasText(texts)))} t`
}

/** How the rows of a table that belong to an item change. `others` deletes and updates rows. */
type LinkChange = { insert?: RawBuilder<unknown>; others: RawBuilder<unknown>[] }

/** Changes the translations from the stored to the wanted ones. */
export function changeTranslations(house: string, item: string, stored: ItemState, wanted: ItemState): LinkChange {
  const before = stored.texts.translations
  const changed = translationsOf(wanted).filter(([locale, texts]) => !isDeepStrictEqual(texts, before[locale]))
  const [known, added] = [changed.filter(([locale]) => before[locale]), changed.filter(([locale]) => !before[locale])]
  const [kept, gone] = [known.filter(([, texts]) => hasText(texts)), known.filter(([, texts]) => !hasText(texts))]
  const others: RawBuilder<unknown>[] = []
  if (gone.length > 0)
    others.push(sql`
      delete from catalogue.item_translations
      where house_id = ${house} and item_id = ${item} and locale = any(${gone.map(([locale]) => locale)}::text[])`)
  if (kept.length > 0)
    others.push(sql`
      update catalogue.item_translations t set ${newTexts}
      from ${unnestTranslations(kept)} k (locale, ${textColumns})
      where t.house_id = ${house} and t.item_id = ${item} and t.locale = k.locale`)
  return added.some(([, texts]) => hasText(texts))
    ? { insert: insertTranslations(house, item, added), others }
    : { others }
}

// Whether the row repeats a link, as an older system may have stored it. The first row of a link stays.
const isRepeated = (house: string, table: string, target: string) => sql`exists (
  select from ${sql.table(`catalogue.${table}`)} first where first.house_id = ${house} and first.item_id = link.item_id
    and first.${sql.ref(target)} = link.${sql.ref(target)} and first.id < link.id)`

type Changed = Pick<Relinked, 'id' | 'stored' | 'wanted'>

type Link = { item: string; target: string; position: number }

const unnestLinks = (links: Link[]) => {
  const [items, targets] = [links.map(({ item }) => item), links.map(({ target }) => target)]
  return sql`unnest(${items}::bigint[], ${targets}::bigint[], ${links.map(({ position }) => position)}::int[])
    w (item, target, position)`
}

// Kept links keep their rows.
function changeTargets(
  house: string,
  changed: readonly Changed[],
  kind: { name: 'categories' | 'makers'; table: string; target: string; ordered: boolean },
): LinkChange {
  const { name, table, target, ordered } = kind
  const items = changed.filter(({ stored, wanted }) => !isDeepStrictEqual(wanted[name], stored[name]))
  if (items.length === 0) return { others: [] }
  const wanted = items.flatMap(({ id, stored, wanted }) =>
    wanted[name].map((each, position) => ({ item: id, target: each, position, isNew: !stored[name].includes(each) })),
  )
  const added = wanted.filter(({ isNew }) => isNew)
  const [links, column] = [sql.table(`catalogue.${table}`), sql.ref(target)]
  const repeated = isRepeated(house, table, target)
  const others = [
    sql`
      delete from ${links} link where house_id = ${house} and item_id = any(${items.map(({ id }) => id)}::bigint[])
        and (${repeated} or not exists (
          select from ${unnestLinks(wanted)} where w.item = link.item_id and w.target = link.${column}))`,
  ]
  if (ordered)
    others.push(sql`
      update ${links} link set position = w.position from ${unnestLinks(wanted)}
      where link.house_id = ${house} and link.item_id = w.item and link.${column} = w.target and not ${repeated}`)
  if (added.length === 0) return { others }
  const position = ordered ? { column: sql`, position`, value: sql`, w.position` } : { column: sql``, value: sql`` }
  const insert = sql`
    insert into ${links} (house_id, item_id, ${column}${position.column})
    select ${house}, w.item, w.target${position.value} from ${unnestLinks(added)}`
  return { insert, others }
}

/** Changes the links of items to categories, and to makers in their order. */
export const changeLinks = (house: string, changed: readonly Changed[]): LinkChange[] => [
  changeTargets(house, changed, {
    name: 'categories',
    table: 'item_categories',
    target: 'category_id',
    ordered: false,
  }),
  changeTargets(house, changed, { name: 'makers', table: 'item_makers', target: 'maker_id', ordered: true }),
]
