import {
  queryOptions,
  infiniteQueryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import type { ItemId, LotId, SessionId } from '@auction-catalogue/client'
import { catalogue } from './catalogue.ts'
import { whenFollowing } from './follow.ts'
import { itemIdOf, itemOf, loadFirstLots, loadLots, type Counted, type Lots } from './lots.ts'
import { readItem, type Lot, type StoredItem } from './records.ts'
import { takeTurn } from './turns.ts'

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

export const useSession = (id: SessionId) =>
  useQuery({ queryKey: ['session', id], queryFn: ({ signal }) => catalogue().sessions.get(id, { signal }) })

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

/** Counts the lots of a session. The interface has no count, so the lots are listed, page after page. */
export const useLotCount = (session: SessionId) =>
  useQuery({
    queryKey: ['count', session],
    queryFn: async ({ signal, client }): Promise<Counted> => {
      const show = (counted: Counted) => client.setQueryData(['count', session], counted)!
      await whenFollowing()
      const wall = client.getQueryData<Lots>(['lots', session])
      if (wall?.complete) return { ids: new Set(wall.lots.map(({ id }) => id)), more: false }
      const ids = new Set<LotId>()
      const pages = catalogue().lots.list({ session, limit: 100 }, { signal })
      await takeTurn(signal)
      for (let page = await pages.page(); ; page = (await page.next())!) {
        for (const { id } of page.data) ids.add(id)
        if (!page.hasMore) return { ids, more: false }
        show({ ids, more: true })
        await takeTurn(signal)
      }
    },
    staleTime: Infinity,
    structuralSharing: false,
    select: ({ ids, more }) => ({ count: ids.size, more }),
  })

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
