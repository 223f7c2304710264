// The first requests are on their way before the rest of the program is there to draw their answers.
import type { SessionId } from '@auction-catalogue/client'
import { auctionsQuery, connection, lotsQuery, store, takeKeyFromAddress } from './api/index.ts'
import { findRunning } from './sales/state.ts'

async function readAhead(): Promise<void> {
  const session = /^#\/sessions\/(ses_[^/?]+)/.exec(location.hash)?.[1] as SessionId | undefined
  if (session) return store.prefetchQuery(lotsQuery(session))
  const auctions = await store.fetchInfiniteQuery(auctionsQuery)
  const running = findRunning(auctions.pages, connection.clock.now())
  if (location.hash === '#/now' && running) await store.prefetchQuery(lotsQuery(running.id))
}

takeKeyFromAddress()
// Who draws the answer says what is the matter.
if (connection.key !== null) readAhead().catch(() => undefined)
