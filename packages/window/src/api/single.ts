import { etag, type ItemId, type LotId, type Session, type Tagged } from '@auction-catalogue/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { useMay } from './house.ts'
import { ask, etagOf, knownItem, knownLot, putItem, putLots, useRecords, type Item } from './records.ts'
import { readLot } from './staffed.ts'
import { store } from './store.ts'

/** A lot, at once if it is known. */
export function useLot(id: LotId) {
  const { error, refetch } = useQuery({
    queryKey: ['lot', id],
    queryFn: async ({ signal }) => {
      const asked = ask()
      putLots([await readLot(id, { signal })], asked)
      return null
    },
  })
  return { data: useRecords(() => knownLot(id)), error, refetch }
}

/** Reads an item anew, and its ETag. */
export async function readItem(id: ItemId): Promise<{ item: Item; etag: string }> {
  const asked = ask()
  const item = await catalogue().items.get(id, { expand: ['images'] })
  putItem(item, item[etag]!, asked)
  return { item, etag: item[etag]! }
}

const itemQuery = (id: ItemId) =>
  queryOptions({ queryKey: ['item', id], queryFn: async () => (await readItem(id)) && null })

/** An item, at once if it is known, and its ETag; null while that is not known. */
export function useItem(id: ItemId) {
  const { error, refetch } = useQuery(itemQuery(id))
  const item = useRecords(() => knownItem(id))
  return { item, etag: useRecords(() => (item ? etagOf(item) : null)), error, refetch }
}

/** Takes an item that was written. The answer to a repeated write has no ETag, which the next save needs. */
export function putWrittenItem(item: Tagged<Item>): void {
  putItem(item, item[etag] ?? null)
  if (!item[etag]) void store.invalidateQueries(itemQuery(item.id))
  void store.invalidateQueries({ queryKey: ['staff items'] })
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
