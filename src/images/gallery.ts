import type { Context, Written } from '../context.ts'
import { noteChange } from '../writes/journal.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { fieldError } from '../http/body/validation.ts'
import type { ItemExpansion } from '../items/document.ts'
import { findItem } from '../items/items.ts'
import { touchItem } from '../items/touch.ts'
import { Problem, validationFailed } from '../problems.ts'
import { folderFits, moveRenditions } from './files.ts'
import { selectItemOfImages } from './queries.ts'
import { lockGallery, placeImages, type PlacedImage } from './statements.ts'

/** The UUIDs of the new gallery in order, and of its featured image. An omitted field is kept. */
export type GalleryChange = { images?: string[]; featured?: string | null }

/**
 * Makes the listed images the item's public gallery, in that order, and all others private. Returns the item's document
 * with its images expanded.
 * @throws Problem not-found, precondition-failed, precondition-required, validation-failed, integrity-unavailable if a
 *   listed id belongs to several images
 */
export async function replaceGallery(context: Context, itemUuid: string, change: GalleryChange): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const item = await findItem(tx, itemUuid, 'for update')
    const select = (names: readonly ItemExpansion[]) => selectItemOfImages(tx, item, names)
    await requireLocked(tx, item, select)
    const images = await lockGallery(tx, item)
    const gallery = arrange(images, change)
    const changed = await place(tx, itemUuid, images, gallery, change.featured)
    if (changed) await touchItem(tx, item)
    return readWritten(tx, select(['images']))
  })
}

function arrange(images: PlacedImage[], change: GalleryChange): PlacedImage[] {
  const current = images.filter((image) => image.public)
  const find = (uuid: string) => images.filter((image) => image.uuid === uuid)
  const wanted = change.images?.map(find) ?? current.map((image) => [image])
  const errors = wanted.flatMap((found, at) =>
    found.length === 0 ? [fieldError(`images.${at}`, 'unavailable', 'is not an image of this item')] : [],
  )
  if (typeof change.featured === 'string' && !wanted.some(([image]) => image?.uuid === change.featured))
    errors.push(fieldError('featured', 'unavailable', 'must be an image of the gallery'))
  if (errors.length > 0) throw validationFailed(errors)
  if (wanted.some((found) => found.length > 1))
    throw new Problem('integrity-unavailable', 'Several images of the item share an identity.')
  return wanted.map(([image]) => image!)
}

/** Writes the differences. Returns whether a reader of the gallery can see a change. */
async function place(
  tx: Context,
  itemUuid: string,
  images: PlacedImage[],
  gallery: PlacedImage[],
  featured: string | null | undefined,
): Promise<boolean> {
  const places = new Map(gallery.map((image, position) => [image, position]))
  const earlier = new Map(images.filter((image) => image.public).map((image, position) => [image, position]))
  const placements = images.map((image) => {
    const position = places.get(image) ?? null
    const wasFeatured = image.public && image.featured
    const isFeatured = position !== null && (featured === undefined ? wasFeatured : image.uuid === featured)
    const visibly = position !== (earlier.get(image) ?? null) || isFeatured !== wasFeatured
    return { id: image.id, public: position !== null, featured: isFeatured, position, visibly }
  })
  for (const [index, image] of images.entries()) {
    const { public: isPublic, featured, position } = placements[index]!
    const earlierPlace = earlier.get(image) ?? null
    const before = { public: image.public, featured: image.public && image.featured, gallery_position: earlierPlace }
    const after = { public: isPublic, featured, gallery_position: position }
    const about = { kind: 'item', uuid: itemUuid } as const
    noteChange(tx, { kind: 'image', uuid: image.uuid }, before, after, { about })
  }
  if (!placements.some(({ visibly }) => visibly)) return false
  await placeImages(tx, placements)
  for (const image of images)
    if (image.renditions !== null && !folderFits(image.renditions, places.has(image)))
      await moveRenditions(tx, image.id)
  return true
}
