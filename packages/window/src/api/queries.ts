import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AuctionId, SessionId } from '@auction-catalogue/client'
import { catalogue } from './catalogue.ts'
import { useMay } from './house.ts'
import { readSession } from './staffed.ts'
import { ask, knownSession, putSession, useRecords } from './records.ts'

export const auctionsQuery = infiniteQueryOptions({
  queryKey: ['auctions'],
  queryFn: ({ pageParam: cursor, signal }) =>
    catalogue()
      .auctions.list({ expand: ['sessions'], limit: 100, cursor }, { signal })
      .page(),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})
export const useAuctions = () => useInfiniteQuery(auctionsQuery)

/** The auction of a session; none until the session is known. */
export const useAuction = (id: AuctionId | undefined) =>
  useQuery({
    queryKey: ['auction', id],
    queryFn: ({ signal }) => catalogue().auctions.get(id!, { signal }),
    enabled: id !== undefined,
  })

/** A session with its lots counted, which the wall shows until they are all loaded; none if the key may not read it. */
export function useSession(id: SessionId) {
  const { error, refetch } = useQuery({
    queryKey: ['session', id],
    queryFn: async ({ signal }) => {
      const asked = ask()
      putSession(await readSession(id, signal), asked)
      return null
    },
    enabled: useMay('auctions.read'),
  })
  return { data: useRecords(() => knownSession(id)), error, refetch }
}
