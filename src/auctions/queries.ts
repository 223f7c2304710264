import { sql, type RawBuilder } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import { idOf } from '../reads/documents.ts'
import { newestFirst } from '../reads/keyset.ts'
import { listRecords } from '../reads/lists.ts'
import { memoize, type ListSelection, type Selection } from '../reads/selections.ts'
import { joinSessionDocument } from '../documents/sessions.ts'
import { auctionTag, joinAuctionDocument, sessionIds } from '../documents/auctions.ts'
import type { Auction } from './schema.ts'

const order = newestFirst('a')

/** The values of `expand[]` for an auction. */
export type AuctionExpansion = 'sessions'

function expandedSessions(context: Pick<Context, 'house'>): RawBuilder<unknown> {
  // The auction of an expanded session is the row that contains it.
  const auction = { json: idOf('auction', 'a'), defect: sql`null::text` }
  return sql`
    select coalesce(json_agg(session.json::json order by sitting.opens_at, sitting.public_id), '[]') as json, max(session.defect) as defect
    from catalogue.sessions sitting ${joinSessionDocument(context, 'sitting', 'session', auction)}
    where sitting.house_id = ${context.house.id} and sitting.auction_id = a.id and not sitting.archived`
}

/** Auctions `a` with their documents. */
export const auctions = memoize((context, expand: readonly AuctionExpansion[]) => {
  const sessions = expand.includes('sessions') ? expandedSessions(context) : sessionIds(context, 'a')
  const joins = joinAuctionDocument('a', 'document', sessions)
  return { table: sql`catalogue.auctions`, as: 'a', tag: auctionTag(context, 'a'), joins }
})

/** The house's auctions, without archived ones (section 4.2). */
export function selectAuctions<Of extends Context>(
  context: Of,
  {
    published,
    external_reference,
    'expand[]': expand,
  }: {
    published?: boolean | undefined
    external_reference?: string | undefined
    'expand[]'?: readonly AuctionExpansion[]
  },
): ListSelection<Of> {
  const byPublication = published === undefined ? '' : 'and a.published = asked.published::boolean'
  const byReference = external_reference === undefined ? '' : 'and a.external_reference = asked.external_reference'
  const where = `not a.archived ${byPublication} ${byReference}`
  const asked = { published, external_reference }
  return { context, documents: auctions(context, expand), where, asked, order }
}

/** All auctions of a house, as `selectAuctions` chooses them, each with the number of its unarchived lots. */
export function listAuctions(context: Context, filters: Parameters<typeof selectAuctions>[1]) {
  const lots = sql`(select count(*)::int from catalogue.lots l
    where l.house_id = ${context.house.id} and l.auction_id = a.id and not l.archived)`
  return listRecords<Static<typeof Auction> & { lots: number }>(selectAuctions(context, filters), { lots })
}

/** The auction with this public UUID, even an archived one, which the interface does not show. */
export function selectAnyAuction<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly AuctionExpansion[],
): Selection<Of> {
  return { context, documents: auctions(context, expand), where: 'a.public_id = asked.uuid::uuid', asked: { uuid } }
}

/** The auction with this public UUID. */
export function selectAuction<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly AuctionExpansion[],
): Selection<Of> {
  const selection = selectAnyAuction(context, uuid, expand)
  return { ...selection, where: `${selection.where} and not a.archived` }
}
