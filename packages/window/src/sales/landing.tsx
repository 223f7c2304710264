import { Navigate } from '@tanstack/react-router'
import { serviceNow, useAuctions } from '../api/index.ts'
import { Problem } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'
import { stateOf } from './state.ts'

/** Where an address with a key leads to: the running session, if there is exactly one. */
export function Landing() {
  const texts = useTexts()
  const auctions = useAuctions()
  if (auctions.error) return <Problem error={auctions.error} retry={() => void auctions.refetch()} />
  if (!auctions.data) return <p className="quiet">{texts.loading}</p>
  const sessions = auctions.data.pages.flatMap((page) => page.data).flatMap((auction) => auction.sessions)
  const running = sessions.filter((session) => stateOf(session, serviceNow()) === 'running')
  const [only] = running
  return only !== undefined && running.length === 1 ? (
    <Navigate to="/sessions/$session" params={{ session: only.id }} replace />
  ) : (
    <Navigate to="/" replace />
  )
}
