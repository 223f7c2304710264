import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf } from '../db/documents.ts'
import { newestFirst } from '../db/keyset.ts'
import { memoize, type ListSelection, type Selection } from '../db/reads.ts'
import { joinSessionDocument } from '../sessions/document.ts'
import { auctionTag, joinAuctionDocument, sessionIds } from './document.ts'

/** The values of `expand[]` for an auction. */
export type AuctionExpansion = 'sessions'

function expandedSessions(context: Pick<Context, 'house'>): RawBuilder<unknown> {
  // The auction of an expanded session is the row that contains it.
  const auction = { json: idOf('auction', 'a'), defect: sql`null::text` }
  return sql`
    select coalesce(json_agg(session.json order by sitting.opens_at, sitting.public_id), '[]') as json, max(session.defect) as defect
    from catalogue.sessions sitting ${joinSessionDocument(context, 'sitting', 'session', auction)}
    where sitting.house_id = ${context.house.id} and sitting.auction_id = a.id`
}

/** Auctions `a` with their documents. */
export const auctions = memoize((context, expand: readonly AuctionExpansion[]) => {
  const sessions = expand.includes('sessions') ? expandedSessions(context) : sessionIds(context, 'a')
  const joins = joinAuctionDocument('a', 'document', sessions)
  return { table: sql`catalogue.auctions`, as: 'a', tag: auctionTag(context, 'a'), joins }
})

/** The house's auctions, without archived ones (section 4.2). */
export function selectAuctions(
  context: Context,
  filters: { published?: boolean | undefined; external_reference?: string | undefined },
  expand?: readonly AuctionExpansion[],
): ListSelection {
  const byPublication = filters.published === undefined ? sql`` : sql`and a.published = ${filters.published}`
  const byReference =
    filters.external_reference === undefined ? sql`` : sql`and a.external_reference = ${filters.external_reference}`
  const where = sql`a.house_id = ${context.house.id} and not a.archived ${byPublication} ${byReference}`
  return { ...auctions(context, expand), where, order: newestFirst('a') }
}

/** The auction with this public UUID. */
export function selectAuction(context: Context, uuid: string, expand?: readonly AuctionExpansion[]): Selection {
  const where = sql`a.house_id = ${context.house.id} and a.public_id = ${uuid} and not a.archived`
  return { ...auctions(context, expand), where }
}
