import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../reads/documents.ts'
import { oldestFirst } from '../reads/keyset.ts'
import { memoize, type Documents, type ListSelection, type Selection } from '../reads/selections.ts'
import { items, type ItemExpansion } from '../items/document.ts'

// These documents name the stored files: `renditions` (a folder) and `original` (a key). addresses.ts makes addresses.
const imagesOfItem = memoize(({ house }) => ({
  table: managedImages(sql`house_id = ${house.id} and item_id = asked.item::bigint`),
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

const managedImages = (which: RawBuilder<unknown>) => sql`(
    select *, row_number() over (partition by item_id, public order by position, created_at, public_id, id) - 1 as place,
      count(*) over (partition by item_id, public_id) > 1 as repeated
    from catalogue.images where ${which}
  )`

/** All images of a house with their documents, for the doctor. */
export function imagesOfHouse(context: Pick<Context, 'house' | 'mediaBase'>): Documents {
  return { ...imagesOfItem(context), table: managedImages(sql`house_id = ${context.house.id}`) }
}

/** The images of an item (by its internal id), in the order of their creation (section 4.8). */
export function selectImages<Of extends Context>(
  context: Of,
  item: string,
  { external_reference }: { external_reference?: string } = {},
): ListSelection<Of> {
  const where = external_reference === undefined ? 'true' : 'image.external_reference = asked.external_reference'
  const asked = { item, external_reference }
  return { context, documents: imagesOfItem(context), where, asked, order: oldestFirst('image') }
}

/** One image of an item (by its internal id). */
export function selectImage<Of extends Context>(context: Of, item: string, uuid: string): Selection<Of> {
  return {
    context,
    documents: imagesOfItem(context),
    where: 'image.public_id = asked.uuid::uuid',
    asked: { item, uuid },
  }
}

/** The item (by its internal id) whose images these are. */
export function selectItemOfImages<Of extends Context>(
  context: Of,
  item: string,
  expand: readonly ItemExpansion[],
): Selection<Of> {
  return { context, documents: items(context, expand), where: 'i.id = asked.item::bigint', asked: { item } }
}
