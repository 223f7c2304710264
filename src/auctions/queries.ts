import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf } from '../db/documents.ts'
import { newestFirst } from '../db/keyset.ts'
import { readOne, readPage, type Documents, type Page, type PageRequest } from '../db/reads.ts'
import { joinSessionDocument } from '../sessions/document.ts'
import { joinAuctionDocument, sessionIds } from './document.ts'

/** What `expand[]` may inflate in an auction. */
export type AuctionExpansion = 'sessions'

function expandedSessions(context: Context): RawBuilder<unknown> {
  // The expanded sessions name their auction, which is the row they stand in.
  const auction = { json: idOf('auction', 'a'), defect: sql`null::text` }
  return sql`
    select coalesce(json_agg(session.json order by sitting.opens_at, sitting.public_id), '[]') as json, max(session.defect) as defect
    from catalogue.sessions sitting ${joinSessionDocument(context, 'sitting', 'session', auction)}
    where sitting.house_id = a.house_id and sitting.auction_id = a.id`
}

/** Auctions `a` with their documents. */
export function auctions(context: Context, expand: readonly AuctionExpansion[] = []): Documents {
  const sessions = expand.includes('sessions') ? expandedSessions(context) : sessionIds('a')
  return { table: sql`catalogue.auctions`, as: 'a', joins: joinAuctionDocument('a', 'document', sessions) }
}

/** A page of the house's auctions, archived ones left out (section 4.2). */
export async function listAuctions(
  context: Context,
  filters: { published?: boolean; external_reference?: string },
  expand: readonly AuctionExpansion[] | undefined,
  page: PageRequest,
): Promise<Page> {
  const byPublication = filters.published === undefined ? sql`` : sql`and a.published = ${filters.published}`
  const byReference =
    filters.external_reference === undefined ? sql`` : sql`and a.external_reference = ${filters.external_reference}`
  const where = sql`a.house_id = ${context.house.id} and not a.archived ${byPublication} ${byReference}`
  return readPage(context.db, auctions(context, expand), where, newestFirst('a'), page)
}

/** The auction with this public UUID. */
export async function readAuction(
  context: Context,
  uuid: string,
  expand?: readonly AuctionExpansion[],
): Promise<string> {
  const where = sql`a.house_id = ${context.house.id} and a.public_id = ${uuid} and not a.archived`
  return readOne(context.db, auctions(context, expand), where)
}
