import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import type { ItemId, LotId, Session, SessionId } from '@auction-catalogue/client'
import { catalogue } from './catalogue.ts'
import { whenFollowing } from './following.ts'
import { useMay } from './house.ts'
import { itemIdOf, itemOf, loadFirstLots, loadLots, type Lots } from './lots.ts'
import { readItem, type CountedSession, type Lot, type StoredItem } from './records.ts'

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
      return await loadLots(session, known.lots, signal, (lots) => {
        // Fewer lots never replace those on the page.
        if (lots.lots.length <= shown) return
        shown = lots.lots.length
        client.setQueryData(['lots', session], lots)
      })
    },
    staleTime: Infinity,
    structuralSharing: false,
  })

export const useLots = (session: SessionId) => useQuery(lotsQuery(session))

/**
 * The numbers of lots of sessions, by session; nothing for a key that may not read lots. The list has the newest first,
 * and is read until it has them all.
 */
export function useLotCounts(sessions: readonly SessionId[]) {
  const mayRead = useMay('lots.read')
  return useQuery({
    queryKey: ['counts', sessions],
    queryFn: async ({ signal }) => {
      await whenFollowing()
      const counts = new Map<SessionId, number>()
      for await (const { data } of catalogue()
        .sessions.list({ expand: ['counts'] }, { signal })
        .pages()) {
        for (const session of data) counts.set(session.id, session.counts.lots)
        if (sessions.every((id) => counts.has(id))) break
      }
      return counts
    },
    enabled: mayRead && sessions.length > 0,
    placeholderData: keepPreviousData,
  })
}

/** A lot, at once if a wall has it. */
export function useLot(id: LotId) {
  const client = useQueryClient()
  return useQuery<Lot>({
    queryKey: ['lot', id],
    queryFn: ({ signal }) => catalogue().lots.get(id, { signal }),
    placeholderData: () => findLoaded(client, (lot) => lot.id === id),
  })
}

/** An item with its ETag. At once, but without its ETag, if a wall has it. */
export function useItem(id: ItemId) {
  const client = useQueryClient()
  return useQuery<StoredItem>({
    queryKey: ['item', id],
    queryFn: () => readItem(id),
    placeholderData: () => {
      const lot = findLoaded(client, (each) => itemIdOf(each) === id)
      const record = lot && itemOf(lot)
      return record ? { record, etag: null } : undefined
    },
  })
}

function findLoaded(client: QueryClient, isIt: (lot: Lot) => boolean): Lot | undefined {
  for (const [, loaded] of client.getQueriesData<Lots>({ queryKey: ['lots'] })) {
    const lot = loaded?.lots.find(isIt)
    if (lot) return lot
  }
  return undefined
}

type Named = { name?: string | null; number?: string }

/** The record of a seller, maker, category and so on. */
export const useNamed = <Id extends string>(id: Id, read: (id: Id) => Promise<Named>) =>
  useQuery({ queryKey: ['named', id], queryFn: () => read(id), staleTime: 300_000 })

/** The increments of a session, in ascending order; undefined if it has none or the key may not read them. */
export function useIncrements({ increment_strategy: id }: Session) {
  const mayRead = useMay('bidding_step_configurations.read')
  const { data } = useQuery({
    queryKey: ['increments', id],
    queryFn: ({ signal }) => catalogue().incrementStrategies.get(id!, { signal }),
    enabled: mayRead && id !== null,
    staleTime: 300_000,
  })
  return data?.steps
}
