import type { Static } from 'typebox'
import type { Auction } from '../../../auctions/schema.ts'
import type { Context } from '../../../context.ts'
import type { Session, SessionCounts } from '../../../sessions/schema.ts'
import { printResult, type CommonOptions } from '../../command.ts'
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

/**
 * Prints the document of a session. Without --json it is one line, with the command's name for the session and what
 * `describe` adds to its states.
 */
export function printSession(
  document: string,
  names: Names,
  options: CommonOptions,
  describe: (session: SessionDocument) => string[] = () => [],
): Promise<void> {
  return printResult(JSON.parse(document) as SessionDocument, options, (session) => {
    const { id, title, published, finished, customer_bidding_enabled } = session
    // A finished session takes no bids, although its switch for bids stays on.
    const bidding = finished ? 'finished' : `bidding ${customer_bidding_enabled ? 'enabled' : 'disabled'}`
    const states = [published ? 'published' : 'not published', bidding, ...describe(session)]
    return `session ${names.get(id) ?? id} "${title ?? ''}": ${states.join(', ')}`
  })
}
