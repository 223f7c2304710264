import { sql } from 'kysely'
import { joinAuctionDocument, sessionIds } from '../auctions/document.ts'
import type { Context } from '../context.ts'
import { idOf } from '../db/documents.ts'
import { newestFirst } from '../db/keyset.ts'
import { readOne, readPage, type Documents, type Page, type PageRequest } from '../db/reads.ts'
import { joinSessionDocument } from './document.ts'

/** What `expand[]` may inflate in a session. */
export type SessionExpansion = 'auction'

/** Sessions `s` with their documents. */
export function sessions(context: Context, expand: readonly SessionExpansion[] = []): Documents {
  const join = sql`join catalogue.auctions parent on parent.house_id = s.house_id and parent.id = s.auction_id`
  if (expand.includes('auction')) {
    const auction = { json: sql`auction.json`, defect: sql`auction.defect` }
    const joins = sql`${join} ${joinAuctionDocument('parent', 'auction', sessionIds('parent'))}
      ${joinSessionDocument(context, 's', 'document', auction)}`
    return { table: sql`catalogue.sessions`, as: 's', joins }
  }
  const auction = {
    json: idOf('auction', 'parent'),
    defect: sql`case when parent.public_id is null then 'has no public id' end`,
  }
  const joins = sql`${join} ${joinSessionDocument(context, 's', 'document', auction)}`
  return { table: sql`catalogue.sessions`, as: 's', joins }
}

/** A page of the house's sessions, by opening time, newest first (section 4.2). */
export async function listSessions(
  context: Context,
  filters: { published?: boolean; external_reference?: string; auction?: string },
  expand: readonly SessionExpansion[] | undefined,
  page: PageRequest,
): Promise<Page> {
  const { house, db } = context
  // Compared with a constant, the planner would take the expression apart and no longer find it in the index.
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
  return readPage(db, sessions(context, expand), where, newestFirst('s', 'opens_at'), page)
}

/** The session with this public UUID. */
export async function readSession(
  context: Context,
  uuid: string,
  expand?: readonly SessionExpansion[],
): Promise<string> {
  const where = sql`s.house_id = ${context.house.id} and s.public_id = ${uuid}`
  return readOne(context.db, sessions(context, expand), where)
}
