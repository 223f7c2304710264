import { sql } from 'kysely'
import { auctionTag, joinAuctionDocument, sessionIds } from '../auctions/document.ts'
import type { Context } from '../context.ts'
import { idOf } from '../db/documents.ts'
import { newestFirst } from '../db/keyset.ts'
import { memoize, type ListSelection, type Selection } from '../db/reads.ts'
import { joinSessionDocument } from './document.ts'

/** The values of `expand[]` for a session. */
export type SessionExpansion = 'auction'

/** Sessions `s` with their documents. */
export const sessions = memoize((context, expand: readonly SessionExpansion[]) => {
  const table = sql`catalogue.sessions`
  const parents = sql`join catalogue.auctions parent on parent.house_id = ${context.house.id} and parent.id = s.auction_id`
  if (expand.includes('auction')) {
    const auction = { json: sql`auction.json`, defect: sql`auction.defect` }
    const joins = sql`${joinAuctionDocument('parent', 'auction', sessionIds(context, 'parent'))}
      ${joinSessionDocument(context, 's', 'document', auction)}`
    return {
      table,
      as: 's',
      parents,
      tag: sql`s.id || '.' || s.revision || '.' || ${auctionTag(context, 'parent')}`,
      joins,
    }
  }
  const auction = {
    json: idOf('auction', 'parent'),
    defect: sql`case when parent.public_id is null then 'has no public id' end`,
  }
  const joins = joinSessionDocument(context, 's', 'document', auction)
  return { table, as: 's', parents, tag: sql`s.id || '.' || s.revision`, joins }
})

/** The house's sessions, by opening time, newest first (section 4.2). */
export function selectSessions(
  context: Context,
  filters: {
    published?: boolean | undefined
    external_reference?: string | undefined
    auction?: string | undefined
  },
  expand?: readonly SessionExpansion[],
): ListSelection {
  const { house } = context
  // If this were compared with a constant, the planner would rewrite it and not recognise the index's expression.
  const byPublication =
    filters.published === undefined
      ? sql``
      : sql`and (s.published and not s.hidden) = (select ${filters.published}::boolean)`
  const byReference =
    filters.external_reference === undefined ? sql`` : sql`and s.external_reference = ${filters.external_reference}`
  const byAuction =
    filters.auction === undefined
      ? sql``
      : sql`and s.auction_id = (select id from catalogue.auctions where house_id = ${house.id} and public_id = ${filters.auction})`
  const where = sql`s.house_id = ${house.id} ${byPublication} ${byReference} ${byAuction}`
  return { ...sessions(context, expand), where, order: newestFirst('s', 'opens_at') }
}

/** The session with this public UUID. */
export function selectSession(context: Context, uuid: string, expand?: readonly SessionExpansion[]): Selection {
  const where = sql`s.house_id = ${context.house.id} and s.public_id = ${uuid}`
  return { ...sessions(context, expand), where }
}
