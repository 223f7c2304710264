import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { idOf, printMoney, printObject, quote, timeOf } from '../reads/documents.ts'
import { byLotNumber, placeOfLot } from '../reads/keyset.ts'
import type { Database } from '../db/pool.ts'
import { memoize, type Documents, type ListSelection, type Selection } from '../reads/selections.ts'
import { isItemOf, joinItemDocument, repeatsLocale, sizeOfDocument, storeDocuments } from '../items/document.ts'
import type { ResultState } from '../values/offers.ts'
import { joinSessionDocument } from '../documents/sessions.ts'

const order = byLotNumber('l')

/** The values of `expand[]` for a lot. images means item.images. Both imply item. */
export type LotExpansion = 'item' | 'images' | 'item.images' | 'session'

/** What people call a lot: the reference of its session, or else its id, and its number. Null for a lot without a number. */
export const printPlace = (session: string, lot: string): RawBuilder<string | null> =>
  sql`coalesce(${sql.ref(`${session}.external_reference`)}, ${idOf('session', session)}) || '/' || ${sql.ref(`${lot}.lot_number`)}::text`

/**
 * The result of a lot `l` as JSON text; null if it has none. The identity of a lot never changes, so the lot that this
 * one was sold with counts for no tag.
 */
export function printResult({ id, currency }: Context['house']): RawBuilder<string | null> {
  const together = sql<string | null>`(select ${idOf('lot', 'other')} from catalogue.lots other
      where other.house_id = ${id} and other.id = l.result_with)`
  const result = printObject({
    state: quote(sql`l.result_state`),
    amount: printMoney('l.result_amount', currency),
    at: quote(timeOf('l.result_at')),
    after_sale: sql`l.result_after_sale::text`,
    with: quote(sql`case when l.result_with is not null then ${together} end`),
  })
  return sql`case when l.result_state is not null then ${result} end`
}

const publicLots = memoize((context, expand: readonly LotExpansion[]) => describe(context, expand))

// A tag begins with the format, and one tag serves both interfaces.
const staffLots = memoize((context, expand: readonly LotExpansion[]) => {
  const joins = sql`
  cross join lateral (
    select count(*) as placed, count(*) filter (where b.cancelled_at is null) as standing
    from catalogue.bids b where b.house_id = ${context.house.id} and b.lot_id = l.id
  ) bids`
  const staff = printObject({
    held: sql`l.held::text`,
    bids: sql`bids.standing::text`,
    has_had_bid: sql`(bids.placed > 0)::text`,
  })
  return {
    ...describe(context, expand, { joins, fields: { staff } }),
    format: publicLots(context, expand).format,
    // A page of a thousand items may be large.
    ...(expand.some((each) => each !== 'session') && { size: sizeOfDocument(context, 'l.item_id') }),
  }
})

type Shown = Pick<Context, 'house' | 'mediaBase' | 'seesStaff'>

/**
 * Lots `l` with their documents (section 2.2), for staff with the field `staff`. The title comes from the item, so an
 * unexpanded item is checked too.
 */
export const lots = (context: Shown, expand?: readonly LotExpansion[]): Documents =>
  (context.seesStaff ? staffLots : publicLots)(context, expand)

type More = { joins: RawBuilder<unknown>; fields: Record<string, RawBuilder<string>> }

function describe(context: Omit<Shown, 'seesStaff'>, expand: readonly LotExpansion[], more?: More) {
  const { house } = context
  const { currency } = house
  const images = expand.includes('images') || expand.includes('item.images')
  const item = images || expand.includes('item')
  const session = expand.includes('session')
  const store = (db: Database, ids: string[]) => storeDocuments(db, house, ids)
  const parent = {
    json: idOf('auction', 'auction'),
    defect: sql`case when auction.public_id is null then 'has no public id' end`,
  }
  const parents = sql`join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id`
  // A change of an item advances the revisions of its lots.
  const tag = sql`concat_ws('.', l.id, l.revision, s.revision)`
  const closes = sql<string>`case when s.kind = 'live' then ${timeOf('s.live_closes_at')} else ${timeOf('l.closes_at')} end`
  const timed = printObject({ scheduled_closes_at: quote(timeOf('l.scheduled_closes_at')) })
  const text = printObject(
    {
      id: quote(idOf('lot', 'l')),
      lot_number: sql`l.lot_number::text`,
      active: sql`coalesce(l.active, false)::text`,
      title: sql`to_json(i.title)::text`,
      starting_bid: printMoney('l.starting_bid', currency),
      current_bid: printMoney('l.current_bid', currency),
      sold: sql`l.sold::text`,
      result: printResult(house),
      notice: sql`to_json(l.notices ->> ${house.defaultLocale})::text`,
      notice_translations: sql`l.notices::text`,
      closes_at: quote(closes),
      timed: sql`case when s.kind = 'timed' then ${timed} end`,
      item: item ? sql`item.json` : quote(idOf('item', 'i')),
      session: session ? sql`session.json` : quote(idOf('session', 's')),
      created_at: quote(timeOf('l.created_at')),
      updated_at: quote(timeOf('l.updated_at')),
      ...more?.fields,
    },
    'timed',
  )
  const joins = sql`
  join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
  ${item ? joinItemDocument(context, 'item', { images }) : sql``}
  ${
    session
      ? sql`join catalogue.auctions auction on auction.house_id = ${house.id} and auction.id = s.auction_id
        ${joinSessionDocument(context, 's', 'session', parent)}`
      : sql``
  }${more?.joins ?? sql``}
  cross join lateral (
    select ${text} as json, ${item ? sql`item.unready` : sql`null`} as unready,
      case when l.public_id is null then 'has no public id'
        when s.public_id is null then 'belongs to a session without a public id'
        ${
          item
            ? sql`when item.defect is not null then 'offers an item that ' || item.defect`
            : sql`
        when i.public_id is null then 'offers an item without a public id'
        when i.title is null then 'offers an item without a title'
        when ${repeatsLocale(house)} then 'offers an item that holds a translation twice'`
        }
        ${session ? sql`when session.defect is not null then 'belongs to a session that ' || session.defect` : sql``} end as defect
  ) document`
  return { table: sql`catalogue.lots`, as: 'l', parents, tag, joins, ...(item && { store }) }
}

/** Which lots a list chooses. Ids are bare UUIDs, numbers int32 and inclusive. The filters from `held` on are those of staff. */
export type LotFilters = {
  session?: string | undefined
  auction?: string | undefined
  lot_number?: number | undefined
  active?: boolean | undefined
  held?: boolean | undefined
  result?: ResultState | 'none' | undefined
  open?: boolean | undefined
  seller?: string | undefined
  consignment?: string | undefined
  number_from?: number | undefined
  number_to?: number | undefined
}

/** Whether a lot `l` in a `session` takes bids at `asked.now`, as far as times and results say. */
export const isOpenIn = (
  session: string,
) => `(coalesce(l.active, false) and l.result_state is null and not ${session}.finished
      and coalesce(case when ${session}.kind = 'live' then ${session}.live_closes_at else l.closes_at end > asked.now::timestamptz, false))`

const itemsOf = (kind: 'seller' | 'consignment', which: string) =>
  `select i.id from catalogue.items i where i.house_id = $house and ${which} and ${isItemOf(kind)}`

// Archived items have an index of their own.
const isOf = (kind: 'seller' | 'consignment') =>
  `l.item_id in (${itemsOf(kind, 'not i.archived')} union all ${itemsOf(kind, 'i.archived')})`

const askedSession = 'select id from catalogue.sessions where house_id = $house and public_id = asked.session::uuid'
const askedAuction = 'select id from catalogue.auctions where house_id = $house and public_id = asked.auction::uuid'
const place = placeOfLot('l.lot_number')

/** The condition of each filter, as SQL like that of a selection. */
export const lotConditions: Record<keyof LotFilters, string> = {
  session: `l.session_id = (${askedSession})`,
  auction: `l.auction_id = (${askedAuction})`,
  lot_number: `${place} = asked.lot_number::bigint`,
  active: 'coalesce(l.active, false) = asked.active::boolean',
  held: 'l.held = asked.held::boolean',
  result: "coalesce(l.result_state, 'none') = asked.result",
  open: `exists (select from catalogue.sessions s where s.house_id = $house and s.id = l.session_id and ${isOpenIn('s')}) = asked.open::boolean`,
  seller: isOf('seller'),
  consignment: isOf('consignment'),
  number_from: `${place} >= asked.number_from::bigint`,
  number_to: `${place} <= asked.number_to::bigint`,
}

const lotFilters = Object.keys(lotConditions) as (keyof LotFilters)[]

// The subquery runs once, not for each lot of the session.
const joinSession = `
    cross join lateral (
      select * from catalogue.sessions where house_id = $house and public_id = asked.session::uuid offset 0
    ) s`

/** The house's lots by lot number, without archived ones (section 4.3). */
export function selectLots<Of extends Context>(
  context: Of,
  { 'expand[]': expand, ...filters }: LotFilters & { 'expand[]'?: readonly LotExpansion[] },
): ListSelection<Of> {
  const given = lotFilters.filter((name) => filters[name] !== undefined)
  const conditions = new Map(given.map((name) => [name, lotConditions[name]]))
  if (conditions.has('session') && conditions.delete('auction'))
    // A lot is in its session's auction. With both conditions the planner would expect few lots, and read and sort the
    // whole session.
    conditions.set('session', `l.session_id = (${askedSession} and auction_id = (${askedAuction}))`)
  const asked = {
    ...Object.fromEntries(given.map((name) => [name, filters[name]])),
    ...(conditions.has('open') && { now: context.now.toISOString() }),
  }
  const where = ['not l.archived', ...conditions.values()].join(' and ')
  const parents = conditions.has('session') ? joinSession : undefined
  return { context, documents: lots(context, expand), where, asked, order, parents }
}

/** The lot with this public UUID, even an archived one, which the interface does not show. */
export function selectAnyLot<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly LotExpansion[],
): Selection<Of> {
  return { context, documents: lots(context, expand), where: 'l.public_id = asked.uuid::uuid', asked: { uuid } }
}

/** The lot with this public UUID. */
export function selectLot<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly LotExpansion[],
): Selection<Of> {
  const selection = selectAnyLot(context, uuid, expand)
  return { ...selection, where: `${selection.where} and not l.archived` }
}

/** Why one of these lots cannot be shown, by their internal ids; undefined if each of them can. */
export async function findDefect(context: Context, ids: string[]): Promise<string | undefined> {
  const { parents = sql``, joins } = lots(context)
  const { rows } = await sql<{ defect: string }>`
    select document.defect from catalogue.lots l ${parents} ${joins}
    where l.house_id = ${context.house.id} and l.id = any(${ids}::bigint[]) and document.defect is not null limit 1`.execute(
    context.db,
  )
  return rows[0]?.defect
}

/** The documents of lots, archived or not, each with the reason why it cannot be shown. */
export async function findLotDocuments(context: Context, uuids: string[]) {
  const { parents = sql``, joins } = lots(context)
  const { rows } = await sql<{ uuid: string; json: string; defect: string | null }>`
    select l.public_id as uuid, document.json::text as json, document.defect from catalogue.lots l ${parents} ${joins}
    where l.house_id = ${context.house.id} and l.public_id = any(${uuids}::uuid[])`.execute(context.db)
  return rows
}

/** Finds the internal ids of a lot, archived or not, and of its session, and whether the lot has bids. */
export async function findBiddenLot({ db, house }: Scope, uuid: string) {
  return db
    .selectFrom('catalogue.lots as l')
    .select((lot) => [
      'l.id',
      'l.session_id',
      lot
        .exists(
          lot.selectFrom('catalogue.bids as b').where('b.house_id', '=', house.id).whereRef('b.lot_id', '=', 'l.id'),
        )
        .$castTo<boolean>()
        .as('has_bids'),
    ])
    .where('l.house_id', '=', house.id)
    .where('l.public_id', '=', uuid)
    .executeTakeFirst()
}

/** The UUID of the unarchived lot with this number in the session of another lot. */
export async function findSibling({ db, house }: Scope, lot: string, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string | null }>`
    select other.public_id as uuid from catalogue.lots l
    join catalogue.lots other on other.house_id = ${house.id} and other.session_id = l.session_id
    where l.house_id = ${house.id} and l.public_id = ${lot} and other.lot_number = ${number}::bigint and not other.archived`.execute(
    db,
  )
  return rows[0]?.uuid ?? undefined
}

/** The number of an unarchived lot, and whether its session is published; undefined if there is no such lot. */
export async function findPlace({ db, house }: Scope, lot: string) {
  const { rows } = await sql<{ lot_number: number | null; published: boolean }>`
    select l.lot_number, s.published from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.public_id = ${lot} and not l.archived`.execute(db)
  return rows[0]
}

/** The estimates of items, or of the items of lots, by the UUIDs of either. Minor units. */
export async function findEstimates({ db, house }: Scope, kind: 'item' | 'lot', uuids: readonly string[]) {
  const { rows } = await sql<{ uuid: string; low: number | null; high: number | null }>`
    select ${kind === 'lot' ? sql`l.public_id` : sql`i.public_id`} as uuid, i.estimate_low::float8 as low,
      i.estimate_high::float8 as high
    from catalogue.items i
    ${kind === 'lot' ? sql`join catalogue.lots l on l.house_id = ${house.id} and l.item_id = i.id` : sql``}
    where i.house_id = ${house.id}
      and ${kind === 'lot' ? sql`l.public_id` : sql`i.public_id`} = any(${uuids}::uuid[])`.execute(db)
  return new Map(rows.map(({ uuid, ...estimate }) => [uuid, estimate]))
}
