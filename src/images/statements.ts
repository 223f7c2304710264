import { sql } from 'kysely'
import type { Context, Scope } from '../context.ts'
import type { SourceSize } from '../media/sources.ts'
import { advance, markChanged, touched } from '../writes/touch.ts'
import type { Alts } from './alts.ts'

/** The columns of an image that its rules need. */
export type StoredImage = {
  id: string
  uuid: string | null
  item_id: string
  external_reference: string | null
  public: boolean
  processing: boolean
  original: string | null
  renditions: string | null
  /** Of the sources in the folder of the renditions. */
  source_widths: number[] | null
  /** What the picture shows, by locale. */
  alts: Alts
}

const stateColumns = sql`id, public_id as uuid, item_id, external_reference, public, processing, original, renditions,
  case when sources_folder = renditions then source_widths end as source_widths, alts`

/** The image with this internal id. Locks the row if `lock` is given. */
export async function findImage(
  { db, house }: Scope,
  id: string,
  lock?: 'for update',
): Promise<StoredImage | undefined> {
  const { rows } = await sql<StoredImage>`
    select ${stateColumns} from catalogue.images where house_id = ${house.id} and id = ${id}
    ${sql.raw(lock ?? '')}`.execute(db)
  return rows[0]
}

/** Locks the images of an item with this public id. Legacy images may share one. */
export async function lockImages(
  { db, house }: Scope,
  item: string,
  uuid: string,
  lock: 'for update' | 'for update nowait',
): Promise<StoredImage[]> {
  const { rows } = await sql<StoredImage>`
    select ${stateColumns} from catalogue.images where house_id = ${house.id} and item_id = ${item} and public_id = ${uuid}
    ${sql.raw(lock)}`.execute(db)
  return rows
}

/** Whether an image of the item has this reference. */
export async function hasImageReference({ db, house }: Scope, item: string, reference: string): Promise<boolean> {
  const image = await db
    .selectFrom('catalogue.images')
    .select('id')
    .where('house_id', '=', house.id)
    .where('item_id', '=', item)
    .where('external_reference', '=', reference)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return image !== undefined
}

/** A new image without renditions. */
export type NewImage = {
  uuid: string
  item: string
  reference: string
  visible: boolean
  position: number | null
  original: string
  type: string
  bytes: number
  width: number
  height: number
  alts: Alts
}

/** Inserts an image. Returns its internal id. */
export async function insertImage({ db, house, now }: Context, image: NewImage): Promise<string> {
  const { id } = await db
    .insertInto('catalogue.images')
    .values({
      house_id: house.id,
      public_id: image.uuid,
      item_id: image.item,
      external_reference: image.reference,
      public: image.visible,
      position: image.position,
      processing: true,
      original: image.original,
      original_type: image.type,
      original_bytes: image.bytes.toString(),
      width: image.width,
      height: image.height,
      alts: JSON.stringify(image.alts),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await markChanged({ db, house }, 'image', [id])
  return id
}

/** Deletes the row of an image. */
export async function deleteRow({ db, house }: Scope, id: string): Promise<void> {
  await db.deleteFrom('catalogue.images').where('house_id', '=', house.id).where('id', '=', id).execute()
  await markChanged({ db, house }, 'image', [id])
}

/** What is known of an image when its original has been decoded. `bytes` is the size of its renditions and sources. */
export type Made = { width: number; height: number; placeholder: string; sources: SourceSize[]; bytes: number }

const madeIn = (folder: string, { width, height, placeholder, sources }: Made) =>
  sql`width = ${width}, height = ${height}, placeholder = ${placeholder}, sources_folder = ${folder},
      source_widths = ${sources.map((source) => source.width)}, source_heights = ${sources.map((source) => source.height)}`

/** Switches an image to all new renditions and sources at once. */
export async function switchNew(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  id: string,
  folder: string,
  made: Made,
): Promise<void> {
  await sql`
    update catalogue.images set processing = false, processing_failed_at = null, renditions = ${folder},
      renditions_bytes = ${made.bytes}, ${madeIn(folder, made)}, ${touched(now)}
    where house_id = ${house.id} and id = ${id}`.execute(db)
  await markChanged({ db, house }, 'image', [id])
}

/** An image that has renditions and no sources in their folder. */
export type Lacking = {
  id: string
  uuid: string | null
  item: string | null
  item_id: string
  original: string | null
  renditions: string
}

const lacking = sql`image.renditions is not null and image.sources_folder is distinct from image.renditions
  and not image.processing`

/** How many images of a house lack sources. */
export async function countLacking({ db, house }: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from catalogue.images image where image.house_id = ${house.id} and ${lacking}`.execute(
    db,
  )
  return rows[0]!.count
}

/** Some images of a house that lack sources, after an internal id. */
export async function findLacking({ db, house }: Scope, after: string): Promise<Lacking[]> {
  const { rows } = await sql<Lacking>`
    select image.id, image.public_id as uuid, item.public_id as item, image.item_id, image.original, image.renditions
    from catalogue.images image
    join catalogue.items item on item.house_id = ${house.id} and item.id = image.item_id
    where image.house_id = ${house.id} and image.id > ${after} and ${lacking} order by image.id limit 100`.execute(db)
  return rows
}

/** Adds sources to the renditions of an image. `bytes` is their size. The document changes, and the record does not. */
export async function addSources({ db, house }: Scope, id: string, folder: string, made: Made): Promise<void> {
  await sql`
    update catalogue.images set ${madeIn(folder, made)}, renditions_bytes = renditions_bytes + ${made.bytes},
      revision = revision + 1
    where house_id = ${house.id} and id = ${id}`.execute(db)
  await markChanged({ db, house }, 'image', [id])
}

/** Switches an image to the folder into which its renditions have been moved. */
export async function switchMoved(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  id: string,
  folder: string,
): Promise<void> {
  await sql`
    update catalogue.images set renditions = ${folder},
      sources_folder = case when sources_folder = renditions then ${folder}::text end, ${touched(now)}
    where house_id = ${house.id} and id = ${id}`.execute(db)
  await markChanged({ db, house }, 'image', [id])
}

/**
 * Records that the renditions of an image failed, unless the image has other files by now. Returns whether it did.
 * `processing`: another attempt follows.
 */
export async function noteFailure(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  { id, original, renditions }: Pick<StoredImage, 'id' | 'original' | 'renditions'>,
  processing: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    update catalogue.images set processing = ${processing}, processing_failed_at = ${now}, ${touched(now)}
    where house_id = ${house.id} and id = ${id}
      and original = ${original} and renditions is not distinct from ${renditions} returning id`.execute(db)
  if (rows.length > 0) await markChanged({ db, house }, 'image', [id])
  return rows.length > 0
}

/** An image with its position in the gallery of its item. */
export type PlacedImage = {
  id: string
  uuid: string | null
  public: boolean
  featured: boolean
  position: number | null
  renditions: string | null
}

const inOrderOfGallery = ({ db, house }: Scope, item: string) =>
  db
    .selectFrom('catalogue.images')
    .select(['id', 'public_id as uuid', 'public', 'featured', 'position', 'renditions'])
    .where('house_id', '=', house.id)
    .where('item_id', '=', item)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('public_id')
    .orderBy('id')

/** The public images of a locked item, in the order of its gallery. */
export async function findGallery(scope: Scope, item: string): Promise<PlacedImage[]> {
  return inOrderOfGallery(scope, item).where('public', '=', true).execute()
}

/** Locks all images of an item, in the order of its gallery. */
export async function lockGallery(scope: Scope, item: string): Promise<PlacedImage[]> {
  return inOrderOfGallery(scope, item).forUpdate().execute()
}

/** The position of an image in a new gallery. `visibly`: a reader of the gallery can see the change. */
export type Placement = {
  id: string
  public: boolean
  featured: boolean
  position: number | null
  visibly: boolean
}

/** Writes the positions of images. */
export async function placeImages({ db, house, now }: Context, placements: Placement[]): Promise<void> {
  const column = <Name extends keyof Placement>(name: Name) => placements.map((placement) => placement[name])
  await sql`
    update catalogue.images image set public = next.public, featured = next.featured, position = next.position,
      updated_at = case when next.visibly then ${advance(now, 'image.updated_at')} else image.updated_at end,
      revision = image.revision + case when next.visibly then 1 else 0 end
    from unnest(${column('id')}::bigint[], ${column('public')}::boolean[], ${column('featured')}::boolean[],
      ${column('position')}::integer[], ${column('visibly')}::boolean[]) next (id, public, featured, position, visibly)
    where image.house_id = ${house.id} and image.id = next.id`.execute(db)
}

/**
 * Renumbers the public images of an item from 0 in their order, because legacy positions may have gaps. Returns their
 * number. The caller holds the item's lock.
 */
export async function closeGaps({ db, house }: Scope, item: string): Promise<number> {
  await sql`
    update catalogue.images image set position = placed.place
    from (select id, row_number() over (order by position, created_at, public_id, id) - 1 as place
      from catalogue.images where house_id = ${house.id} and item_id = ${item} and public) placed
    where image.house_id = ${house.id} and image.id = placed.id and image.position is distinct from placed.place`.execute(
    db,
  )
  const { rows } = await sql<{ size: number }>`
    select count(*)::int as size from catalogue.images
    where house_id = ${house.id} and item_id = ${item} and public`.execute(db)
  return rows[0]!.size
}
