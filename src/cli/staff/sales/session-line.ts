import type { Static } from 'typebox'
import type { Auction } from '../../../auctions/schema.ts'
import type { Context } from '../../../context.ts'
import type { Session, SessionCounts } from '../../../sessions/schema.ts'
import type { Names } from '../../names.ts'

/** A session as the interface shows it, without expansions. */
export type SessionDocument = Static<typeof Session>

/** A session with its auction and the numbers of its lots. */
export type CountedSession = SessionDocument & {
  auction: Static<typeof Auction>
  counts: Static<typeof SessionCounts>
}

/**
 * Reads the document of a session.
 * @throws Problem not-found, integrity-unavailable
 */
export async function readSession(context: Context, uuid: string): Promise<SessionDocument> {
  const [{ readDocument }, { selectSession }] = await Promise.all([
    import('../../../reads/reads.ts'),
    import('../../../sessions/queries.ts'),
  ])
  return JSON.parse((await readDocument(context.db, selectSession(context, uuid))).json) as SessionDocument
}

/** A session in one line, with the command's name for it. */
export function printSession(session: SessionDocument, names: Names): string {
  const { id, title, published, finished, customer_bidding_enabled } = session
  // A finished session takes no bids, although its switch for bids stays on.
  const bidding = finished ? 'finished' : `bidding ${customer_bidding_enabled ? 'enabled' : 'disabled'}`
  return `session ${names.get(id) ?? id} "${title ?? ''}": ${published ? 'published' : 'not published'}, ${bidding}`
}
