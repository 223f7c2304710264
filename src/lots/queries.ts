import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, moneyOf, timeOf, withoutNull } from '../db/documents.ts'
import { byLotNumber } from '../db/keyset.ts'
import { memoize, type ListSelection, type Selection } from '../db/reads.ts'
import { joinItemDocument, repeatsLocale } from '../items/document.ts'
import { joinSessionDocument } from '../sessions/document.ts'

/** The values of `expand[]` for a lot. images means item.images. Both imply item. */
export type LotExpansion = 'item' | 'images' | 'item.images' | 'session'

/** Lots `l` with their documents (section 2.2). The title comes from the item, so an unexpanded item is checked too. */
export const lots = memoize((context, expand: readonly LotExpansion[]) => {
  const { house } = context
  const { currency } = house
  const images = expand.includes('images') || expand.includes('item.images')
  const item = images || expand.includes('item')
  const session = expand.includes('session')
  const parent = {
    json: idOf('auction', 'auction'),
    defect: sql`case when auction.public_id is null then 'has no public id' end`,
  }
  const parents = sql`
  join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
  join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id`
  const tag = sql`l.id || '.' || l.revision || '.' || i.revision || '.' || s.revision`
  const joins = sql`
  ${item ? joinItemDocument(context, 'item', { images }) : sql``}
  ${
    session
      ? sql`join catalogue.auctions auction on auction.house_id = ${house.id} and auction.id = s.auction_id
        ${joinSessionDocument(context, 's', 'session', parent)}`
      : sql``
  }
  cross join lateral (
    select ${withoutNull(sql`r`, 'timed')} as json,
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
    from (select ${idOf('lot', 'l')} as id, l.lot_number, coalesce(l.active, false) as active, i.title,
      ${moneyOf('l.starting_bid', currency)} as starting_bid, ${moneyOf('l.current_bid', currency)} as current_bid, l.sold,
      case when s.kind = 'live' then ${timeOf('s.live_closes_at')} else ${timeOf('l.closes_at')} end as closes_at,
      case when s.kind = 'timed' then json_build_object('scheduled_closes_at', ${timeOf('l.scheduled_closes_at')}) end as timed,
      ${item ? sql`item.json` : idOf('item', 'i')} as item, ${session ? sql`session.json` : idOf('session', 's')} as session,
      ${timeOf('l.created_at')} as created_at, ${timeOf('l.updated_at')} as updated_at) r
  ) document`
  return { table: sql`catalogue.lots`, as: 'l', parents, tag, joins }
})

/** The house's lots by lot number, without archived ones (section 4.3). */
export function selectLots(
  context: Context,
  filters: {
    session?: string | undefined
    auction?: string | undefined
    lot_number?: number | undefined
    active?: boolean | undefined
  },
  expand?: readonly LotExpansion[],
): ListSelection {
  const { house } = context
  const conditions = [sql`l.house_id = ${house.id} and not l.archived`]
  const byAuction =
    filters.auction === undefined
      ? undefined
      : sql`auction_id = (select id from catalogue.auctions where house_id = ${house.id} and public_id = ${filters.auction})`
  if (filters.session !== undefined) {
    // A lot is in its session's auction. Told of both, the planner expects few lots, reads all of them and sorts.
    const inAuction = byAuction ? sql`and ${byAuction}` : sql``
    conditions.push(
      sql`l.session_id = (select id from catalogue.sessions where house_id = ${house.id} and public_id = ${filters.session} ${inAuction})`,
    )
  } else if (byAuction) conditions.push(sql`l.${byAuction}`)
  if (filters.lot_number !== undefined)
    conditions.push(sql`coalesce(l.lot_number, 2147483648) = ${filters.lot_number}::bigint`)
  if (filters.active !== undefined) conditions.push(sql`coalesce(l.active, false) = ${filters.active}`)
  return { ...lots(context, expand), where: sql.join(conditions, sql` and `), order: byLotNumber('l') }
}

/** The lot with this public UUID, even if it is archived, which the interface does not show. */
export function selectAnyLot(context: Context, uuid: string, expand?: readonly LotExpansion[]): Selection {
  const where = sql`l.house_id = ${context.house.id} and l.public_id = ${uuid}`
  return { ...lots(context, expand), where }
}

/** The lot with this public UUID. */
export function selectLot(context: Context, uuid: string, expand?: readonly LotExpansion[]): Selection {
  const selection = selectAnyLot(context, uuid, expand)
  return { ...selection, where: sql`${selection.where} and not l.archived` }
}
