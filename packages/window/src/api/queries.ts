import {
  queryOptions,
  infiniteQueryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import * as calls from './calls.ts'
import { whenFollowing } from './follow.ts'
import { itemIdOf, itemOf, loadLots, type Lots } from './lots.ts'
import type { Item, Lot } from './records.ts'

export const auctionsQuery = infiniteQueryOptions({
  queryKey: ['auctions'],
  queryFn: ({ pageParam, signal }) => calls.listAuctions({ cursor: pageParam, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor ?? undefined,
})
export const useAuctions = () => useInfiniteQuery(auctionsQuery)

export const useSession = (id: string) => useQuery({ queryKey: ['session', id], queryFn: () => calls.readSession(id) })

export const lotsQuery = (session: string, client: QueryClient) =>
  queryOptions({
    queryKey: ['lots', session],
    queryFn: async ({ signal }): Promise<Lots> => {
      let shown = client.getQueryData<Lots>(['lots', session])?.lots.length ?? 0
      // What is on show already is not replaced by less.
      const show = (lots: Lots) => {
        if (lots.lots.length <= shown) return
        shown = lots.lots.length
        client.setQueryData(['lots', session], lots)
      }
      if (shown === 0) show({ lots: await firstPage(session, signal), complete: false })
      // A change after this moment is followed, so nothing is missed between reading and following.
      await whenFollowing()
      return await loadLots(session, signal, show)
    },
    staleTime: Infinity,
  })
const firstPage = async (session: string, signal: AbortSignal) =>
  (await calls.listLots(session, { signal }).catch(() => undefined))?.data ?? []

export const useLots = (session: string) => useQuery(lotsQuery(session, useQueryClient()))

/** The number of a session's lots: of one that was never opened, at most 100 are counted. */
export const useLotCount = (session: string) =>
  useQuery({
    queryKey: ['count', session],
    queryFn: async ({ signal }) => {
      const { data, has_more } = await calls.listLots(session, { signal })
      return { count: data.length, more: has_more }
    },
  })

/** A lot, at once where a wall has it. */
export function useLot(id: string) {
  const client = useQueryClient()
  return useQuery<Lot>({
    queryKey: ['lot', id],
    queryFn: () => calls.readLot(id),
    placeholderData: () => findLoaded(client, (lot) => lot.id === id),
  })
}

/** An item with its ETag, at once (and then without one) where a wall has it. */
export function useItem(id: string | undefined) {
  const client = useQueryClient()
  return useQuery<{ record: Item; etag: string | null }>({
    queryKey: ['item', id],
    queryFn: () => calls.readItem(id!),
    enabled: id !== undefined,
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

/** All pictures of an item; read again every two seconds while one is being processed. */
export const imagesQuery = (item: string) =>
  queryOptions({
    queryKey: ['images', item],
    queryFn: ({ signal }) => calls.listImages(item, signal),
    refetchInterval: (query) => (query.state.data?.some((image) => image.processing) ? 2_000 : false),
  })
export const useImages = (item: string) => useQuery(imagesQuery(item))

/** Whether the key may change anything; false until that is known. */
export const useMayWrite = (): boolean =>
  useQuery({ queryKey: ['mayWrite'], queryFn: calls.mayWrite, staleTime: Infinity }).data ?? false

/** The name of a seller, maker, category and so on; null where the key may not read it. */
export const useName = (path: string) =>
  useQuery({
    queryKey: ['name', path],
    queryFn: () =>
      calls
        .readNamed(path)
        .catch((error: { status?: number }) => (error.status === 403 ? null : Promise.reject(error))),
    staleTime: 300_000,
  })
