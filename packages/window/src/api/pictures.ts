import { CatalogueError, type ItemId, type ManagedImage } from '@auction-catalogue/client'
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { pause, takeTurn } from './turns.ts'

export type Pictures = ReadonlyMap<ItemId, ManagedImage[]>

/** All pictures of the items read so far, and the errors of items that could not be read. */
type Looks = { seen: Pictures; missed: ReadonlyMap<ItemId, unknown> }
const noLooks: Looks = { seen: new Map(), missed: new Map() }

const looksQuery = queryOptions({
  queryKey: ['pictures'],
  queryFn: (): Looks => noLooks,
  initialData: noLooks,
  staleTime: Infinity,
  gcTime: Infinity,
  structuralSharing: false,
})
export const useLooks = (): Looks => useQuery(looksQuery).data

const readLooks = (client: QueryClient): Looks => client.getQueryData(looksQuery.queryKey) ?? noLooks

/** Stores the outcome of the last read of an item's pictures. Pictures from before a failure stay. */
function keepLook(client: QueryClient, item: ItemId, look: { images: ManagedImage[] } | { error: unknown }): void {
  const [seen, missed] = [new Map(readLooks(client).seen), new Map(readLooks(client).missed)]
  missed.delete(item)
  if ('images' in look) seen.set(item, look.images)
  else missed.set(item, look.error)
  client.setQueryData(looksQuery.queryKey, { seen, missed })
}

/** The pictures of an item have changed: pages that need them read them again. */
export function forgetPictures(client: QueryClient, item: ItemId): void {
  const [seen, missed] = [new Map(readLooks(client).seen), new Map(readLooks(client).missed)]
  const isKnown = [seen.delete(item), missed.delete(item)].includes(true)
  if (isKnown) client.setQueryData(looksQuery.queryKey, { seen, missed })
}

const isProcessing = (images: ManagedImage[] | undefined) => images?.some(({ processing }) => processing) ?? false

/** All pictures of an item, read again every two seconds while one is being processed. */
const imagesQuery = (item: ItemId) =>
  queryOptions({
    queryKey: ['images', item],
    queryFn: async ({ signal, client }) => {
      const images: ManagedImage[] = []
      for await (const image of catalogue().images.list(item, {}, { signal })) images.push(image)
      keepLook(client, item, { images })
      return images
    },
    refetchInterval: ({ state }) => (isProcessing(state.data) ? 2_000 : false),
    gcTime: Infinity,
  })
export const useImages = (item: ItemId) => useQuery(imagesQuery(item))

// The changes include a picture that is ready, but not one that failed.
const lookAgainMilliseconds = 30_000

/**
 * Reads the pictures of items, one item after another, until a signal. Reads them again while one is being processed or
 * after an error. The interface lists the pictures of one item only.
 */
export async function lookAtPictures(
  client: QueryClient,
  listItems: () => readonly ItemId[],
  signal: AbortSignal,
): Promise<void> {
  const lookedAt = new Map<ItemId, number>()
  while (!signal.aborted) {
    const { seen, missed } = readLooks(client)
    const isNew = (id: ItemId) => !seen.has(id) && !missed.has(id)
    const isDue = (id: ItemId) =>
      (missed.has(id) || isProcessing(seen.get(id))) && Date.now() - (lookedAt.get(id) ?? 0) > lookAgainMilliseconds
    const item = listItems().find(isNew) ?? listItems().find(isDue)
    await (item === undefined ? pause(1_000) : takeTurn(signal))
    if (item === undefined || signal.aborted) continue
    lookedAt.set(item, Date.now())
    await client.fetchQuery({ ...imagesQuery(item), staleTime: 0 }).catch((error: unknown) => {
      // An archived item has no pictures any more.
      const isGone = error instanceof CatalogueError && error.status === 404
      keepLook(client, item, isGone ? { images: [] } : { error })
    })
  }
}
