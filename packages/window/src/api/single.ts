import type { ItemId, LotId, Session } from '@auction-catalogue/client'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { useMay } from './house.ts'
import { itemIdOf, itemOf, type Lots } from './lots.ts'
import { readItem, type Lot, type StoredItem } from './records.ts'

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
