import { connection, useAuctions } from '../api/index.ts'
import { Problem } from '../parts/problem.tsx'
import { useRedirect } from '../parts/redirect.ts'
import { useTexts } from '../texts/texts.tsx'
import { findRunning } from './state.ts'

/** The page of an address with a key: the running session, if there is one to choose. */
export function Landing() {
  const texts = useTexts()
  const { data, error, refetch } = useAuctions()
  const running = data && findRunning(data.pages, connection.clock.now())
  useRedirect(data && (running ? { to: '/sessions/$session', params: { session: running.id } } : { to: '/' }))
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return <p className="quiet">{texts.loading}</p>
}
