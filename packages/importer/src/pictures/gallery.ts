import type { GalleryImage, GalleryReplacement, ImageId, ManagedImage } from '@auction-catalogue/client'
import type { Records, SourceRecord } from '../records.ts'

/** An entry of a public gallery in a list of items. */
export type Shown = Pick<GalleryImage, 'id' | 'featured' | 'alt' | 'alt_translations'>

/** A picture of the source that is in the catalogue. `isNew`: this run waits for its processing. */
export type PlacedImage = { source: SourceRecord; record: Records['image']; id: ImageId; isNew: boolean }

/** The public pictures of an item in the order of its gallery. */
export const galleryOf = (managed: ManagedImage[]) =>
  managed.filter((image) => image.public).toSorted((a, b) => a.gallery_position! - b.gallery_position!)

/**
 * The change that puts the source's pictures in its order, in the places that they have among others. Undefined if the
 * gallery needs no change.
 */
export function orderGallery(placed: PlacedImage[], current: Shown[]): GalleryReplacement | undefined {
  const ours = new Set<string>(placed.map(({ id }) => id))
  const positionOf = ({ record }: PlacedImage) => record.position ?? Infinity
  const wanted = placed
    .filter(({ record }) => record.public === true)
    .toSorted((a, b) => (positionOf(a) < positionOf(b) ? -1 : positionOf(a) > positionOf(b) ? 1 : 0))
  const queue = wanted.map(({ id }) => id)
  const images: ImageId[] = []
  for (const { id } of current) {
    if (!ours.has(id)) images.push(id)
    else if (queue.length > 0) images.push(queue.shift()!)
  }
  images.push(...queue)
  const featured = wanted.find(({ record }) => record.featured === true)?.id
  const isFeatured = featured === undefined || current.some((shown) => shown.id === featured && shown.featured)
  const isSame = images.length === current.length && images.every((id, index) => id === current[index]!.id)
  if (isSame && isFeatured) return undefined
  return { ...(!isSame && { images }), ...(!isFeatured && { featured }) }
}

/** The earlier pictures that a change of the gallery moves or features, with the changed fields: `position`, `featured`. */
export function findMoved(
  placed: PlacedImage[],
  current: Shown[],
  { images, featured }: GalleryReplacement,
): Map<SourceRecord, string[]> {
  const present = placed.filter(({ isNew }) => !isNew)
  const ours = new Map<string, SourceRecord>(present.map(({ id, source }) => [id, source]))
  const before = current.map(({ id }) => id).filter((id) => ours.has(id))
  const after = (images ?? before).filter((id) => before.includes(id))
  const moved = new Map<SourceRecord, string[]>()
  for (const [index, id] of after.entries()) {
    const fields = [...(id === before[index] ? [] : ['position']), ...(id === featured ? ['featured'] : [])]
    if (fields.length > 0) moved.set(ours.get(id)!, fields)
  }
  return moved
}
