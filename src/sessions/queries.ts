import { sql } from 'kysely'
import { auctionTag, joinAuctionDocument, sessionIds } from '../sales/auction-document.ts'
import type { Context } from '../context.ts'
import { idOf } from '../reads/documents.ts'
import { newestFirst } from '../reads/keyset.ts'
import { memoize, type ListSelection, type Selection } from '../reads/selections.ts'
import { joinSessionDocument } from '../sales/session-document.ts'

const order = newestFirst('s', 'opens_at')

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

/** The house's sessions, the latest opening time first (section 4.2). */
export function selectSessions<Of extends Context>(
  context: Of,
  {
    published,
    external_reference,
    auction,
    'expand[]': expand,
  }: {
    published?: boolean | undefined
    external_reference?: string | undefined
    auction?: string | undefined
    'expand[]'?: readonly SessionExpansion[]
  },
): ListSelection<Of> {
  const conditions = ['true']
  // A comparison with a constant would be rewritten by the planner, which then could not use the index on this
  // expression.
  if (published !== undefined) conditions.push('(s.published and not s.hidden) = (select asked.published::boolean)')
  if (external_reference !== undefined) conditions.push('s.external_reference = asked.external_reference')
  if (auction !== undefined)
    conditions.push(
      's.auction_id = (select id from catalogue.auctions where house_id = $house and public_id = asked.auction::uuid)',
    )
  const asked = { published, external_reference, auction }
  return { context, documents: sessions(context, expand), where: conditions.join(' and '), asked, order }
}

/** The session with this public UUID. */
export function selectSession<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly SessionExpansion[],
): Selection<Of> {
  return { context, documents: sessions(context, expand), where: 's.public_id = asked.uuid::uuid', asked: { uuid } }
}
