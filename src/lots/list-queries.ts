import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { textsIn } from '../items/document.ts'
import type { Texts } from '../items/texts.ts'
import { idOf, moneyOf, timeOf } from '../reads/documents.ts'
import { inOrderOf } from '../reads/lists.ts'
import { parseId } from '../values/ids.ts'
import type { Locale } from '../values/locales.ts'
import type { Money } from '../values/money.ts'
import type { ResultState } from '../values/offers.ts'
import { printResult, selectLots, type LotFilters } from './queries.ts'

/** A lot in a list of a command. `texts`: those of its item in the locale for which the list was asked. */
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
 * All lots of a house, as `selectLots` chooses them; `seller` and `consignment` are a number or an id, `rows` internal ids.
 * It builds no documents, which for 5,000 lots takes five times as long.
 */
export async function listLots(
  context: Context,
  { rows: chosen, seller, consignment, ...filters }: LotFilters & { rows?: string[] },
  locale?: Locale,
): Promise<ListedLot[]> {
  const { id: house, currency } = context.house
  const conditions = [sql`true`]
  if (chosen) conditions.push(sql`l.id = any(${chosen}::bigint[])`)
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
      ${moneyOf('i.estimate_low', currency)} as estimate_low, ${moneyOf('i.estimate_high', currency)} as estimate_high,
      ${moneyOf('l.starting_bid', currency)} as starting_bid, ${moneyOf('l.current_bid', currency)} as current_bid,
      (select count(*)::int from catalogue.bids b where b.house_id = ${house} and b.lot_id = l.id and b.cancelled_at is null) as bids, l.sold,
      (${printResult(context.house)})::json as result, l.held, ${idOf('seller', 'seller')} as seller, seller.seller_number,
      ${idOf('consignment', 'consignment')} as consignment, consignment.number as consignment_number,
      case when s.kind = 'live' then ${timeOf('s.live_closes_at')} else ${timeOf('l.closes_at')} end as closes_at
      ${locale ? sql`, ${textsIn(context, locale)} as texts` : sql``}
    from catalogue.lots l
    join catalogue.items i on i.house_id = ${house} and i.id = l.item_id
    join catalogue.sessions s on s.house_id = ${house} and s.id = l.session_id
    left join catalogue.sellers seller on seller.house_id = ${house} and seller.id = i.seller_id
    left join catalogue.consignments consignment on consignment.house_id = ${house} and consignment.id = i.consignment_id
    ${inOrderOf(selectLots(context, filters), sql.join(conditions, sql` and `))}`.execute(context.db)
  return rows
}
