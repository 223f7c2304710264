import { sql, type RawBuilder } from 'kysely'
import type { Context, House } from '../context.ts'
import { kinds } from '../kinds.ts'
import { idOf, timeOf } from '../reads/documents.ts'
import { oldestFirst, type Keyset } from '../reads/keyset.ts'
import { memoize, type Documents, type ListSelection, type Selection } from '../reads/selections.ts'
import { items, placeholder, sources, type ItemExpansion } from '../items/document.ts'

// These documents name the stored files: `renditions` (a folder) and `original` (a key). addresses.ts makes addresses.

// `of` has the place in the gallery, whether another image of the item has the same public id, and the item's public id.
const showImage = ({ defaultLocale }: Pick<House, 'defaultLocale'>, of: 'image' | 'gallery') => ({
  tag: sql.raw(
    `image.id || '.' || image.revision || '.' || coalesce(${of}.place::text, '') || case when ${of}.repeated then 'r' else '' end`,
  ),
  joins: sql`
  cross join lateral (
    select row_to_json(r) as json,
      case when image.public_id is null then 'has no public id'
        when ${sql.ref(`${of}.repeated`)} then 'shares its public id with another image of the item'
        when ${sql.ref(`${of}.item_public_id`)} is null then 'belongs to an item without a public id' end as defect
    from (select ${idOf('image', 'image')} as id, ${sql.raw(`'${kinds.item.prefix}_' || ${of}.item_public_id`)} as item,
      image.external_reference, image.public, image.public and image.featured as featured, image.processing,
      case when image.processing_failed_at is not null then json_build_object(
        'code', 'derivative_processing_failed', 'at', ${timeOf('image.processing_failed_at')}) end as processing_failure,
      case when image.public then ${sql.ref(`${of}.place`)} end as gallery_position, image.renditions, image.original,
      image.width, image.height, ${placeholder} as placeholder, coalesce((
        select json_agg(json_build_object('width', source.width, 'height', source.height) order by source.width)
        from ${sources}), '[]') as sources,
      image.alts ->> ${defaultLocale} as alt, image.alts as alt_translations,
      ${timeOf('image.created_at')} as created_at, ${timeOf('image.updated_at')} as updated_at) r
  ) document`,
})

const galleryOrder = (of: string) => sql.raw(`${of}.position, ${of}.created_at, ${of}.public_id, ${of}.id`)

/** Images with their places in the galleries. `which` selects whole items: a place counts all images of its item. */
export const managedImages = ({ id }: Pick<House, 'id'>, which: RawBuilder<unknown>) => sql`(
    select image.*, item.public_id as item_public_id, item.archived,
      row_number() over (partition by image.item_id, image.public order by ${galleryOrder('image')}) - 1 as place,
      count(*) over (partition by image.item_id, image.public_id) > 1 as repeated
    from catalogue.images image join catalogue.items item on item.house_id = ${id} and item.id = image.item_id
    where image.house_id = ${id} and ${which}
  )`

const imagesOfItem = memoize(({ house }) => ({
  table: managedImages(house, sql`image.item_id = asked.item::bigint and not item.archived`),
  as: 'image',
  ...showImage(house, 'image'),
}))

/** All images of a house with their documents, for the doctor. */
export function imagesOfHouse(context: Pick<Context, 'house' | 'mediaBase'>): Documents {
  return { ...imagesOfItem(context), table: managedImages(context.house, sql`not item.archived`) }
}

/** The images of a house with these internal ids, with their documents. */
export function imagesAmong(context: Pick<Context, 'house' | 'mediaBase'>, ids: string[]): Documents {
  const { house } = context
  const ofItems = sql`image.item_id in (
      select item_id from catalogue.images where house_id = ${house.id} and id = any(${ids}::bigint[]))`
  return { ...imagesOfItem(context), table: managedImages(house, ofItems) }
}

// Walks an index. Values that depend on other images of the item are looked up only for the images of the page.
const imagesOfPage = memoize(({ house }) => ({
  table: sql`catalogue.images`,
  as: 'image',
  parents: sql`
  cross join lateral (
    select item.public_id as item_public_id, counted.place, counted.repeated from catalogue.items item
    cross join lateral (
      select array_position(array_agg(other.id order by ${galleryOrder('other')}) filter (where other.public), image.id) - 1 as place,
        count(*) filter (where other.public_id = image.public_id) > 1 as repeated
      from catalogue.images other where other.house_id = ${house.id} and other.item_id = item.id
    ) counted
    where item.house_id = ${house.id} and item.id = image.item_id
  ) gallery`,
  ...showImage(house, 'gallery'),
}))

// Images of two items may share a public id. The indexes by state have the age in another expression (the migration says
// why).
const oldestOfHouse = ({ id }: House, isByState: boolean): Keyset => ({
  ...oldestFirst('image'),
  ...(isByState && { sort: sql`least(image.created_at, 'infinity')` }),
  tie: {
    column: sql`image.item_id`,
    uuid: sql`(select tied.public_id from catalogue.items tied where tied.house_id = ${id} and tied.id = image.item_id)`,
    find: sql`(select tied.id from catalogue.items tied where tied.house_id = ${id} and tied.public_id = asked.after_tie::uuid)`,
  },
})

const itemsOfSession = `any(array(
  select l.item_id from catalogue.lots l where l.house_id = $house and not l.archived
    and l.session_id = (select id from catalogue.sessions where house_id = $house and public_id = asked.session::uuid)))`

/** The filters of `GET /images`: UUIDs of an item and of a session, and the states of images. */
type ImageFilters = {
  item?: string | undefined
  session?: string | undefined
  public?: boolean | undefined
  processing?: boolean | undefined
  failed?: boolean | undefined
}

/** The images of all unarchived items of the house, in the order of their creation (section 4.8). */
export function selectHouseImages<Of extends Context>(
  context: Of,
  { item, session, public: visible, processing, failed }: ImageFilters,
): ListSelection<Of> {
  const conditions = [
    'exists (select from catalogue.items of where of.house_id = $house and of.id = image.item_id and not of.archived)',
  ]
  if (item !== undefined)
    conditions.push(
      'image.item_id = (select id from catalogue.items where house_id = $house and public_id = asked.item::uuid)',
    )
  if (session !== undefined) conditions.push(`image.item_id = ${itemsOfSession}`)
  // Constants tell the planner which state is rare.
  if (visible !== undefined) conditions.push(visible ? 'image.public' : 'not image.public')
  if (processing !== undefined) conditions.push(processing ? 'image.processing' : 'not image.processing')
  if (failed !== undefined) conditions.push(`num_nonnulls(image.processing_failed_at) = ${failed ? 1 : 0}`)
  const isByState = item === undefined && [visible, processing, failed].some((each) => each !== undefined)
  return {
    context,
    documents: imagesOfPage(context),
    where: conditions.join(' and '),
    asked: { item, session },
    order: oldestOfHouse(context.house, isByState),
  }
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
