import { sql } from 'kysely'
import { selectAuctions } from '../auctions/queries.ts'
import type { Context } from '../context.ts'
import { textsOf } from '../items/document.ts'
import { selectItems } from '../items/queries.ts'
import { noTexts, type Texts } from '../items/texts.ts'
import { printResult, selectLots } from '../lots/queries.ts'
import { idOf, moneyOf, timeOf } from '../reads/documents.ts'
import { stepsOf } from '../references/document.ts'
import { selectReferences } from '../references/queries.ts'
import { selectSessions } from '../sessions/queries.ts'
import { parseId } from '../values/ids.ts'
import type { Locale } from '../values/locales.ts'
import type { Money } from '../values/money.ts'
import type { ResultState } from '../values/offers.ts'
import { inOrderOf } from '../reads/lists.ts'

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

/**
 * Which lots a list of staff has: also by result, by the seller (its number or id) and the consignment of the item, and by
 * internal ids.
 */
export type LotFilters = Parameters<typeof selectLots>[1] & {
  rows?: string[] | undefined
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

/** The auctions of a house, as `selectAuctions` chooses them. */
export async function listAuctions(context: Context, filters: Parameters<typeof selectAuctions>[1]) {
  const house = context.house.id
  const { rows } = await sql<ListedAuction>`
    select ${idOf('auction', 'a')} as id, a.external_reference, a.title, a.published,
      (select count(*)::int from catalogue.sessions s where s.house_id = ${house} and s.auction_id = a.id and not s.archived) as sessions,
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

const isAmong = (of: string, rows: string[] | undefined) =>
  rows === undefined ? sql`true` : sql`${sql.ref(`${of}.id`)} = any(${rows}::bigint[])`

/** The lots of a house, as `selectLots` chooses them, with the texts of their items in a locale. */
export async function listLots(
  context: Context,
  { rows: chosen, result, seller, consignment, ...filters }: LotFilters,
  locale?: Locale,
) {
  const { id: house, currency } = context.house
  const conditions = [isAmong('l', chosen)]
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
      (select count(*)::int from catalogue.bids b where b.house_id = ${house} and b.lot_id = l.id and b.cancelled_at is null) as bids, l.sold,
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

/** The items of a house, as `selectItems` chooses them, or of these those with internal ids, with their texts in a locale. */
export async function listItems(
  context: Context,
  { rows: chosen, ...filters }: Parameters<typeof selectItems>[1] & { rows?: string[] },
  locale?: Locale,
) {
  const house = context.house.id
  const { rows } = await sql<ListedItem>`
    select ${idOf('item', 'i')} as id, i.external_reference, i.title,
      ${estimateOf(context)},
      (select count(*)::int from catalogue.images m where m.house_id = ${house} and m.item_id = i.id) as images,
      (select count(*)::int from catalogue.images m where m.house_id = ${house} and m.item_id = i.id and m.public) as public_images,
      (select count(*)::int from catalogue.lots l where l.house_id = ${house} and l.item_id = i.id and not l.archived) as lots,
      ${timeOf('i.created_at')} as created_at
      ${withTexts(context, locale)}
    from catalogue.items i ${inOrderOf(selectItems(context, filters), isAmong('i', chosen))}`.execute(context.db)
  return rows
}

/** The increment strategies of a house, as `selectReferences` chooses them. */
export async function listStrategies(context: Context, { name }: { name?: string }) {
  const house = context.house.id
  const { rows } = await sql<ListedStrategy>`
    select ${idOf('increment_strategy', 'x')} as id, x.name, ${stepsOf(context.house)} as steps,
      (select count(*)::int from catalogue.sessions s where s.house_id = ${house} and s.increment_strategy_id = x.id and not s.archived) as sessions,
      ${timeOf('x.created_at')} as created_at
    from catalogue.increment_strategies x ${inOrderOf(selectReferences(context, 'increment_strategy', { name }))}`.execute(
    context.db,
  )
  return rows
}
