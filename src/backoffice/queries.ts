import { sql, type RawBuilder } from 'kysely'
import { selectAuctions } from '../auctions/queries.ts'
import { documentsOf, isReadable } from '../changes/document.ts'
import type { Context, House } from '../context.ts'
import { textsOf } from '../items/document.ts'
import { noTexts, type Texts } from '../items/texts.ts'
import { idOf, moneyOf, timeOf } from '../reads/documents.ts'
import type { Database } from '../db/pool.ts'
import type { ListSelection } from '../reads/selections.ts'
import { conditionOn } from '../reads/statements.ts'
import { listHouses, type NamedHouse } from '../houses/houses.ts'
import { imagesOfHouse } from '../images/queries.ts'
import { kinds, recordKinds, type RecordKind } from '../kinds.ts'
import { selectItems } from '../items/queries.ts'
import { lots, printResult, selectLots } from '../lots/queries.ts'
import type { ResultState } from '../values/result-states.ts'
import { stepsOf } from '../references/document.ts'
import { selectReferences } from '../references/queries.ts'
import { readDocument } from '../reads/reads.ts'
import { selectSession, selectSessions } from '../sessions/queries.ts'
import { parseId } from '../values/ids.ts'
import type { Locale } from '../values/locales.ts'
import type { Money } from '../values/money.ts'

/** A kind of record that has an external reference. */
export type ReferencedKind = 'auction' | 'session' | 'item'

const tableOf = (kind: RecordKind) => sql.table(`catalogue.${kinds[kind].plural}`)

/** The houses that have a record with this public UUID and of this kind, archived or not. */
export async function findHouses(db: Database, kind: RecordKind, uuid: string): Promise<NamedHouse[]> {
  const found: NamedHouse[] = []
  for (const house of await listHouses(db)) {
    const { rows } = await sql`
      select from ${tableOf(kind)} where house_id = ${house.id} and public_id = ${uuid}`.execute(db)
    if (rows.length > 0) found.push(house)
  }
  return found
}

/** A record as people know it. `title` is in the house's locale. */
export type StoredName = { uuid: string | null; external_reference: string | null; title: string | null }

/** The records of a house with one of these UUIDs or external references, archived or not. */
export async function findReferences(
  db: Database,
  house: House,
  kind: ReferencedKind,
  { uuids, references }: { uuids: string[]; references: string[] },
): Promise<StoredName[]> {
  const title = kind === 'session' ? sql`titles ->> ${house.defaultLocale}` : sql`title`
  const { rows } = await sql<StoredName>`
    select public_id as uuid, external_reference, ${title} as title from ${tableOf(kind)}
    where house_id = ${house.id} and (public_id = any(${uuids}::uuid[]) or external_reference = any(${references}::text[]))`.execute(
    db,
  )
  return rows
}

/**
 * The external references of a kind of record that differ from the given ones only in letter case or in spaces around
 * them.
 */
export async function findSimilar(
  db: Database,
  house: House,
  kind: ReferencedKind,
  references: string[],
): Promise<string[]> {
  const { rows } = await sql<{ external_reference: string }>`
    select external_reference from ${tableOf(kind)} where house_id = ${house.id}
      and lower(external_reference) = any(${references.map((reference) => reference.trim().toLowerCase())}::text[])`.execute(
    db,
  )
  return rows.map((row) => row.external_reference)
}

// A lot as people know it. `session` is its session's external reference, or else its id.
type LotName = { uuid: string | null; lot_number: number | null; title: string | null; session: string | null }

/** The lot of a house with this UUID, archived or not, or the unarchived one with this number in a session. */
export async function findNamedLots(
  db: Database,
  house: House,
  name: { uuid: string } | { session: string; number: number },
): Promise<LotName[]> {
  const where =
    'uuid' in name
      ? sql`l.public_id = ${name.uuid}`
      : sql`s.public_id = ${name.session} and l.lot_number = ${name.number}::bigint and not l.archived`
  const { rows } = await sql<LotName>`
    select l.public_id as uuid, l.lot_number, i.title, coalesce(s.external_reference, ${idOf('session', 's')}) as session
    from catalogue.lots l
    join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and ${where}`.execute(db)
  return rows
}

/** The lowest and the highest number of a session's unarchived lots; null if it has none. */
export async function readNumbers(db: Database, house: House, session: string) {
  const { rows } = await sql<{ least: number | null; most: number | null }>`
    select min(l.lot_number) as least, max(l.lot_number) as most
    from catalogue.sessions s join catalogue.lots l on l.house_id = ${house.id} and l.session_id = s.id
    where s.house_id = ${house.id} and s.public_id = ${session} and not l.archived`.execute(db)
  return rows[0]!
}

/**
 * The items, of these internal ids, that are sold, or in an unarchived lot without a result: their UUIDs, and a phrase
 * that names the lot.
 */
export async function findOffers({ db, house }: Context, items: string[]): Promise<{ item: string; lot: string }[]> {
  const { rows } = await sql<{ item: string; lot: string }>`
    select i.public_id as item, case when l.result_state = 'sold' then 'sold as' else 'in' end || ' the lot '
      || coalesce(s.external_reference, ${idOf('session', 's')}, '-') || '/' || coalesce(l.lot_number::text, '-') as lot
    from catalogue.lots l
    join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.item_id = any(${items}::bigint[]) and not l.archived
      and (l.result_state is null or l.result_state = 'sold')
    order by l.id desc`.execute(db)
  return rows
}

/** The UUID of the unarchived lot with this number in the session of another lot. */
export async function findSibling({ db, house }: Context, lot: string, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string | null }>`
    select other.public_id as uuid from catalogue.lots l
    join catalogue.lots other on other.house_id = ${house.id} and other.session_id = l.session_id
    where l.house_id = ${house.id} and l.public_id = ${lot} and other.lot_number = ${number}::bigint and not other.archived`.execute(
    db,
  )
  return rows[0]?.uuid ?? undefined
}

/** The numbers of a session's active lots that have neither a starting bid nor a bid. */
export async function findUnpriced({ db, house }: Context, session: string): Promise<number[]> {
  const { rows } = await sql<{ lot_number: number }>`
    select l.lot_number from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and s.public_id = ${session} and l.active and not l.archived
      and l.starting_bid is null and l.current_bid is null
    order by l.lot_number`.execute(db)
  return rows.map(({ lot_number }) => lot_number)
}

/** How many unarchived lots of a session have no result, and whether the session is finished. */
export async function countUndecided({ db, house }: Context, session: string) {
  const { rows } = await sql<{ lots: number; isFinished: boolean }>`
    select s.finished as "isFinished", (select count(*)::int from catalogue.lots l
      where l.house_id = ${house.id} and l.session_id = s.id and not l.archived and l.result_state is null) as lots
    from catalogue.sessions s where s.house_id = ${house.id} and s.public_id = ${session}`.execute(db)
  return rows[0]!
}

/** The documents of lots, archived or not, each with the reason why it cannot be shown. */
export async function findLotDocuments(context: Context, uuids: string[]) {
  const { parents = sql``, joins } = lots(context)
  const { rows } = await sql<{ uuid: string; json: string; defect: string | null }>`
    select l.public_id as uuid, document.json::text as json, document.defect from catalogue.lots l ${parents} ${joins}
    where l.house_id = ${context.house.id} and l.public_id = any(${uuids}::uuid[])`.execute(context.db)
  return rows
}

// Includes archived records that an unarchived record still expands.
const auctionIsShown = (house: House) => sql<boolean>`(not a.archived
  or exists (select from catalogue.sessions s where s.house_id = ${house.id} and s.auction_id = a.id))`
const itemIsShown = (house: House) => sql<boolean>`(not i.archived
  or exists (select from catalogue.lots l where l.house_id = ${house.id} and l.item_id = i.id and not l.archived))`

// Uses the documents of the reads, so that doctor reports exactly the records that they refuse.
const sources = { ...documentsOf, image: imagesOfHouse }

function isShown(kind: RecordKind, as: string, house: House): RawBuilder<boolean> {
  if (kind === 'auction') return auctionIsShown(house)
  if (kind === 'item') return itemIsShown(house)
  return isReadable(kind, as)
}

/** A record that cannot be shown, and the reason. */
type Defect = { kind: RecordKind; row: string; uuid: string | null; defect: string }

/** The records of a house that the interface answers with integrity-unavailable, by kind and row. */
export async function findDefects(db: Database, house: House): Promise<Defect[]> {
  const defects: Defect[] = []
  for (const kind of recordKinds) {
    const { table, as, parents = sql``, joins } = sources[kind]({ house, mediaBase: '' })
    const { rows } = await sql<Omit<Defect, 'kind'>>`
      select ${sql.ref(`${as}.id`)} as row, ${sql.ref(`${as}.public_id`)} as uuid, document.defect
      from ${table} ${sql.ref(as)} ${parents} ${joins} where ${sql.ref(`${as}.house_id`)} = ${house.id} and document.defect is not null
      and ${isShown(kind, as, house)} order by ${sql.ref(`${as}.id`)}`.execute(db)
    defects.push(...rows.map((row) => ({ kind, ...row })))
  }
  return defects
}

// An auction in a list of staff, with the number of its sessions and of its unarchived lots.
type ListedAuction = {
  id: string | null
  external_reference: string | null
  title: string | null
  published: boolean
  sessions: number
  lots: number
  created_at: string | null
}

// A session in a list of staff, with the number of its unarchived lots and of the active ones.
type ListedSession = {
  id: string | null
  external_reference: string | null
  title: string | null
  auction: string | null
  auction_reference: string | null
  kind: 'timed' | 'live'
  opens_at: string | null
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  lots: number
  active_lots: number
}

/** A lot in a list of staff. `texts` are those of its item in the locale for which the list was asked. */
export type ListedLot = {
  id: string | null
  session: string | null
  session_reference: string | null
  lot_number: number | null
  title: string | null
  item: string | null
  item_reference: string | null
  active: boolean
  estimate_low: Money | null
  estimate_high: Money | null
  starting_bid: Money | null
  current_bid: Money | null
  bids: number
  sold: boolean
  result: {
    state: ResultState
    amount: Money | null
    at: string | null
    after_sale: boolean
    with: string | null
  } | null
  held: boolean
  seller: string | null
  seller_number: number | null
  consignment: string | null
  consignment_number: string | null
  closes_at: string | null
  texts?: Texts
}

/** Which lots a list of staff has: also by result, and by the seller (its number or id) and the consignment of the item. */
export type LotFilters = Parameters<typeof selectLots>[1] & {
  result?: ResultState | 'none' | undefined
  seller?: string | undefined
  consignment?: string | undefined
}

/** An item in a list of staff, with the number of its images, of the public ones, and of the unarchived lots that offer it. */
export type ListedItem = {
  id: string | null
  external_reference: string | null
  title: string | null
  estimate_low: Money | null
  estimate_high: Money | null
  images: number
  public_images: number
  lots: number
  created_at: string | null
  texts?: Texts
}

/** An increment strategy in a list of staff, with the number of its sessions. */
export type ListedStrategy = {
  id: string | null
  name: string | null
  steps: { from: Money; increment: Money }[]
  sessions: number
  created_at: string | null
}

// Chooses and orders the records as the interface lists them, on one page.
function inOrderOf(selection: ListSelection, more: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const { asked, order } = selection
  const values = Object.entries(asked).map(
    ([name, value]) => sql`${value === undefined ? null : String(value)}::text as ${sql.ref(name)}`,
  )
  const direction = sql.raw(order.direction)
  return sql`cross join (select ${sql.join(values)}) asked
    where ${conditionOn(selection)} and ${more} order by ${order.sort} ${direction}, ${order.id} ${direction}`
}

/** The documents that a selection chooses, in its order. */
export async function listDocuments(context: Context, selection: ListSelection): Promise<string[]> {
  const { table, as, joins } = selection.documents
  const { rows } = await sql<{ json: string }>`
    select document.json::text as json from ${table} ${sql.ref(as)} ${joins} ${inOrderOf(selection)}`.execute(
    context.db,
  )
  return rows.map(({ json }) => json)
}

/** The auctions of a house, as `selectAuctions` chooses them. */
export async function listAuctions(context: Context, filters: Parameters<typeof selectAuctions>[1]) {
  const house = context.house.id
  const { rows } = await sql<ListedAuction>`
    select ${idOf('auction', 'a')} as id, a.external_reference, a.title, a.published,
      (select count(*)::int from catalogue.sessions s where s.house_id = ${house} and s.auction_id = a.id) as sessions,
      (select count(*)::int from catalogue.lots l where l.house_id = ${house} and l.auction_id = a.id and not l.archived) as lots,
      ${timeOf('a.created_at')} as created_at
    from catalogue.auctions a ${inOrderOf(selectAuctions(context, filters))}`.execute(context.db)
  return rows
}

/** The sessions of a house, as `selectSessions` chooses them. */
export async function listSessions(context: Context, filters: Parameters<typeof selectSessions>[1]) {
  const house = context.house.id
  const { rows } = await sql<ListedSession>`
    select ${idOf('session', 's')} as id, s.external_reference, s.titles ->> ${context.house.defaultLocale} as title,
      ${idOf('auction', 'a')} as auction, a.external_reference as auction_reference, s.kind, ${timeOf('s.opens_at')} as opens_at,
      s.published and not s.hidden as published, s.finished, s.customer_bidding_enabled, counted.lots, counted.active_lots
    from catalogue.sessions s
    join catalogue.auctions a on a.house_id = ${house} and a.id = s.auction_id
    cross join lateral (
      select count(*)::int as lots, count(*) filter (where l.active)::int as active_lots from catalogue.lots l
      where l.house_id = ${house} and l.session_id = s.id and not l.archived) counted
    ${inOrderOf(selectSessions(context, filters))}`.execute(context.db)
  return rows
}

// The texts of the item `i` in a locale. The flat ones are those in the house's.
const textsIn = ({ house }: Context, locale: Locale) =>
  locale === house.defaultLocale
    ? textsOf('i')
    : sql`coalesce((select ${textsOf('t')} from catalogue.item_translations t
        where t.house_id = ${house.id} and t.item_id = i.id and t.locale = ${locale} order by t.id limit 1), ${JSON.stringify(noTexts)}::json)`
const withTexts = (context: Context, locale: Locale | undefined) =>
  locale === undefined ? sql`` : sql`, ${textsIn(context, locale)} as texts`
const estimateOf = ({ house: { currency } }: Context) =>
  sql`${moneyOf('i.estimate_low', currency)} as estimate_low, ${moneyOf('i.estimate_high', currency)} as estimate_high`

/** The lots of a house, as `selectLots` chooses them, with the texts of their items in a locale. */
export async function listLots(
  context: Context,
  { result, seller, consignment, ...filters }: LotFilters,
  locale?: Locale,
) {
  const { id: house, currency } = context.house
  const conditions = [sql`true`]
  if (result !== undefined) conditions.push(sql`coalesce(l.result_state, 'none') = ${result}`)
  if (seller !== undefined)
    conditions.push(
      sql`(seller.seller_number::text = ${seller} or seller.public_id = ${parseId('seller', seller) ?? null})`,
    )
  if (consignment !== undefined)
    conditions.push(
      sql`(consignment.number = ${consignment} or consignment.public_id = ${parseId('consignment', consignment) ?? null})`,
    )
  const { rows } = await sql<ListedLot>`
    select ${idOf('lot', 'l')} as id, ${idOf('session', 's')} as session, s.external_reference as session_reference, l.lot_number,
      i.title, ${idOf('item', 'i')} as item, i.external_reference as item_reference, coalesce(l.active, false) as active,
      ${estimateOf(context)},
      ${moneyOf('l.starting_bid', currency)} as starting_bid, ${moneyOf('l.current_bid', currency)} as current_bid,
      (select count(*)::int from catalogue.bids b where b.house_id = ${house} and b.lot_id = l.id) as bids, l.sold,
      (${printResult(context.house)})::json as result, l.held, ${idOf('seller', 'seller')} as seller, seller.seller_number,
      ${idOf('consignment', 'consignment')} as consignment, consignment.number as consignment_number,
      case when s.kind = 'live' then ${timeOf('s.live_closes_at')} else ${timeOf('l.closes_at')} end as closes_at
      ${withTexts(context, locale)}
    from catalogue.lots l
    join catalogue.items i on i.house_id = ${house} and i.id = l.item_id
    join catalogue.sessions s on s.house_id = ${house} and s.id = l.session_id
    left join catalogue.sellers seller on seller.house_id = ${house} and seller.id = i.seller_id
    left join catalogue.consignments consignment on consignment.house_id = ${house} and consignment.id = i.consignment_id
    ${inOrderOf(selectLots(context, filters), sql.join(conditions, sql` and `))}`.execute(context.db)
  return rows
}

/** The items of a house, as `selectItems` chooses them, with their texts in a locale. */
export async function listItems(context: Context, filters: Parameters<typeof selectItems>[1], locale?: Locale) {
  const house = context.house.id
  const { rows } = await sql<ListedItem>`
    select ${idOf('item', 'i')} as id, i.external_reference, i.title,
      ${estimateOf(context)},
      (select count(*)::int from catalogue.images m where m.house_id = ${house} and m.item_id = i.id) as images,
      (select count(*)::int from catalogue.images m where m.house_id = ${house} and m.item_id = i.id and m.public) as public_images,
      (select count(*)::int from catalogue.lots l where l.house_id = ${house} and l.item_id = i.id and not l.archived) as lots,
      ${timeOf('i.created_at')} as created_at
      ${withTexts(context, locale)}
    from catalogue.items i ${inOrderOf(selectItems(context, filters))}`.execute(context.db)
  return rows
}

/** The increment strategies of a house, as `selectReferences` chooses them. */
export async function listStrategies(context: Context, { name }: { name?: string }) {
  const house = context.house.id
  const { rows } = await sql<ListedStrategy>`
    select ${idOf('increment_strategy', 'x')} as id, x.name, ${stepsOf(context.house)} as steps,
      (select count(*)::int from catalogue.sessions s where s.house_id = ${house} and s.increment_strategy_id = x.id) as sessions,
      ${timeOf('x.created_at')} as created_at
    from catalogue.increment_strategies x ${inOrderOf(selectReferences(context, 'increment_strategy', { name }))}`.execute(
    context.db,
  )
  return rows
}

/**
 * The document of a session.
 * @throws Problem not-found, integrity-unavailable
 */
export const readSession = (context: Context, uuid: string): Promise<string> =>
  readDocument(context.db, selectSession(context, uuid)).then(({ json }) => json)

/** The number of an unarchived lot, and whether its session is published; undefined if there is no such lot. */
export async function findPlace({ db, house }: Context, lot: string) {
  const { rows } = await sql<{ lot_number: number | null; published: boolean }>`
    select l.lot_number, s.published from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.public_id = ${lot} and not l.archived`.execute(db)
  return rows[0]
}
