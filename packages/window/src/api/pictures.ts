import type { ImageId, ItemId, ManagedImage, SessionId } from '@auction-catalogue/client'
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { whenFollowing } from './store.ts'

/** Why a picture needs attention. */
export const needs = {
  failed: { filter: { failed: true }, has: (image: ManagedImage) => image.processing_failure !== null },
  processing: { filter: { processing: true }, has: (image: ManagedImage) => image.processing },
  private: { filter: { public: false }, has: (image: ManagedImage) => !image.public },
}
export type Need = keyof typeof needs

/** A picture as it is now; `record` is null if it is deleted. */
export type PictureChange = { item: ItemId; id: ImageId; record: ManagedImage | null }

type Wanted = (image: ManagedImage) => boolean

// Two items may have pictures with the same id.
const nameOf = ({ item, id }: { item: ItemId; id: ImageId }) => `${item} ${id}`

function change(images: readonly ManagedImage[], changes: readonly PictureChange[], isWanted: Wanted): ManagedImage[] {
  const byName = new Map(images.map((image) => [nameOf(image), image]))
  for (const each of changes) {
    if (each.record && isWanted(each.record)) byName.set(nameOf(each), each.record)
    else byName.delete(nameOf(each))
  }
  return [...byName.values()]
}

// The changes since each read began that is under way: its answer may be older than they are.
const reads = new Set<PictureChange[]>()

async function readPictures(read: () => Promise<ManagedImage[]>, isWanted: Wanted): Promise<ManagedImage[]> {
  const meanwhile: PictureChange[] = []
  reads.add(meanwhile)
  try {
    return change(await read(), meanwhile, isWanted)
  } finally {
    reads.delete(meanwhile)
  }
}

async function readWhole(list: AsyncIterable<ManagedImage>): Promise<ManagedImage[]> {
  const images: ManagedImage[] = []
  for await (const image of list) images.push(image)
  return images
}

const isOf =
  (item: ItemId): Wanted =>
  (image) =>
    image.item === item

/** All pictures of an item. */
export const useImages = (item: ItemId) =>
  useQuery({
    queryKey: ['images', item],
    queryFn: ({ signal }) => readPictures(() => readWhole(catalogue().images.list(item, {}, { signal })), isOf(item)),
    structuralSharing: false,
  })

/** At most so many pictures of a house are listed, for each need. */
export const mostPictures = 100

/** The pictures of the items of a session that have a need; the first of them of a whole house. */
const picturesQuery = (session: SessionId | null, need: Need) =>
  queryOptions({
    queryKey: ['pictures', session, need],
    queryFn: async ({ signal }) => {
      // Later changes are followed, so none is missed.
      await whenFollowing()
      const { filter, has } = needs[need]
      const list = catalogue().images.listAll(
        { ...filter, limit: mostPictures, ...(session && { session }) },
        { signal },
      )
      return await readPictures(async () => (session ? await readWhole(list) : (await list.page()).data), has)
    },
    refetchInterval: ({ state }) => (state.error ? 30_000 : false),
    staleTime: Infinity,
    structuralSharing: false,
  })
export const usePictures = (session: SessionId | null, need: Need) => useQuery(picturesQuery(session, need))

/** Shows changed pictures on all pages. A page of one session ignores those of other items. */
export function showPictures(client: QueryClient, changes: readonly PictureChange[]): void {
  for (const meanwhile of reads) meanwhile.push(...changes)
  for (const item of new Set(changes.map((each) => each.item)))
    client.setQueryData<ManagedImage[]>(
      ['images', item],
      (images) =>
        images &&
        change(
          images,
          changes.filter((each) => each.item === item),
          isOf(item),
        ),
    )
  for (const [queryKey, images] of client.getQueriesData<ManagedImage[]>({ queryKey: ['pictures'] })) {
    if (images === undefined) continue
    const [, session, need] = queryKey as [string, SessionId | null, Need]
    const all = change(images, changes, needs[need].has)
    const changed = session === null ? all.slice(0, mostPictures) : all
    client.setQueryData(queryKey, changed)
    // The list of a house has room for the next ones.
    if (session === null && images.length >= mostPictures && changed.length < mostPictures)
      void client.invalidateQueries({ queryKey })
  }
}
