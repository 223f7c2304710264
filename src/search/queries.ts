import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { greatestLow, keyOf, lastNumber } from '../changes/statements.ts'
import { searchedTexts, textNames } from '../items/texts.ts'
import { followedKinds, kinds } from '../kinds.ts'
import { lastUuid } from '../values/ids.ts'
import { filtersByOwner, type Filters, type Owners } from './filters.ts'
import type { Rows } from './index/rows.ts'

/** The kinds of record that an index follows, each after those that its rows refer to. */
export const indexedKinds = ['auction', 'session', 'category', 'maker', 'item', 'lot'] as const satisfies (keyof Rows)[]

type Indexed = (typeof indexedKinds)[number]

/** The last place of each kind in the feed of changes that an index has followed. */
export type Places = Record<Indexed, string>

type Searched = Pick<Context, 'db'> & { house: Pick<Context['house'], 'id' | 'defaultLocale'> }

/** The most records that a search reads before it answers. */
export const mostWaiting = 2_000

// An infinite time is a defect: it counts as none.
const microseconds = (time: string) =>
  sql.raw(`case when isfinite(${time}) then (extract(epoch from ${time}) * 1000000)::bigint end`)
const listTexts = (table: string, names: readonly string[]) =>
  sql.raw(names.map((name) => `${table}.${name}`).join(', '))
const textsIn = (table: string, locale: RawBuilder<unknown>) =>
  sql`json_build_array(${locale}, num_nonnulls(${listTexts(table, textNames)}) > 0, ${listTexts(table, searchedTexts)})`

// A row of each kind as an array; see index/rows.ts.
const rowOf: Record<Indexed, (house: Searched['house']) => RawBuilder<unknown>> = {
  auction: () => sql`r.id::text, r.public_id, r.published`,
  session: () => sql`r.id::text, r.public_id, r.auction_id::text, r.kind = 'live', ${microseconds('r.live_closes_at')},
      r.published and not r.hidden, r.finished, r.titles`,
  category: () => sql`r.id::text, r.public_id, r.parent_id::text, r.archived, r.names`,
  maker: () => sql`r.id::text, r.public_id, r.archived, r.name`,
  item: ({ id, defaultLocale }) => sql`r.id::text, r.public_id, ${microseconds('r.created_at')}, r.archived,
      r.estimate_low, r.estimate_high, r.seller_id::text, r.consignment_id::text,
      exists (select from catalogue.images p where p.house_id = ${id} and p.item_id = r.id and p.public),
      r.external_reference,
      (select json_agg(texts) from (
        select ${textsIn('r', sql`${defaultLocale}::text`)} as texts
        union all select ${textsIn('t', sql`t.locale`)}
          from catalogue.item_translations t where t.house_id = ${id} and t.item_id = r.id) each),
      (select json_agg(m.maker_id::text) from catalogue.item_makers m where m.house_id = ${id} and m.item_id = r.id),
      (select json_agg(c.category_id::text) from catalogue.item_categories c where c.house_id = ${id} and c.item_id = r.id)`,
  lot: () => sql`r.id::text, r.public_id, ${microseconds('r.created_at')}, r.archived, r.session_id::text, r.item_id::text,
      r.lot_number, coalesce(r.active, false), r.held, r.result_state, r.current_bid, ${microseconds('r.closes_at')}`,
}

const rowsOf = (kind: Indexed, house: Searched['house'], condition: RawBuilder<unknown>) =>
  sql`(select json_agg(json_build_array(${rowOf[kind](house)})) from ${sql.table(`catalogue.${kinds[kind].plural}`)} r
      where r.house_id = ${house.id} and ${condition})`

const among = (ids: RawBuilder<unknown>, column = 'r.id') => sql`${sql.raw(column)} = any(array(${ids}))`

// The next changes of a kind after a place of the feed.
const changesAfter = (kind: Indexed, house: Searched['house'], place: RawBuilder<unknown>, limit: number) => sql`
      (select ${sql.lit(kinds[kind].number)}::int as kind, place, record & ${greatestLow} as id from catalogue.changes
       where house_id = ${house.id} and place > ${place} and place <= ${sql.lit(keyOf(kind, 0n))} + ${greatestLow}
       order by place limit ${sql.lit(limit)})`

/** What an index begins with: where the feed ends, and all records that are not many. */
export async function readBeginning({ db, house }: Searched): Promise<{ places: Places; rows: string }> {
  const few = (['auction', 'session', 'category', 'maker'] as const).map(
    (kind) => sql`${sql.lit(kind)}, ${rowsOf(kind, house, sql`true`)}`,
  )
  const { rows } = await sql<{ last: string; rows: string }>`
    select ${lastNumber(house, followedKinds)}::text as last, json_build_object(${sql.join(few)})::text as rows`.execute(
    db,
  )
  const { last, rows: text } = rows[0]!
  const places = indexedKinds.map((kind) => [kind, keyOf(kind, last).toString()])
  return { places: Object.fromEntries(places) as Places, rows: text }
}

/** The end of a page of items. `created`: in microseconds; null if it has none. */
export type PageEnd = { since: string; uuid: string; id: string; created: number | null }

/** The next items with their lots, those that were created last first. `end` is null on the last page. */
export async function readItems(
  { db, house }: Searched,
  archived: boolean,
  after: PageEnd | undefined,
  limit: number,
): Promise<{ end: PageEnd | null; rows: string }> {
  const since = sql`coalesce(i.created_at, '-infinity')`
  const uuid = sql`coalesce(i.public_id, ${sql.lit(lastUuid)})`
  const further = after
    ? sql`and (${since}, ${uuid}, i.id) < (${after.since}::timestamptz, ${after.uuid}::uuid, ${after.id}::bigint)`
    : sql``
  const page = sql`select id from page`
  const { rows } = await sql<{ end: PageEnd | null; rows: string }>`
    with ahead as materialized (
      select i.id, ${since} as since, ${uuid} as uuid from catalogue.items i
      where i.house_id = ${house.id} and ${archived ? sql`` : sql`not`} i.archived ${further}
      order by ${since} desc, ${uuid} desc, i.id desc limit ${sql.lit(limit + 1)}),
    page as materialized (select * from ahead order by since desc, uuid desc, id desc limit ${sql.lit(limit)})
    select case when (select count(*) from ahead) > ${sql.lit(limit)} then
        (select json_build_object('since', since::text, 'uuid', uuid, 'id', id::text, 'created', ${microseconds('least(since, now())')}) from page order by since, uuid, id limit 1) end as end,
      json_build_object('item', ${rowsOf('item', house, among(page))},
        'lot', ${rowsOf('lot', house, sql`not r.archived and ${among(page, 'r.item_id')}`)})::text as rows`.execute(db)
  return rows[0]!
}

/** Items with their lots. */
export async function readLotless({ db, house }: Searched, items: readonly string[]): Promise<string> {
  const ids = sql`${items}::bigint[]`
  const { rows } = await sql<{ rows: string }>`
    select json_build_object('item', ${rowsOf('item', house, sql`r.id = any(${ids})`)},
      'lot', ${rowsOf('lot', house, sql`r.item_id = any(${ids})`)})::text as rows`.execute(db)
  return rows[0]!.rows
}

/** What waits for an index: `rows` is null if nothing does, or too much. `marks`: changes without a place in the feed. */
export type Waiting = { marks: number; records: number; places: Partial<Places> | null; rows: string | null }

/** What has changed after places of the feed, whether or not it has a place yet, in one snapshot. */
export async function readWaiting({ db, house }: Searched, places: Places): Promise<Waiting> {
  const changed = indexedKinds.map((kind) => changesAfter(kind, house, sql`${places[kind]}::bigint`, mostWaiting + 1))
  const numbered = indexedKinds.map((kind) => sql`when ${sql.lit(kinds[kind].number)} then ${sql.lit(kind)}`)
  const all = indexedKinds.map(
    (kind) =>
      sql`${sql.lit(kind)}, ${rowsOf(kind, house, among(sql`select id from waiting where kind = ${sql.lit(kinds[kind].number)}`))}`,
  )
  const { rows } = await sql<Waiting>`
    with changed as materialized (${sql.join(changed, sql` union all `)}),
    marked as materialized (
      select kind, record_id as id from catalogue.change_marks where house_id = ${house.id} limit ${sql.lit(mostWaiting + 1)}),
    waiting as materialized (select kind, id from changed union select kind, id from marked)
    select (select count(*)::int from marked) as marks, (select count(*)::int from waiting) as records,
      (select json_object_agg(case kind ${sql.join(numbered, sql` `)} end, place::text) from (
        select kind, max(place) as place from changed group by kind) last) as places,
      case when (select count(*) from waiting) between 1 and ${sql.lit(mostWaiting)}
        then json_build_object(${sql.join(all)})::text end as rows`.execute(db)
  return rows[0]!
}

/** The next records of a kind that have changed after a place of the feed, and the last place among them. */
export async function readChanges(
  { db, house }: Searched,
  kind: Indexed,
  place: string,
): Promise<{ last: string | null; rows: string }> {
  const { rows } = await sql<{ last: string | null; rows: string }>`
    with changed as materialized (${changesAfter(kind, house, sql`${place}::bigint`, mostWaiting)})
    select (select max(place)::text from changed) as last,
      json_build_object(${sql.lit(kind)}, ${rowsOf(kind, house, among(sql`select id from changed`))})::text as rows`.execute(
    db,
  )
  return rows[0]!
}

/** The internal ids of the sellers and consignments that filters of staff name. */
export async function findOwners({ db, house }: Scope, filters: Filters): Promise<Owners> {
  const named = filtersByOwner.filter((kind) => filters[kind] !== undefined)
  if (named.length === 0) return {}
  const columns = named.map(
    (kind) => sql`(select id::text from ${sql.table(`catalogue.${kinds[kind].plural}`)}
      where house_id = ${house.id} and public_id = ${filters[kind]}::uuid) as ${sql.ref(kind)}`,
  )
  const { rows } = await sql<Record<string, string | null>>`select ${sql.join(columns)}`.execute(db)
  return Object.fromEntries(Object.entries(rows[0]!).filter(([, id]) => id !== null))
}
