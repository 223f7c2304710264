import type { Context, Written } from '../context.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { fieldError } from '../http/body/validation.ts'
import type { ItemExpansion } from '../items/document.ts'
import { Problem, validationFailed } from '../problems.ts'
import { folderFits, moveRenditions } from './files.ts'
import { selectItemOfImages } from './queries.ts'
import { lockGallery, type PlacedImage } from './statements.ts'
import { touchGallery } from './touch.ts'
import { findItem } from '../items/locks.ts'

/** The UUIDs of the new gallery in order, and of its featured image. An omitted field is kept. */
type GalleryChange = { images?: string[]; featured?: string | null }

/**
 * Makes the listed images the item's public gallery, in that order, and all others private. Returns the item's document
 * with its images expanded.
 * @throws Problem not-found, precondition-failed, precondition-required, validation-failed, integrity-unavailable if a
 *   listed id belongs to several images
 */
export async function replaceGallery(context: Context, itemUuid: string, change: GalleryChange): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const id = await findItem(tx, itemUuid, 'for update')
    const select = (names: readonly ItemExpansion[]) => selectItemOfImages(tx, id, names)
    await requireLocked(tx, id, select)
    const images = await lockGallery(tx, id)
    const gallery = arrange(images, change)
    if (await touchGallery(tx, { id, uuid: itemUuid }, images, gallery, change.featured)) {
      for (const image of images)
        if (image.renditions !== null && !folderFits(image.renditions, gallery.includes(image)))
          await moveRenditions(tx, image.id)
    }
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
