import { Navigate } from '@tanstack/react-router'
import { connection, useAuctions } from '../api/index.ts'
import { Problem } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'
import { findRunning } from './state.ts'

/** The page of an address with a key: the running session, if there is exactly one. */
export function Landing() {
  const texts = useTexts()
  const auctions = useAuctions()
  if (auctions.error) return <Problem error={auctions.error} retry={() => void auctions.refetch()} />
  if (!auctions.data) return <p className="quiet">{texts.loading}</p>
  const running = findRunning(auctions.data.pages, connection.clock.now())
  return running ? (
    <Navigate to="/sessions/$session" params={{ session: running.id }} replace />
  ) : (
    <Navigate to="/" replace />
  )
}
