import type { Static } from 'typebox'
import type { Names } from '../../names.ts'
import type { Session } from '../../../sessions/schema.ts'

/** A session as the interface shows it, without expansions. */
export type SessionDocument = Static<typeof Session>

/** A session in one line, with the command's name for it. */
export function printSession(session: SessionDocument, names: Names): string {
  const { id, title, published, finished, customer_bidding_enabled } = session
  // A finished session takes no bids, although its switch for bids stays on.
  const bidding = finished ? 'finished' : `bidding ${customer_bidding_enabled ? 'enabled' : 'disabled'}`
  return `session ${names.get(id) ?? id} "${title ?? ''}": ${published ? 'published' : 'not published'}, ${bidding}`
}
