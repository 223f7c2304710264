import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, moneyOf, printMoney, printObject, quote, timeOf } from '../reads/documents.ts'
import { byLotNumber, newestFirst } from '../reads/keyset.ts'
import type { Database } from '../db/pool.ts'
import { memoize, type ListSelection, type Selection } from '../reads/selections.ts'
import { joinItemDocument, repeatsLocale, storeDocuments } from '../items/document.ts'
import { joinSessionDocument } from '../sales/session-document.ts'

const order = byLotNumber('l')

/** The values of `expand[]` for a lot. images means item.images. Both imply item. */
export type LotExpansion = 'item' | 'images' | 'item.images' | 'session'

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

/** Lots `l` with their documents (section 2.2). The title comes from the item, so an unexpanded item is checked too. */
export const lots = memoize((context, expand: readonly LotExpansion[]) => {
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
  }
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
})

// The subquery runs once, not for each lot of the session.
const askedSession = `
    cross join lateral (
      select * from catalogue.sessions where house_id = $house and public_id = asked.session::uuid offset 0
    ) s`

/** The house's lots by lot number, without archived ones (section 4.3). */
export function selectLots<Of extends Context>(
  context: Of,
  {
    session,
    auction,
    lot_number,
    active,
    'expand[]': expand,
  }: {
    session?: string | undefined
    auction?: string | undefined
    lot_number?: number | undefined
    active?: boolean | undefined
    'expand[]'?: readonly LotExpansion[]
  },
): ListSelection<Of> {
  const conditions = ['not l.archived']
  const byAuction =
    'auction_id = (select id from catalogue.auctions where house_id = $house and public_id = asked.auction::uuid)'
  if (session !== undefined) {
    // A lot is in its session's auction. With both conditions the planner would expect few lots, and read and sort the
    // whole session.
    const inAuction = auction === undefined ? '' : `and ${byAuction}`
    conditions.push(
      `l.session_id = (select id from catalogue.sessions where house_id = $house and public_id = asked.session::uuid ${inAuction})`,
    )
  } else if (auction !== undefined) conditions.push(`l.${byAuction}`)
  if (lot_number !== undefined) conditions.push('coalesce(l.lot_number, 2147483648) = asked.lot_number::bigint')
  if (active !== undefined) conditions.push('coalesce(l.active, false) = asked.active::boolean')
  const asked = { session, auction, lot_number, active }
  const documents = lots(context, expand)
  const parents = session === undefined ? undefined : askedSession
  return { context, documents, where: conditions.join(' and '), asked, order, parents }
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

const bids = memoize(({ house }) => ({
  table: sql`catalogue.bids`,
  as: 'b',
  tag: sql`concat_ws('.', b.id, extract(epoch from b.updated_at))`,
  joins: sql`
  join catalogue.lots l on l.house_id = ${house.id} and l.id = b.lot_id
  cross join lateral (
    select row_to_json(r) as json, case when l.public_id is null then 'is on a lot without a public id' end as defect
    from (select 'bid_' || b.public_id as id, ${idOf('lot', 'l')} as lot, ${moneyOf('b.amount', house.currency)} as amount,
      ${timeOf('b.placed_at')} as placed_at, ${timeOf('b.cancelled_at')} as cancelled_at, b.cancel_reason) r
  ) document`,
}))

const byPlacement = newestFirst('b', 'placed_at')

/** The bids on a lot, by its internal id, the latest first. */
export function selectBids<Of extends Context>(context: Of, lot: string): ListSelection<Of> {
  return {
    context,
    documents: bids(context),
    where: 'b.lot_id = asked.lot::bigint',
    asked: { lot },
    order: byPlacement,
  }
}
