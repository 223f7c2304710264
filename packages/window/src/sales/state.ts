import type { Session } from '@auction-catalogue/client'

export type SessionState = 'draft' | 'announced' | 'running' | 'finished'

/** Where a session stands at a moment (milliseconds), as the public sees it. */
export function stateOf(session: Session, now: number): SessionState {
  if (session.finished) return 'finished'
  if (!session.published) return 'draft'
  const opens = session.opens_at === null ? Infinity : Date.parse(session.opens_at)
  if (opens > now) return 'announced'
  const closes = session.kind === 'live' ? session.live.closes_at : null
  return closes && Date.parse(closes) <= now ? 'finished' : 'running'
}
