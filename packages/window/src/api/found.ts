import type { FacetValue, Session } from '@auction-catalogue/client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { useMay } from './house.ts'
import type { Lot } from './records.ts'
import type { Search } from './search.ts'
import { whenFollowing } from './store.ts'

/** A found lot, and its session if the key may read it. */
export type FoundLot = { lot: Lot; session: Session | undefined }

/** What results are counted by, as far as the key may read it. */
export type Facets = Partial<Record<'session' | 'category' | 'maker' | 'result', FacetValue[]>>

/** The lots of all sales that a search finds, in pages. While its answer is awaited, those of the search before. */
export function useResults({ q = '', category, maker, session, result }: Search) {
  const filters = { session, result }
  const mayReadSales = useMay('auctions.read')
  const mayReadCategories = useMay('categories.read')
  return useInfiniteQuery({
    queryKey: ['found', { q, category, maker, ...filters }, mayReadSales, mayReadCategories],
    queryFn: async ({ pageParam: cursor, signal }) => {
      await whenFollowing()
      const page = await catalogue()
        .lots.search(
          {
            q,
            ...filters,
            ...(category && { category: [category] }),
            ...(maker && { maker: [maker] }),
            expand: ['item.images', ...(mayReadSales ? (['session'] as const) : [])],
            facets: [
              'maker',
              'result',
              ...(mayReadCategories ? (['category'] as const) : []),
              ...(mayReadSales ? (['session'] as const) : []),
            ],
            cursor,
          },
          { signal },
        )
        .page()
      const found = page.data.map(({ session, ...lot }): FoundLot =>
        typeof session === 'string'
          ? { lot: { ...lot, session }, session: undefined }
          : { lot: { ...lot, session: session.id }, session },
      )
      return { ...page, found, facets: page.facets }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
}

/**
 * The items that a search finds, in pages: for staff those that are in no lot. Not asked for while the search is narrowed to
 * lots.
 */
export function useFoundItems({ q = '', category, maker, session, result }: Search) {
  const isStaff = useMay('staff')
  const mayReadCategories = useMay('categories.read')
  return useInfiniteQuery({
    queryKey: ['found', 'items', { q, category, maker }, isStaff, mayReadCategories],
    queryFn: async ({ pageParam: cursor, signal }) => {
      await whenFollowing()
      const { items, staff } = catalogue()
      const query = {
        q,
        ...(category && { category: [category] }),
        ...(maker && { maker: [maker] }),
        expand: ['images'] as const,
        facets: ['maker', ...(mayReadCategories ? (['category'] as const) : [])] as const,
        cursor,
      }
      const list = isStaff
        ? staff.items.search({ ...query, offered: 'never' }, { signal })
        : items.search(query, { signal })
      const page = await list.page()
      return { ...page, found: page.data, facets: page.facets }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: q !== '' && session === undefined && result === undefined,
    placeholderData: keepPreviousData,
  })
}
