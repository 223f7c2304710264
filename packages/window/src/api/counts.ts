import type { SessionId } from '@auction-catalogue/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { useMay } from './house.ts'
import { whenFollowing } from './store.ts'

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
