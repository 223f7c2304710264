import type { ItemId, ManagedImage, SessionId } from '@auction-catalogue/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { catalogue } from './catalogue.ts'
import { ask, itemIdOf, knownImages, knownLots, putImages, settleImages, useRecords } from './records.ts'
import { whenFollowing } from './store.ts'

/** Why a picture needs attention. */
export const needs = {
  failed: { filter: { failed: true }, has: (image: ManagedImage) => image.processing_failure !== null },
  processing: { filter: { processing: true }, has: (image: ManagedImage) => image.processing },
  private: { filter: { public: false }, has: (image: ManagedImage) => !image.public },
}
export type Need = keyof typeof needs

async function readPictures(list: AsyncIterable<ManagedImage>): Promise<void> {
  const asked = ask()
  const images: ManagedImage[] = []
  for await (const image of list) images.push(image)
  putImages(images, asked)
}

/** All pictures of an item. */
export function useImages(item: ItemId) {
  const isOf = (image: ManagedImage) => image.item === item
  const { data, error, refetch } = useQuery({
    queryKey: ['images', item],
    queryFn: async ({ signal }) => {
      const begun = ask()
      await readPictures(catalogue().images.list(item, {}, { signal }))
      settleImages(isOf, begun)
      return null
    },
  })
  const images = useRecords(() => knownImages(item, isOf))
  return { data: data === undefined ? undefined : images, error, refetch }
}

/** At most so many pictures of a house are listed, for each need. */
export const mostPictures = 100

/** The pictures of the items of a session that have a need; the first of them of a whole house. */
const picturesQuery = (session: SessionId | null, need: Need) =>
  queryOptions({
    queryKey: ['pictures', session, need],
    queryFn: async ({ signal }) => {
      // Later changes are followed, so none is missed.
      await whenFollowing()
      const begun = ask()
      const { filter, has } = needs[need]
      const list = catalogue().images.listAll(
        { ...filter, limit: mostPictures, ...(session && { session }) },
        { signal },
      )
      if (session) {
        await readPictures(list)
        const items = new Set(knownLots(session).map(itemIdOf))
        settleImages((image) => has(image) && items.has(image.item), begun)
      } else {
        const { data, hasMore } = await list.page()
        putImages(data, begun)
        if (hasMore) return { hasMore }
        settleImages(has, begun)
      }
      return { hasMore: false }
    },
    refetchInterval: ({ state }) => (state.error ? 30_000 : false),
    staleTime: Infinity,
  })

/** The known pictures of a house that have a need, once those of a session, or the first of the house, have been read. */
export function usePictures(session: SessionId | null, need: Need) {
  const { data, error, refetch } = useQuery(picturesQuery(session, need))
  const images = useRecords(() => knownImages(need, needs[need].has))
  // The list of a house has room for the next ones.
  const hasRoom = Boolean(data?.hasMore && images.length < mostPictures)
  useEffect(() => {
    if (hasRoom) void refetch()
  }, [hasRoom, refetch])
  return { data: data && images, error }
}
