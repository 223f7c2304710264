// Sends the first requests before the rest of the program has loaded.
import type { SessionId } from '@auction-catalogue/client'
import { auctionsQuery, connection, discoveryQuery, lotsQuery, store, takeKeyFromAddress } from './api/index.ts'
import { findRunning } from './sales/state.ts'

async function readAhead(): Promise<void> {
  void store.prefetchQuery(discoveryQuery)
  const session = /^#\/sessions\/(ses_[^/?]+)/.exec(location.hash)?.[1] as SessionId | undefined
  if (session) return store.prefetchQuery(lotsQuery(session))
  const auctions = await store.fetchInfiniteQuery(auctionsQuery)
  const running = findRunning(auctions.pages, connection.clock.now())
  if (location.hash === '#/now' && running) await store.prefetchQuery(lotsQuery(running.id))
}

takeKeyFromAddress()
// The page that needs the answer shows the error.
if (connection.key !== null) readAhead().catch(() => undefined)
