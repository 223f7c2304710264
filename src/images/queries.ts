import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../db/documents.ts'
import { oldestFirst } from '../db/keyset.ts'
import { readOne, readPage, type Documents, type Page, type PageRequest } from '../db/reads.ts'
import { Problem } from '../problems.ts'

// Until its addresses are printed, a document names the stored files: `renditions` (a folder) and `original` (a key).
function managedImages(which: RawBuilder<unknown>): Documents {
  const table = sql`(
    select *, row_number() over (partition by item_id, public order by position, created_at, public_id, id) - 1 as place,
      count(*) over (partition by item_id, public_id) > 1 as repeated
    from catalogue.images where ${which}
  )`
  const joins = sql`
  join catalogue.items item on item.house_id = image.house_id and item.id = image.item_id and not item.archived
  cross join lateral (
    select row_to_json(r) as json,
      case when image.public_id is null then 'has no public id'
        when image.repeated then 'shares its public id with another image of the item' end as defect
    from (select ${idOf('image', 'image')} as id, ${idOf('item', 'item')} as item, image.external_reference, image.public,
      image.public and image.featured as featured, image.processing,
      case when image.processing_failed_at is not null then json_build_object(
        'code', 'derivative_processing_failed', 'at', ${timeOf('image.processing_failed_at')}) end as processing_failure,
      case when image.public then image.place end as gallery_position, image.renditions, image.original,
      ${timeOf('image.created_at')} as created_at, ${timeOf('image.updated_at')} as updated_at) r
  ) document`
  return { table, as: 'image', joins }
}

/** All images of a house with their documents, for the doctor. */
export function imagesOfHouse(house: string): Documents {
  return managedImages(sql`house_id = ${house}`)
}

function imagesOfItem(house: string, item: string): Documents {
  return managedImages(sql`house_id = ${house} and item_id = ${item}`)
}

/**
 * The internal id of an item that is not archived, locked where the caller says so.
 * @throws Problem not-found
 */
export async function findItem({ db, house }: Context, uuid: string, lock = sql``): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from catalogue.items
    where house_id = ${house.id} and public_id = ${uuid} and not archived ${lock}`.execute(db)
  if (!rows[0]) throw new Problem('not-found', 'There is no such record.')
  return rows[0].id
}

/**
 * A page of an item's images by creation (section 4.8).
 * @throws Problem not-found when the house has no such item
 */
export async function listImages(
  context: Context,
  itemUuid: string,
  filters: { external_reference?: string },
  page: PageRequest,
): Promise<Page> {
  const { db, house } = context
  const item = await findItem(context, itemUuid)
  const byReference =
    filters.external_reference === undefined ? sql`` : sql`and image.external_reference = ${filters.external_reference}`
  const where = sql`image.house_id = ${house.id} ${byReference}`
  return readPage(db, imagesOfItem(house.id, item), where, oldestFirst('image'), page)
}

/**
 * One image of an item.
 * @throws Problem not-found, integrity-unavailable when the item has the identity twice
 */
export async function readImage(context: Context, itemUuid: string, uuid: string): Promise<string> {
  const { db, house } = context
  const item = await findItem(context, itemUuid)
  const where = sql`image.house_id = ${house.id} and image.public_id = ${uuid}`
  return readOne(db, imagesOfItem(house.id, item), where)
}
