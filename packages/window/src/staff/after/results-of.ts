import type {
  AuctionId,
  ConsignmentId,
  ItemId,
  SellerId,
  Session,
  SessionId,
  StaffLotFilters,
} from '@auction-catalogue/client'
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ask, catalogue, isFollowing, putLots, store, whenFollowing, type Lot } from '../../api/index.ts'

/** Whose results are shown, as the address has it. */
export type AfterSearch = {
  seller?: SellerId | undefined
  consignment?: ConsignmentId | undefined
  auction?: AuctionId | undefined
  session?: SessionId | undefined
  result?: 'sold' | 'unsold' | 'withdrawn' | 'none' | undefined
}

/** A lot, and its session. */
export type LotOfSession = { lot: Lot; session: Session }

type Paired = Omit<Lot, 'session'> & { session: Session }
const pair = ({ session, ...lot }: Paired): LotOfSession => ({ lot: { ...lot, session: session.id }, session })

async function readFound(search: AfterSearch, cursor: string | undefined, signal: AbortSignal) {
  const asked = ask()
  const page = await catalogue()
    .staff.lots.search(
      { ...search, expand: ['item.images', 'session'], facets: ['session', 'result'], limit: 100, cursor },
      { signal },
    )
    .page()
  const found = page.data.map((each) => pair(each as Paired))
  putLots(
    found.map(({ lot }) => lot),
    asked,
  )
  return { ...page, found, facets: page.facets }
}

/** The lots of all sales with these results, in pages, counted by session and result. */
export const useResultsOf = (search: AfterSearch) =>
  useInfiniteQuery({
    // Such queries are asked again when lots have changed.
    queryKey: ['found', 'after', search],
    queryFn: async ({ pageParam: cursor, signal, client, queryKey }) => {
      const isCurrent = isFollowing()
      const first = await readFound(search, cursor, signal)
      if (isCurrent) return first
      // Shown at once. What changed before the changes are followed comes with the second answer.
      if (cursor === undefined) client.setQueryData(queryKey, { pages: [first], pageParams: [cursor] })
      await whenFollowing()
      return readFound(search, cursor, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

/** The items of a seller or a consignment that are in a lot without a result, or sold: their unsold lots are done with. */
export const useOfferedAgain = ({ seller, consignment }: AfterSearch) =>
  useQuery({
    queryKey: ['found', 'offered again', seller, consignment],
    queryFn: async ({ signal }) => {
      const ids = new Set<ItemId>()
      for (const offered of ['open', 'sold'] as const)
        for await (const { id } of catalogue().staff.items.list(
          { seller, consignment, offered, limit: 100 },
          { signal },
        ))
          ids.add(id)
      return ids
    },
    enabled: seller !== undefined || consignment !== undefined,
  }).data

const unsoldQuery = (search: AfterSearch) =>
  queryOptions({
    queryKey: ['found', 'unsold', search],
    queryFn: ({ signal }) => readResults({ ...search, result: 'unsold' }, signal),
  })

/** All unsold lots of a search, whatever page they are on. */
export const useUnsold = (search: AfterSearch, enabled: boolean) => useQuery({ ...unsoldQuery(search), enabled }).data

/**
 * Reads them.
 * @throws CatalogueError
 */
export const readUnsold = (search: AfterSearch) => store.fetchQuery(unsoldQuery(search))

/** All lots with these results, with their items. */
export async function readResults(filters: StaffLotFilters, signal: AbortSignal): Promise<LotOfSession[]> {
  const lots: LotOfSession[] = []
  const query = { ...filters, expand: ['item', 'session'] as const, limit: 1000 }
  for await (const each of catalogue().staff.lots.list(query, { signal })) lots.push(pair(each as unknown as Paired))
  return lots
}
