import { CatalogueError, type ItemId, type ManagedImage } from '@auction-catalogue/client'
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { pause, takeTurn } from './turns.ts'

export type Pictures = ReadonlyMap<ItemId, ManagedImage[]>

/** All pictures of the items that were looked at, and why those of other items could not be. */
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

/** Keeps how the last look at the pictures of an item ended. What was seen before one that failed is kept too. */
function keepLook(client: QueryClient, item: ItemId, look: { images: ManagedImage[] } | { error: unknown }): void {
  const [seen, missed] = [new Map(readLooks(client).seen), new Map(readLooks(client).missed)]
  missed.delete(item)
  if ('images' in look) seen.set(item, look.images)
  else missed.set(item, look.error)
  client.setQueryData(looksQuery.queryKey, { seen, missed })
}

/** The pictures of an item have changed: who needs them looks again. */
export function forgetPictures(client: QueryClient, item: ItemId): void {
  const [seen, missed] = [new Map(readLooks(client).seen), new Map(readLooks(client).missed)]
  const isKnown = [seen.delete(item), missed.delete(item)].includes(true)
  if (isKnown) client.setQueryData(looksQuery.queryKey, { seen, missed })
}

const isProcessing = (images: ManagedImage[] | undefined) => images?.some(({ processing }) => processing) ?? false

/** All pictures of an item; read again every two seconds while one is being processed. */
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

// The changes tell of a picture that is ready, but not of one that failed.
const lookAgainMilliseconds = 30_000

/**
 * Looks at the pictures of items, one item after another, and again at those that are being processed or could not be looked
 * at, until a signal. The interface lists the pictures of one item only.
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
