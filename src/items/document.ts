import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, moneyOf, timeOf } from '../db/documents.ts'
import { makeOnce } from '../db/reads.ts'

const galleryOrder = sql`image.position, image.created_at, image.public_id`

function rendition(base: string, name: string): RawBuilder<unknown> {
  return sql`case when image.renditions like 'public/%' then ${base}::text || '/' || image.renditions || ${sql.lit(`/${name}.webp`)} end`
}

function gallery(table: string, base: string, expanded: boolean): RawBuilder<unknown> {
  const images = sql.raw(
    `catalogue.images image where image.house_id = ${table}.house_id and image.item_id = ${table}.id and image.public`,
  )
  const unclear = sql`count(*) <> count(distinct image.public_id) as unclear`
  if (!expanded)
    return sql`select coalesce(json_agg(${idOf('image', 'image')} order by ${galleryOrder}), '[]') as json, ${unclear} from ${images}`
  return sql`
    select coalesce(json_agg(json_build_object('id', ${idOf('image', 'image')},
        'url', ${rendition(base, 'image')}, 'preview_url', ${rendition(base, 'preview')},
        'thumbnail_url', ${rendition(base, 'thumbnail')}, 'mini_url', ${rendition(base, 'mini')},
        'position', image.place - 1, 'featured', image.featured) order by ${galleryOrder}), '[]') as json, ${unclear}
    from (select image.*, row_number() over (order by ${galleryOrder}) as place from ${images}) image`
}

/** The condition that an item holds a locale twice, so that no read can say which one counts. */
export function repeatsLocale(table: string): RawBuilder<boolean> {
  return sql`exists (select from catalogue.item_translations one
    join catalogue.item_translations other on other.house_id = one.house_id and other.item_id = one.item_id
      and other.locale = one.locale and other.id > one.id
    where one.house_id = ${sql.ref(`${table}.house_id`)} and one.item_id = ${sql.ref(`${table}.id`)})`
}

/** Joins an item with its document `as` (columns json, defect), its images as ids or expanded (sections 2.3, 2.4). */
export function joinItemDocument(
  { house, mediaBase }: Pick<Context, 'house' | 'mediaBase'>,
  table: string,
  as: string,
  expand: { images: boolean },
): RawBuilder<unknown> {
  const column = (name: string) => sql.raw(`${table}.${name}`)
  const here = (link: string) => sql.raw(`${link}.house_id = ${table}.house_id and ${link}.item_id = ${table}.id`)
  const pointer = (other: string, id: string) =>
    sql.raw(`${other}.house_id = ${table}.house_id and ${other}.id = ${table}.${id}`)
  return sql`
  cross join lateral (
    select row_to_json(r) as json,
      case when ${column('public_id')} is null then 'has no public id'
        when ${column('title')} is null then 'has no title'
        when translations.unclear then 'holds a translation twice'
        when gallery.unclear then 'has an image without a public id of its own'
        when categories.unclear then 'has a category without a public id'
        when makers.unclear then 'has a maker without a public id'
        when ${column('seller_id')} is not null and seller.public_id is null then 'has a seller without a public id'
        when ${column('delivery_class_id')} is not null and delivery_class.public_id is null then 'has a delivery class without a public id'
        when ${column('consignment_id')} is not null and consignment.public_id is null then 'has a consignment without a public id'
      end as defect
    from (
      select coalesce(json_object_agg(t.locale, json_strip_nulls(json_build_object('title', t.title, 'description', t.description,
          'condition', t.condition, 'dimensions', t.dimensions, 'weight', t.weight)) order by t.locale)
          filter (where num_nonnulls(t.title, t.description, t.condition, t.dimensions, t.weight) > 0), '{}') as json,
        count(*) <> count(distinct t.locale) as unclear
      from catalogue.item_translations t where ${here('t')}
    ) translations
    cross join lateral (${gallery(table, mediaBase, expand.images)}) gallery
    cross join lateral (
      select coalesce(json_agg(${idOf('category', 'category')} order by link.id), '[]') as json,
        count(*) <> count(category.public_id) as unclear
      from catalogue.item_categories link
      join catalogue.categories category on category.house_id = link.house_id and category.id = link.category_id
      where ${here('link')}
    ) categories
    cross join lateral (
      select coalesce(json_agg(${idOf('maker', 'maker')} order by link.position, link.id), '[]') as json,
        count(*) <> count(maker.public_id) as unclear
      from catalogue.item_makers link
      join catalogue.makers maker on maker.house_id = link.house_id and maker.id = link.maker_id
      where ${here('link')}
    ) makers
    left join catalogue.sellers seller on ${pointer('seller', 'seller_id')}
    left join catalogue.delivery_classes delivery_class on ${pointer('delivery_class', 'delivery_class_id')}
    left join catalogue.consignments consignment on ${pointer('consignment', 'consignment_id')}
    cross join lateral (
      select ${idOf('item', table)} as id, ${column('external_reference')} as external_reference, ${column('title')} as title,
        ${column('description')} as description, ${column('condition')} as condition, ${column('dimensions')} as dimensions,
        ${column('weight')} as weight,
        case when num_nonnulls(${column('estimate_low')}, ${column('estimate_high')}) > 0 then json_strip_nulls(json_build_object(
          'low', ${moneyOf(`${table}.estimate_low`, house.currency)}, 'high', ${moneyOf(`${table}.estimate_high`, house.currency)})) end as estimate,
        gallery.json as images, translations.json as translations, ${idOf('seller', 'seller')} as seller,
        categories.json as categories, makers.json as makers, ${idOf('delivery_class', 'delivery_class')} as delivery_class,
        ${idOf('consignment', 'consignment')} as consignment,
        ${timeOf(`${table}.created_at`)} as created_at, ${timeOf(`${table}.updated_at`)} as updated_at
    ) r
  ) ${sql.ref(as)}`
}

/** What `expand[]` may inflate in an item. */
export type ItemExpansion = 'images'

/** Items `i` with their documents. */
export const items = makeOnce((context, expand: readonly ItemExpansion[]) => {
  const joins = joinItemDocument(context, 'i', 'document', { images: expand.includes('images') })
  return { table: sql`catalogue.items`, as: 'i', tag: sql`i.id || '.' || i.revision`, joins }
})
