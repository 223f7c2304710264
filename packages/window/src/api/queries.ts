import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { SessionId } from '@auction-catalogue/client'
import { catalogue } from './catalogue.ts'
import { whenFollowing } from './store.ts'
import { useMay } from './house.ts'
import { loadFirstLots, loadLots, type Lots } from './lots.ts'
import type { CountedSession } from './records.ts'

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

/** A session with its lots counted, which the wall shows until they are all loaded; none if the key may not read it. */
export const useSession = (id: SessionId) =>
  useQuery({
    queryKey: ['session', id],
    queryFn: ({ signal }): Promise<CountedSession> => catalogue().sessions.get(id, { expand: ['counts'], signal }),
    enabled: useMay('auctions.read'),
  })

export const lotsQuery = (session: SessionId) =>
  queryOptions({
    queryKey: ['lots', session],
    queryFn: async ({ signal, client }): Promise<Lots> => {
      const known = client.getQueryData<Lots>(['lots', session]) ?? (await loadFirstLots(session, signal))
      let shown = known.lots.length
      if (shown > 0) client.setQueryData(['lots', session], known)
      // Changes after this moment are followed, so none is missed between the read and the follower.
      await whenFollowing()
      const readShown = () => client.getQueryData<Lots>(['lots', session])?.lots ?? []
      return await loadLots(session, readShown, signal, (lots) => {
        // Fewer lots never replace those on the page.
        if (lots.lots.length <= shown) return
        shown = lots.lots.length
        client.setQueryData(['lots', session], lots)
      })
    },
    // A page that was left before the last lot leaves some: the next page goes on.
    staleTime: ({ state }) => (state.data?.complete ? Infinity : 0),
    structuralSharing: false,
  })

export const useLots = (session: SessionId) => useQuery(lotsQuery(session))
