import type { CategoryId, ConsignmentId, MakerId, SellerId, StaffItemFilters } from '@auction-catalogue/client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { catalogue } from '../../../api/index.ts'

export const orders = ['-created_at', 'created_at', 'estimate', '-estimate'] as const

/** Which items staff see, in which order, and the session to which they add them, as the address has it. */
export type ItemsSearch = {
  q?: string | undefined
  offered?: string | undefined
  without?: string | undefined
  consignment?: ConsignmentId | undefined
  seller?: SellerId | undefined
  maker?: MakerId | undefined
  category?: CategoryId | undefined
  sort?: string | undefined
  session?: string | undefined
}

/** The items that match, in pages. While an answer is awaited, those of the search before. */
export function useItems(search: ItemsSearch) {
  const { q, offered = 'never', without, consignment, seller, maker, category, sort } = search
  // The service refuses a search without a letter or a digit.
  const words = /[\p{L}\p{N}]/u.test(q ?? '') ? q : undefined
  const query = {
    consignment,
    seller,
    ...(without && { without: without as NonNullable<StaffItemFilters['without']> }),
    ...(offered !== 'all' && { offered: offered as NonNullable<StaffItemFilters['offered']> }),
    ...(words !== undefined && { q: words }),
    ...(maker && { maker: [maker] }),
    ...(category && { category: [category] }),
    ...(sort && { sort: sort as (typeof orders)[number] }),
  }
  return useInfiniteQuery({
    queryKey: ['staff items', query],
    queryFn: ({ pageParam: cursor, signal }) =>
      catalogue()
        .staff.items.search({ ...query, expand: ['images'], limit: 100, cursor }, { signal })
        .page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}
