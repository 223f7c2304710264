import { kinds } from '../kinds.ts'
import type { Database } from '../db/pool.ts'
import { UnknownOutcome } from '../db/errors.ts'
import { waitForRenditions } from '../jobs/queue.ts'
import { renditionKey } from '../media/object-keys.ts'
import { PictureError } from '../media/pictures.ts'
import type { MediaStore } from '../media/store.ts'
import { reviseItem } from '../items/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import { folderFits, moveRenditions } from './files.ts'
import { addSources, countLacking, findImage, findLacking, type Lacking } from './statements.ts'
import { deriveOriginal, postponeFailure } from './tasks.ts'
import { lockItems } from '../items/locks.ts'

type Stores = { db: Database; media: MediaStore }
type House = { id: string; slug: string }

/** An image that stays without sources, and why. */
export type Left = { house: string; item: string; image: string; reason: string }

/** Pictures at once: as many as there are decoders. */
const atOnce = 2

/** The number of images of these houses that have renditions and no sources. */
export async function countMissing(db: Database, houses: House[]): Promise<number> {
  let sum = 0
  for (const house of houses) sum += await countLacking({ db, house })
  return sum
}

/**
 * Makes the sources of the images that have renditions and no sources, one house after the other, whenever no job makes
 * renditions. Only revisions move: addresses and timestamps stay. An end at any time leaves whole images, and the next
 * run goes on. An image whose original is missing or cannot be decoded stays as it is.
 * @throws Postponed if the store cannot be reached, or is full
 */
export async function deriveMissing(
  { db, media }: Stores,
  houses: House[],
  onProgress: (images: number) => void,
): Promise<{ made: number; left: Left[] }> {
  const left: Left[] = []
  let made = 0
  const images = walk(db, houses)
  const work = async () => {
    for await (const [house, image] of images) {
      await waitForRenditions(db)
      const reason = await deriveOne({ db, media }, house, image)
      if (reason === undefined) made += 1
      else
        left.push({ house: house.slug, item: nameOf('item', image.item), image: nameOf('image', image.uuid), reason })
      onProgress(made + left.length)
    }
  }
  // After a failure the others finish the picture that they have begun, and no further one.
  const stopping = async (error: unknown) => {
    await images.return(undefined)
    throw error
  }
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, () => work().catch(stopping)))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return { made, left }
}

// Older records may lack a public id.
const nameOf = (kind: 'item' | 'image', uuid: string | null) => `${kinds[kind].prefix}_${uuid ?? '?'}`

async function* walk(db: Database, houses: House[]): AsyncGenerator<[House, Lacking]> {
  for (const house of houses)
    for (let page = await findLacking({ db, house }, '0'); page.length > 0;) {
      for (const image of page) yield [house, image]
      page = await findLacking({ db, house }, page.at(-1)!.id)
    }
}

/** Returns why the image stays without sources; undefined if it has some now. */
async function deriveOne({ db, media }: Stores, house: House, image: Lacking): Promise<string | undefined> {
  const { id, item_id, original, renditions } = image
  if (original === null) return 'has no stored original'
  const derived = await deriveOriginal({ media, house }, original).catch((error: Error) => {
    if (error instanceof PictureError) return error
    throw error
  })
  if (derived instanceof PictureError) return derived.message
  const { made, files } = derived
  const names = made.sources.map(({ width }) => width)
  let isForeign = true
  try {
    for (const name of names) await postponeFailure(media.put(renditionKey(renditions, name), files.get(name)!))
    const bytes = names.reduce((sum, name) => sum + files.get(name)!.length, 0)
    await inTransaction({ db, house }, async (tx) => {
      await lockItems(tx, [item_id])
      const locked = await findImage(tx, id, 'for update')
      isForeign = locked?.renditions !== renditions
      // Moved, made anew or deleted meanwhile: the next run finds it if it still lacks sources.
      if (!locked || isForeign || locked.source_widths !== null) return
      await addSources(tx, id, renditions, { ...made, bytes })
      if (!folderFits(renditions, locked.public)) await moveRenditions(tx, id)
      if (locked.public) await reviseItem(tx, item_id)
    })
  } catch (error) {
    // The row may name the files. If it does not, the next run replaces them.
    isForeign &&= !(error instanceof UnknownOutcome)
    throw error
  } finally {
    if (isForeign) await Promise.allSettled(names.map((name) => media.delete(renditionKey(renditions, name))))
  }
  return undefined
}
