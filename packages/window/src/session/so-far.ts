import type { SessionId } from '@auction-catalogue/client'
import { useLots, useSession } from '../api/index.ts'
import { useTexts } from '../texts/texts.tsx'

/** How many lots of a session are loaded, in words; undefined once all of them are. */
export function useSoFar(id: SessionId): string | undefined {
  const texts = useTexts()
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  if (data?.complete) return undefined
  return session ? texts.loadingLots(data?.lots.length ?? 0, session.counts.lots) : texts.loading
}
