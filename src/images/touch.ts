import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { touchItems } from '../items/touch.ts'
import { noteChange } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import { listAlts } from './alts.ts'
import {
  deleteRow,
  findGallery,
  insertImage,
  placeImages,
  type NewImage,
  type PlacedImage,
  type Placement,
  type StoredImage,
} from './statements.ts'

// Each verb notes for the journal what it changes. A change that a reader of the gallery sees is one of the item too.

// The locked item of the images.
type Item = { id: string; uuid: string }

const about = ({ uuid }: Item) => ({ about: { kind: 'item', uuid } as const })

/** Adds an image to an item. Returns its internal id. */
export async function addImage(tx: Context, item: Item, image: Omit<NewImage, 'item'>): Promise<string> {
  const { uuid, reference, visible, alts, position } = image
  const id = await insertImage(tx, { ...image, item: item.id })
  if (visible) await touchItems(tx, [item.id])
  const texts = listAlts(alts, tx.house.defaultLocale)
  const values = { external_reference: reference, public: visible, ...texts, gallery_position: position }
  noteChange(tx, { kind: 'image', uuid }, {}, values, about(item))
  return id
}

/** Changes a locked image. Writes nothing if nothing differs. */
export async function touchImage(
  tx: Context,
  item: Item,
  stored: StoredImage,
  changes: Partial<Pick<StoredImage, 'processing' | 'alts'>>,
): Promise<void> {
  const show = ({ processing, alts }: StoredImage) => ({ processing, ...listAlts(alts, tx.house.defaultLocale) })
  const [before, after] = [show(stored), show({ ...stored, ...changes })]
  if (isDeepStrictEqual(before, after)) return
  const { alts, ...columns } = changes
  await touch(tx, 'images', stored.id, { ...columns, ...(alts && { alts: JSON.stringify(alts) }) })
  if (alts && stored.public) await touchItems(tx, [item.id])
  noteChange(tx, { kind: 'image', uuid: stored.uuid }, before, after, about(item))
}

/** Deletes the row of a locked image. Those behind it in the gallery move up. */
export async function removeImage(tx: Context, item: Item, image: StoredImage): Promise<void> {
  const gallery = image.public ? await findGallery(tx, item.id) : []
  await deleteRow(tx, image.id)
  if (image.public) await touchItems(tx, [item.id])
  const values = { external_reference: image.external_reference, public: image.public }
  noteChange(tx, { kind: 'image', uuid: image.uuid }, values, {}, about(item))
  const place = gallery.findIndex(({ id }) => id === image.id)
  for (const [index, { uuid }] of gallery.entries())
    if (index > place)
      noteChange(tx, { kind: 'image', uuid }, { gallery_position: index }, { gallery_position: index - 1 }, about(item))
}

/**
 * Makes the `gallery` of an item from its locked `images`, and all others private. An omitted `featured` is kept.
 * Returns whether anything differs; if not, it writes nothing.
 */
export async function touchGallery(
  tx: Context,
  item: Item,
  images: PlacedImage[],
  gallery: PlacedImage[],
  featured: string | null | undefined,
): Promise<boolean> {
  const current = images.filter((image) => image.public)
  const placements: Placement[] = []
  const show = (place: number, isFeatured: boolean) => ({
    public: place >= 0,
    featured: place >= 0 && isFeatured,
    gallery_position: place >= 0 ? place : null,
  })
  for (const image of images) {
    const before = show(current.indexOf(image), image.featured)
    const isFeatured = featured === undefined ? before.featured : image.uuid === featured
    const after = show(gallery.indexOf(image), isFeatured)
    noteChange(tx, { kind: 'image', uuid: image.uuid }, before, after, about(item))
    const { gallery_position: position, ...flags } = after
    placements.push({ id: image.id, ...flags, position, visibly: !isDeepStrictEqual(before, after) })
  }
  if (!placements.some(({ visibly }) => visibly)) return false
  await placeImages(tx, placements)
  await touchItems(tx, [item.id])
  return true
}
