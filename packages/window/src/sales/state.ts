import type { Session } from '@auction-catalogue/client'
import type { Auction } from '../api/index.ts'

export type SessionState = 'draft' | 'announced' | 'running' | 'finished'

/** The state of a session at a moment (milliseconds), for the public. */
export function stateOf(session: Session, now: number): SessionState {
  if (session.finished) return 'finished'
  if (!session.published) return 'draft'
  const opens = session.opens_at === null ? Infinity : Date.parse(session.opens_at)
  if (opens > now) return 'announced'
  const closes = session.kind === 'live' ? session.live.closes_at : null
  return closes && Date.parse(closes) <= now ? 'finished' : 'running'
}

/** The state of a session in its auction: the public does not see one of a draft. */
export const stateIn = (auction: Pick<Auction, 'published'> | undefined, session: Session, now: number): SessionState =>
  auction?.published === false && !session.finished ? 'draft' : stateOf(session, now)

/**
 * Whether a session is prepared at a moment (milliseconds): it has neither opened nor finished. One that is not published
 * is prepared whatever its times are.
 */
export const isPrepared = ({ opens_at, published, finished }: Session, now: number): boolean =>
  !finished && (!published || opens_at === null || Date.parse(opens_at) > now)

/** The running session, if there is exactly one, or one that customers bid in. */
export function findRunning(pages: { data: Auction[] }[], now: number): Session | undefined {
  const running = pages
    .flatMap((page) => page.data)
    .flatMap((auction) => auction.sessions.filter((session) => stateIn(auction, session, now) === 'running'))
  const [only, other] = running.length === 1 ? running : running.filter((each) => each.customer_bidding_enabled)
  return other === undefined ? only : undefined
}
