import type { CategoryId, LotId, MakerId, SessionId } from '@auction-catalogue/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { whenFollowing } from './store.ts'

/** What a page of results shows: the words, and what narrows them. */
export type Search = {
  q?: string | undefined
  session?: SessionId | undefined
  category?: CategoryId | undefined
  maker?: MakerId | undefined
  result?: 'sold' | 'unsold' | 'withdrawn' | 'none' | undefined
  /** Whether the page goes on to what is found if it is only one. */
  go?: boolean | undefined
}

/** The longest search that the service takes, in characters. */
export const longestSearch = 200

/** How the service took the words. */
export type Taken = { corrected: Record<string, string[]>; relaxed: boolean; complete: boolean }

const idsQuery = (session: SessionId, q: string) =>
  queryOptions({
    queryKey: ['found', session, q],
    queryFn: async ({ signal }): Promise<Taken & { ids: ReadonlySet<LotId> }> => {
      await whenFollowing()
      const ids = new Set<LotId>()
      let taken: Taken = { corrected: {}, relaxed: false, complete: true }
      for await (const page of catalogue().lots.search({ session, q }, { signal }).pages()) {
        for (const { id } of page.data) ids.add(id)
        taken = page
      }
      return { ...taken, ids }
    },
    enabled: q !== '',
  })

/** The lots of a session that a search finds; undefined without words, and until the service has answered. */
export const useFoundIds = (session: SessionId, q: string) => useQuery(idsQuery(session, q)).data
