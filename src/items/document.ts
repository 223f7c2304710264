import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, moneyOf, timeOf } from '../db/documents.ts'
import { memoize } from '../db/reads.ts'

type OfHouse = Pick<Context['house'], 'id'>

// Each of these selects one row about the item `i`: `json`, its links, and `unclear`, whether a link is ambiguous.

const translations = (house: OfHouse) => sql`
      select coalesce(json_object_agg(t.locale, json_strip_nulls(json_build_object(
          'title', t.title, 'description', t.description, 'condition', t.condition,
          'dimensions', t.dimensions, 'weight', t.weight)) order by t.locale)
          filter (where num_nonnulls(t.title, t.description, t.condition, t.dimensions, t.weight) > 0), '{}') as json,
        count(*) <> count(distinct t.locale) as unclear
      from catalogue.item_translations t where t.house_id = ${house.id} and t.item_id = i.id`

const categories = (house: OfHouse) => sql`
      select coalesce(json_agg(${idOf('category', 'category')} order by link.id), '[]') as json,
        count(*) <> count(category.public_id) as unclear
      from catalogue.item_categories link
      join catalogue.categories category on category.house_id = ${house.id} and category.id = link.category_id
      where link.house_id = ${house.id} and link.item_id = i.id`

const makers = (house: OfHouse) => sql`
      select coalesce(json_agg(${idOf('maker', 'maker')} order by link.position, link.id), '[]') as json,
        count(*) <> count(maker.public_id) as unclear
      from catalogue.item_makers link
      join catalogue.makers maker on maker.house_id = ${house.id} and maker.id = link.maker_id
      where link.house_id = ${house.id} and link.item_id = i.id`

const publicImages = (house: OfHouse) => sql`catalogue.images image
      where image.house_id = ${house.id} and image.item_id = i.id and image.public`
const galleryOrder = sql`image.position, image.created_at, image.public_id`
const imagesUnclear = sql`count(*) <> count(distinct image.public_id)`

const galleryOfIds = (house: OfHouse) => sql`
      select coalesce(json_agg(${idOf('image', 'image')} order by ${galleryOrder}), '[]') as json, ${imagesUnclear} as unclear
      from ${publicImages(house)}`

function galleryOfImages(house: OfHouse, mediaBase: string): RawBuilder<unknown> {
  const url = (rendition: string) =>
    sql`case when image.renditions like 'public/%' then ${mediaBase}::text || '/' || image.renditions || ${sql.lit(`/${rendition}.webp`)} end`
  return sql`
      select coalesce(json_agg(json_build_object('id', ${idOf('image', 'image')},
          'url', ${url('image')}, 'preview_url', ${url('preview')},
          'thumbnail_url', ${url('thumbnail')}, 'mini_url', ${url('mini')},
          'position', image.place - 1, 'featured', image.featured) order by ${galleryOrder}), '[]') as json,
        ${imagesUnclear} as unclear
      from (select image.*, row_number() over (order by ${galleryOrder}) as place from ${publicImages(house)}) image`
}

// The reason why the item can't be shown truthfully, or null.
const defect = sql`
      case when i.public_id is null then 'has no public id'
        when i.title is null then 'has no title'
        when translations.unclear then 'holds a translation twice'
        when gallery.unclear then 'has an image without a public id of its own'
        when categories.unclear then 'has a category without a public id'
        when makers.unclear then 'has a maker without a public id'
        when i.seller_id is not null and seller.public_id is null then 'has a seller without a public id'
        when i.delivery_class_id is not null and delivery_class.public_id is null then 'has a delivery class without a public id'
        when i.consignment_id is not null and consignment.public_id is null then 'has a consignment without a public id'
      end`

const estimate = (currency: string) => sql`
        case when num_nonnulls(i.estimate_low, i.estimate_high) > 0 then json_strip_nulls(json_build_object(
          'low', ${moneyOf('i.estimate_low', currency)}, 'high', ${moneyOf('i.estimate_high', currency)})) end`

/** Whether the item `i` has two translations in one locale, so that no read can say which one counts. */
export const repeatsLocale = (house: OfHouse) => sql<boolean>`exists (select from catalogue.item_translations one
    join catalogue.item_translations other on other.house_id = ${house.id} and other.item_id = one.item_id
      and other.locale = one.locale and other.id > one.id
    where one.house_id = ${house.id} and one.item_id = i.id)`

/** Joins the item `i` with its document `as` (columns json, defect), its images as ids or expanded (sections 2.3, 2.4). */
export function joinItemDocument(
  { house, mediaBase }: Pick<Context, 'house' | 'mediaBase'>,
  as: string,
  expand: { images: boolean },
): RawBuilder<unknown> {
  return sql`
  cross join lateral (
    select row_to_json(r) as json, ${defect} as defect
    from (${translations(house)}) translations
    cross join lateral (${expand.images ? galleryOfImages(house, mediaBase) : galleryOfIds(house)}) gallery
    cross join lateral (${categories(house)}) categories
    cross join lateral (${makers(house)}) makers
    left join catalogue.sellers seller on seller.house_id = ${house.id} and seller.id = i.seller_id
    left join catalogue.delivery_classes delivery_class
      on delivery_class.house_id = ${house.id} and delivery_class.id = i.delivery_class_id
    left join catalogue.consignments consignment
      on consignment.house_id = ${house.id} and consignment.id = i.consignment_id
    cross join lateral (
      select ${idOf('item', 'i')} as id, i.external_reference, i.title, i.description, i.condition, i.dimensions, i.weight,
        ${estimate(house.currency)} as estimate, gallery.json as images, translations.json as translations,
        ${idOf('seller', 'seller')} as seller, categories.json as categories, makers.json as makers,
        ${idOf('delivery_class', 'delivery_class')} as delivery_class, ${idOf('consignment', 'consignment')} as consignment,
        ${timeOf('i.created_at')} as created_at, ${timeOf('i.updated_at')} as updated_at
    ) r
  ) ${sql.ref(as)}`
}

/** The values of `expand[]` for an item. */
export type ItemExpansion = 'images'

/** Items `i` with their documents. */
export const items = memoize((context, expand: readonly ItemExpansion[]) => {
  const joins = joinItemDocument(context, 'document', { images: expand.includes('images') })
  return { table: sql`catalogue.items`, as: 'i', tag: sql`i.id || '.' || i.revision`, joins }
})
