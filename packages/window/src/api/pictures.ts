import type { ItemId, ManagedImage } from '@auction-catalogue/client'
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { pause, takeTurn } from './turns.ts'

export type Pictures = ReadonlyMap<ItemId, ManagedImage[]>
const noPictures: Pictures = new Map()

/** All pictures of the items that were looked at. */
const picturesQuery = queryOptions({
  queryKey: ['pictures'],
  queryFn: (): Pictures => noPictures,
  initialData: noPictures,
  staleTime: Infinity,
  gcTime: Infinity,
  structuralSharing: false,
})
export const usePicturesSeen = (): Pictures => useQuery(picturesQuery).data

const readPictures = (client: QueryClient): Pictures => client.getQueryData(picturesQuery.queryKey) ?? noPictures

function keepPictures(client: QueryClient, item: ItemId, images: ManagedImage[]): void {
  client.setQueryData(picturesQuery.queryKey, (seen = noPictures) => new Map(seen).set(item, images))
}

/** The pictures of an item have changed: who needs them looks again. */
export function forgetPictures(client: QueryClient, item: ItemId): void {
  if (!readPictures(client).has(item)) return
  client.setQueryData(picturesQuery.queryKey, (seen = noPictures) => new Map([...seen].filter(([id]) => id !== item)))
}

const isProcessing = (images: ManagedImage[] | undefined) => images?.some(({ processing }) => processing) ?? false

/** All pictures of an item; read again every two seconds while one is being processed. */
const imagesQuery = (item: ItemId) =>
  queryOptions({
    queryKey: ['images', item],
    queryFn: async ({ signal, client }) => {
      const images: ManagedImage[] = []
      for await (const image of catalogue().images.list(item, {}, { signal })) images.push(image)
      keepPictures(client, item, images)
      return images
    },
    refetchInterval: ({ state }) => (isProcessing(state.data) ? 2_000 : false),
    gcTime: Infinity,
  })
export const useImages = (item: ItemId) => useQuery(imagesQuery(item))

// The changes tell of a picture that is ready, but not of one that failed.
const lookAgainMilliseconds = 30_000

/**
 * Looks at the pictures of items, one item after another, and again at those that are being processed, until a signal. The
 * interface lists the pictures of one item only.
 */
export async function lookAtPictures(
  client: QueryClient,
  listItems: () => readonly ItemId[],
  signal: AbortSignal,
): Promise<void> {
  const seenAt = new Map<ItemId, number>()
  while (!signal.aborted) {
    const seen = readPictures(client)
    const isDue = (id: ItemId) =>
      !seen.has(id) || (isProcessing(seen.get(id)) && Date.now() - (seenAt.get(id) ?? 0) > lookAgainMilliseconds)
    const item = listItems().find((id) => !seen.has(id)) ?? listItems().find(isDue)
    await (item === undefined ? pause(1_000) : takeTurn(signal))
    if (item === undefined || signal.aborted) continue
    seenAt.set(item, Date.now())
    // A record that cannot be shown is named elsewhere.
    await client.fetchQuery({ ...imagesQuery(item), staleTime: 0 }).catch(() => keepPictures(client, item, []))
  }
}
