import type { SessionId } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { usePermissions } from './house.ts'

/** How many bids stand on each lot of a session, for staff. They are counted again every ten seconds. */
export function useBidCounts(session: SessionId) {
  const { isStaff, isForClient } = usePermissions()
  const isShown = isStaff && !isForClient
  const { data } = useQuery({
    queryKey: ['bids', session],
    queryFn: async ({ signal }) => {
      const counts = await catalogue().staff.bids.count(session, { signal })
      return new Map(counts.map(({ lot, bids }) => [lot, bids]))
    },
    enabled: isShown,
    refetchInterval: 10_000,
  })
  return isShown ? data : undefined
}
