import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { imagesAmong } from '../images/queries.ts'
import { followedKinds, kinds, type Followed } from '../kinds.ts'
import { idOf, timeOf } from '../reads/documents.ts'
import type { Database } from '../db/pool.ts'
import { documentsOf, isReadable, versionedTable, versionOf } from './document.ts'

// The bits of the two bigints in catalogue.changes (the migration says why they are not four columns):
//   record   0 | number of the kind: 4 bits | internal id: 59 bits
//   place    0 | number of the kind: 4 bits | number in the feed: 59 bits
export const lowBits = 59n
export const keyOf = (kind: Followed, low: string | bigint) => (BigInt(kinds[kind].number) << lowBits) + BigInt(low)
const lowOf = (key: string) => BigInt.asUintN(Number(lowBits), BigInt(key)).toString()
export const greatestLow = sql.raw(`${(1n << lowBits) - 1n}`)
const kindOf = (key: string) => Number(BigInt(key) >> lowBits)

/** A record by its kind's number and its internal id. */
type Marked = { kind: number; record_id: string }

/** Takes the oldest marks of a house, at most `limit`. */
export async function takeMarks({ db, house }: Scope, limit: number): Promise<Marked[]> {
  const { rows } = await sql<Marked>`
    delete from catalogue.change_marks where house_id = ${house.id} and id = any(array(
      select id from catalogue.change_marks where house_id = ${house.id} order by id limit ${sql.lit(limit)}))
    returning kind, record_id`.execute(db)
  return rows
}

/** The lots of items. */
export async function findLotsOf({ db, house }: Scope, items: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from catalogue.lots where house_id = ${house.id} and item_id = any(${items}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** The auctions of sessions. */
export async function findAuctionsOf({ db, house }: Scope, sessions: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct auction_id as id from catalogue.sessions
    where house_id = ${house.id} and id = any(${sessions}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * A record and its version; null if it cannot be read. For an image also what its place keeps: its public id and its
 * item.
 */
export type Versioned = { id: string; version: string | null; public_id?: string | null; item_id?: string }

const versionIn = (kind: Followed, house: Scope['house']) =>
  sql`case when ${isReadable(kind, 'r')} then ${versionOf(kind, house, 'r')} end`

/** The versions of the records of a kind with these ids. */
export async function findVersions({ db, house }: Scope, kind: Followed, ids: string[]): Promise<Versioned[]> {
  const { rows } = await sql<Versioned>`
    select r.id, ${versionIn(kind, house)} as version from ${sql.table(`catalogue.${kinds[kind].plural}`)} r
    where r.house_id = ${house.id} and r.id = any(${ids}::bigint[]) order by r.id`.execute(db)
  return rows
}

/** The items of images, present and deleted ones, and the images that are deleted. */
export async function findItemsOf(
  { db, house }: Scope,
  images: string[],
): Promise<{ items: string[]; gone: string[] }> {
  const { rows } = await sql<{ id: string; item: string | null; gone: boolean }>`
    select marked.id, coalesce(image.item_id, c.item_id) as item, image.id is null as gone
    from unnest(${images}::bigint[]) marked (id)
    left join catalogue.images image on image.house_id = ${house.id} and image.id = marked.id
    left join catalogue.changes c on c.house_id = ${house.id} and c.record = ${keyOf('image', 0n)}::bigint + marked.id`.execute(
    db,
  )
  return {
    items: rows.flatMap(({ item }) => item ?? []),
    gone: rows.flatMap(({ id, gone }) => (gone ? [id] : [])),
  }
}

/** The images of items that have another version than their places in the feed. */
export async function findImagesOf({ db, house }: Scope, items: string[]): Promise<Versioned[]> {
  const { rows } = await sql<Versioned>`
    select r.id, r.public_id, r.item_id, ${versionIn('image', house)} as version
    from ${versionedTable('image', house, sql`item.id = any(${items}::bigint[])`)} r
    left join catalogue.changes c on c.house_id = ${house.id} and c.record = ${keyOf('image', 0n)}::bigint + r.id
    where c.version is distinct from ${versionIn('image', house)} order by r.id`.execute(db)
  return rows
}

/** Some images that are deleted and have a version in the feed. */
export async function findUnmarkedDeletions({ db, house }: Scope, limit: number): Promise<string[]> {
  const least = keyOf('image', 0n)
  const { rows } = await sql<{ id: string }>`
    select c.record - ${least}::bigint as id from catalogue.changes c
    where c.house_id = ${house.id} and c.record > ${least} and c.record <= ${least}::bigint + ${greatestLow}
      and c.version is not null and not exists (
        select from catalogue.images image where image.house_id = ${house.id} and image.id = c.record - ${least}::bigint)
    limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Some records of a kind that have another version than their place in the feed. Excludes unreadable records without a
 * place.
 */
export async function findUnmarked({ db, house }: Scope, kind: Followed, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from ${versionedTable(kind, house)} r
    left join catalogue.changes c on c.house_id = ${house.id} and c.record = ${keyOf(kind, 0n)}::bigint + r.id
    where r.house_id = ${house.id} and c.version is distinct from ${versionIn(kind, house)} limit ${sql.lit(limit)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Gathers the planner's statistics of all feeds, which also discards plans made for short ones. */
export async function analyzeChanges(db: Database): Promise<void> {
  await sql`analyze catalogue.changes`.execute(db)
}

const lastPlaces = (house: Scope['house'], of: readonly Followed[]) => sql`
  select last.place from unnest(${of.map((kind) => keyOf(kind, 0n))}::bigint[]) each (least)
  cross join lateral (
    select c.place from catalogue.changes c
    where c.house_id = ${house.id} and c.place > each.least and c.place <= each.least + ${greatestLow}
    order by c.place desc limit 1) last`

export const lastNumber = (house: Scope['house'], of: readonly Followed[]): RawBuilder<string> =>
  sql`(select coalesce(max(place & ${greatestLow}), 0) from (${lastPlaces(house, of)}) latest)`

/** The highest number that the feed of a house has given. */
export async function findLastNumber({ db, house }: Scope): Promise<bigint> {
  const { rows } = await sql<{ last: string }>`select ${lastNumber(house, followedKinds)}::text as last`.execute(db)
  return BigInt(rows[0]!.last)
}

/** A record with the number that it gets if its version differs from that of its place. */
export type Numbered = Versioned & { kind: Followed; number: bigint }

// ON CONFLICT finds the places by their key, even if the planner's statistics still show an empty table.

/** Gives readable records their latest places in the feed. A record with the same version keeps its place. */
export async function writeNumbers({ db, house }: Scope, records: readonly Numbered[]): Promise<void> {
  if (records.length === 0) return
  const { keys, places } = columnsOf(records)
  await sql`
    insert into catalogue.changes (house_id, record, place, version, public_id, item_id)
    select ${house.id}, new.* from unnest(${keys}::bigint[], ${places}::bigint[],
      ${records.map(({ version }) => version)}::text[],
      ${records.map(({ public_id = null }) => public_id)}::uuid[],
      ${records.map(({ item_id = null }) => item_id)}::bigint[]) new
    on conflict (house_id, record) do update
    set place = excluded.place, version = excluded.version, public_id = excluded.public_id, item_id = excluded.item_id
    where changes.version is distinct from excluded.version`.execute(db)
}

/**
 * Moves records that can no longer be read to new places of the feed, without a version. Records without a place get
 * none.
 */
export async function writeDeletions({ db, house }: Scope, records: readonly Numbered[]): Promise<void> {
  if (records.length === 0) return
  const { keys, places } = columnsOf(records)
  await sql`
    update catalogue.changes c set place = new.place, version = null
    from unnest(${keys}::bigint[], ${places}::bigint[]) new (record, place)
    where c.house_id = ${house.id} and c.record = new.record and c.version is not null`.execute(db)
}

const columnsOf = (records: readonly Numbered[]) => ({
  keys: records.map(({ kind, id }) => keyOf(kind, id)),
  places: records.map(({ kind, number }) => keyOf(kind, number)),
})

/** A place in the feed, with the kind's number, the record's internal id and its version there; null if it was deleted. */
export type Place = { number: string; kind: number; id: string; version: string | null }

/** Places of a feed in their order. `isBehind`: at the same moment, some marks had no place yet. */
type Places = { places: Place[]; isBehind: boolean }

/** Where a reader of the feed is: the number of its last place, and that of its last image's place. */
export type FeedPosition = { number: string; image: string }

/** The first places of some kinds after a position. Walks at most `limit` index entries of each kind. */
export async function findPlaces(
  { db, house }: Scope,
  kinds: readonly Followed[],
  after: FeedPosition,
  limit: number,
): Promise<Places> {
  const numbers = kinds.map((kind) => (kind === 'image' ? after.image : after.number))
  const { rows } = await sql<{ isBehind: boolean; page: { place: string; record: string; version: string | null }[] }>`
    select exists (select from catalogue.change_marks where house_id = ${house.id}) as "isBehind", (
      select coalesce(json_agg(json_build_object('place', place::text, 'record', record::text, 'version', version) order by place & ${greatestLow}), '[]')
      from (
        select walked.* from unnest(${kinds.map((kind) => keyOf(kind, 0n))}::bigint[], ${numbers}::bigint[]) each (least, number)
        cross join lateral (
          select c.place, c.record, c.version from catalogue.changes c
          where c.house_id = ${house.id} and c.place > each.least + each.number and c.place <= each.least + ${greatestLow}
          order by c.place limit ${sql.lit(limit)}) walked
        order by walked.place & ${greatestLow} limit ${sql.lit(limit)}) first) as page`.execute(db)
  const { page, isBehind } = rows[0]!
  const places = page.map(({ place, record, version }) => ({
    number: lowOf(place),
    kind: kindOf(record),
    id: lowOf(record),
    version,
  }))
  return { places, isBehind }
}

/**
 * Makes the versions at the places of records differ from all real ones, so that the next reader gives them new places.
 */
export async function doubtVersions({ db, house }: Scope, kind: Followed, ids: string[]): Promise<void> {
  await sql`update catalogue.changes set version = version || '?' where house_id = ${house.id}
    and record = any(${ids.map((id) => keyOf(kind, id))}::bigint[]) and version not like '%?'`.execute(db)
}

/**
 * A record of the feed as it is now: its id, its version, its document if asked for, and why the document cannot be
 * shown.
 */
export type FollowedRecord = {
  row: string
  id: string | null
  /** Only of images. */
  item?: string | null
  readable: boolean
  version: string
  changed_at: string | null
  json: string | null
  defect: string | null
}

/** Records of a kind by their internal ids. */
export async function findRecords(
  context: Context,
  kind: Followed,
  ids: string[],
  expand: { record: boolean },
): Promise<FollowedRecord[]> {
  const { db, house } = context
  const documents = kind === 'image' ? imagesAmong(context, ids) : documentsOf[kind](context)
  const { table, as, parents = sql``, joins } = documents
  const name = sql.ref(as)
  const item = kind === 'image' ? sql`${itemIn('image.item_public_id')} as item,` : sql``
  const { rows } = await sql<FollowedRecord>`
    select ${name}.id as row, ${idOf(kind, as)} as id, ${item} ${isReadable(kind, as)} as readable, ${versionOf(kind, house, as)} as version,
      ${timeOf(`${as}.updated_at`)} as changed_at, ${expand.record ? sql`document.json::text` : sql`null`} as json, document.defect
    from ${table} ${name} ${parents} ${joins}
    where ${name}.house_id = ${house.id} and ${name}.id = any(${ids}::bigint[])`.execute(db)
  return rows
}

const itemIn = (column: string) => sql.raw(`'${kinds.item.prefix}_' || ${column}`)

/** Deleted images, as their places keep them: the id, and the id of the item. */
export async function findDeletedImages(
  { db, house }: Scope,
  ids: string[],
): Promise<(Required<Pick<FollowedRecord, 'item'>> & Pick<FollowedRecord, 'row' | 'id'>)[]> {
  const { rows } = await sql<{ row: string; id: string | null; item: string | null }>`
    select (c.record & ${greatestLow})::text as row, ${idOf('image', 'c')} as id, ${itemIn('item.public_id')} as item
    from catalogue.changes c
    left join catalogue.items item on item.house_id = ${house.id} and item.id = c.item_id
    where c.house_id = ${house.id} and c.record = any(${ids.map((id) => keyOf('image', id))}::bigint[])`.execute(db)
  return rows
}
