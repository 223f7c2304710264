import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { readOne } from '../db/reads.ts'
import { advance } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { fieldError } from '../request/validation.ts'
import { items } from '../items/document.ts'
import { touchItem } from '../items/touch.ts'
import { Problem, validationFailed } from '../problems.ts'
import { folderFits, moveRenditions } from './files.ts'
import { findItem } from './queries.ts'

/** The new gallery by the UUIDs of its images in order, and its featured image; what is left out is kept. */
export type GalleryChange = { images?: string[]; featured?: string | null }

type StoredImage = {
  id: string
  uuid: string | null
  public: boolean
  featured: boolean
  position: number | null
  renditions: string | null
}
type NewState = Pick<StoredImage, 'public' | 'featured' | 'position'>

/**
 * Numbers the public images of an item from 0 in their order, which legacy positions need not do, and gives their
 * number. The caller holds the item's lock.
 */
export async function closeGaps(db: Database, house: string, item: string): Promise<number> {
  await sql`update catalogue.images image set position = placed.place
    from (select id, row_number() over (order by position, created_at, public_id, id) - 1 as place
      from catalogue.images where house_id = ${house} and item_id = ${item} and public) placed
    where image.house_id = ${house} and image.id = placed.id and image.position is distinct from placed.place`.execute(
    db,
  )
  const { rows } = await sql<{ size: number }>`select count(*)::int as size from catalogue.images
    where house_id = ${house} and item_id = ${item} and public`.execute(db)
  return rows[0]!.size
}

/**
 * Makes the listed images the item's public gallery, in that order, and all its others private; gives the item's
 * document with its images expanded.
 * @throws Problem not-found, validation-failed, integrity-unavailable when a listed id belongs to several images
 */
export async function replaceGallery(context: Context, itemUuid: string, change: GalleryChange): Promise<string> {
  return inTransaction(context, async ({ db }) => {
    const tx = { ...context, db }
    const item = await findItem(tx, itemUuid, sql`for update`)
    const { rows: images } = await sql<StoredImage>`
      select id, public_id as uuid, public, featured, position, renditions from catalogue.images
      where house_id = ${tx.house.id} and item_id = ${item} order by position, created_at, public_id, id for update`.execute(
      db,
    )
    const gallery = arrange(images, change)
    const changed = await store(tx, images, gallery, change.featured)
    if (changed) await touchItem(tx, item)
    const where = sql`i.house_id = ${tx.house.id} and i.id = ${item}`
    return readOne(db, { ...items(tx, ['images']), where })
  })
}

function arrange(images: StoredImage[], change: GalleryChange): StoredImage[] {
  const current = images.filter((image) => image.public)
  const find = (uuid: string) => images.filter((image) => image.uuid === uuid)
  const wanted = change.images?.map(find) ?? current.map((image) => [image])
  const errors = wanted.flatMap((found, at) => (found.length === 0 ? [fieldError(`images.${at}`, 'unavailable')] : []))
  if (typeof change.featured === 'string' && !wanted.some(([image]) => image?.uuid === change.featured))
    errors.push(fieldError('featured', 'unavailable', 'names no image of the gallery'))
  if (errors.length > 0) throw validationFailed(errors)
  if (wanted.some((found) => found.length > 1))
    throw new Problem('integrity-unavailable', 'Several images of the item share an identity.')
  return wanted.map(([image]) => image!)
}

/** Writes what differs, and says whether a reader of the gallery could tell. */
async function store(
  { db, house, now }: Context,
  images: StoredImage[],
  gallery: StoredImage[],
  featured: string | null | undefined,
): Promise<boolean> {
  const places = new Map(gallery.map((image, place) => [image, place]))
  const earlier = new Map(images.filter((image) => image.public).map((image, place) => [image, place]))
  const updates = images.map((image) => {
    const place = places.get(image) ?? null
    const isFeatured = featured === undefined ? image.public && image.featured : image.uuid === featured
    const next: NewState = { public: place !== null, featured: place !== null && isFeatured, position: place }
    const visibly = place !== (earlier.get(image) ?? null) || next.featured !== (image.public && image.featured)
    return { image, next, visibly }
  })
  if (!updates.some((update) => update.visibly)) return false
  const columns = (pick: (update: (typeof updates)[number]) => unknown) => updates.map(pick)
  await sql`update catalogue.images image set public = next.public, featured = next.featured, position = next.position,
      updated_at = case when next.visibly then ${advance(now, 'image.updated_at')} else image.updated_at end,
      revision = image.revision + case when next.visibly then 1 else 0 end
    from unnest(${columns(({ image }) => image.id)}::bigint[], ${columns(({ next }) => next.public)}::boolean[],
      ${columns(({ next }) => next.featured)}::boolean[], ${columns(({ next }) => next.position)}::integer[],
      ${columns(({ visibly }) => visibly)}::boolean[]) next (id, public, featured, position, visibly)
    where image.house_id = ${house.id} and image.id = next.id`.execute(db)
  for (const { image, next } of updates)
    if (image.renditions !== null && !folderFits(image.renditions, next.public))
      await moveRenditions(db, house.id, image.id)
  return true
}
