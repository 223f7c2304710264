import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../db/documents.ts'
import { oldestFirst } from '../db/keyset.ts'
import { memoize, type Documents, type ListSelection, type Selection } from '../db/reads.ts'
import { items, type ItemExpansion } from '../items/document.ts'

// These documents name the stored files: `renditions` (a folder) and `original` (a key). addresses.ts makes addresses.
const images = memoize(({ house }) => ({
  table: sql`catalogue.images`,
  as: 'image',
  parents: sql`
  join catalogue.items item on item.house_id = ${house.id} and item.id = image.item_id and not item.archived`,
  tag: sql`image.id || '.' || image.revision || '.' || image.place || case when image.repeated then 'r' else '' end`,
  joins: sql`
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
  ) document`,
}))

function managedImages(context: Pick<Context, 'house' | 'mediaBase'>, which: RawBuilder<unknown>): Documents {
  const table = sql`(
    select *, row_number() over (partition by item_id, public order by position, created_at, public_id, id) - 1 as place,
      count(*) over (partition by item_id, public_id) > 1 as repeated
    from catalogue.images where ${which}
  )`
  return { ...images(context), table }
}

/** All images of a house with their documents, for the doctor. */
export function imagesOfHouse(context: Pick<Context, 'house' | 'mediaBase'>): Documents {
  return managedImages(context, sql`house_id = ${context.house.id}`)
}

/** The images of an item (by its internal id), in the order of their creation (section 4.8). */
export function selectImages(
  context: Context,
  item: string,
  filters: { external_reference?: string } = {},
): ListSelection {
  const { id } = context.house
  const byReference =
    filters.external_reference === undefined ? sql`` : sql`and image.external_reference = ${filters.external_reference}`
  return {
    ...managedImages(context, sql`house_id = ${id} and item_id = ${item}`),
    where: sql`image.house_id = ${id} ${byReference}`,
    order: oldestFirst('image'),
  }
}

/** One image of an item (by its internal id). */
export function selectImage(context: Context, item: string, uuid: string): Selection {
  const { id } = context.house
  return {
    ...managedImages(context, sql`house_id = ${id} and item_id = ${item}`),
    where: sql`image.house_id = ${id} and image.public_id = ${uuid}`,
  }
}

/** The item (by its internal id) whose images these are. */
export function selectItemOfImages(context: Context, item: string, expand: readonly ItemExpansion[]): Selection {
  return { ...items(context, expand), where: sql`i.house_id = ${context.house.id} and i.id = ${item}` }
}
