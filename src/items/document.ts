import { sql, type RawBuilder } from 'kysely'
import type { Context, House, ServedHouse } from '../context.ts'
import { kinds } from '../kinds.ts'
import { idOf, printAround } from '../reads/documents.ts'
import type { Database } from '../db/pool.ts'
import type { Locale } from '../values/locales.ts'
import { hashFormat, memoize } from '../reads/selections.ts'
import { fieldsAfterImages, fieldsBeforeImages } from './fields.ts'
import { writeSoon } from './ready.ts'
import { noTexts, textNames, type TextName } from './texts.ts'

type OfHouse = Pick<Context['house'], 'id'>
type Shown = Pick<Context, 'mediaBase'> & { house: House | ServedHouse }

/** The texts in a list of a statement, each as `print` writes it. */
export const listTexts = (print: (name: TextName) => string, names = textNames) => sql.raw(names.map(print).join(', '))

/** The texts of an item or a translation, whose table has this name in the statement, as a JSON object. */
export const textsOf = (table: string, names?: TextName[]) =>
  sql`json_build_object(${listTexts((name) => `'${name}', ${table}.${name}`, names)})`

const textsOfTranslation = textsOf('t')
const columnsOfTranslation = listTexts((name) => `t.${name}`)

/** The texts of the item `i` in a locale, as a JSON object. The flat ones are those in the house's. */
export const textsIn = ({ house }: Pick<Context, 'house'>, locale: Locale) =>
  locale === house.defaultLocale
    ? textsOf('i')
    : sql`coalesce((select ${textsOfTranslation} from catalogue.item_translations t
        where t.house_id = ${house.id} and t.item_id = i.id and t.locale = ${locale} order by t.id limit 1), ${JSON.stringify(noTexts)}::json)`

// Each of these selects one row about the item `i`: `json`, its links, and `unclear`, whether a link is ambiguous.

const translations = (house: OfHouse) => sql`
      select coalesce(json_object_agg(t.locale, json_strip_nulls(${textsOfTranslation}) order by t.locale)
          filter (where num_nonnulls(${columnsOfTranslation}) > 0), '{}') as json,
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

/** The placeholder of an `image`, unless its new files are not made yet. */
export const placeholder = sql`case when image.sources_folder = image.renditions then image.placeholder end`

/** The sources of an `image`: rows of width and height. */
export const sources = sql`unnest(image.source_widths, image.source_heights) source (width, height)
            where image.sources_folder = image.renditions`

// How the JSON string of a path below the media store begins: with an escaped slash, as the database writes none. The
// address is put before it when a document is read, so that instances with different addresses share stored documents.
// To parse the galleries instead takes over ten times as long (docs/decisions/0024-reads.md).
const pathBegins = String.raw`"\/`

const printPath = (name: RawBuilder<unknown>) =>
  sql`(${sql.lit(pathBegins)} || substr(to_json(image.renditions || '/' || ${name} || '.webp')::text, 2))::json`

// The JSON of a gallery, with addresses in the place of paths.
const addressImages = (images: RawBuilder<unknown>, mediaBase: string) =>
  sql`replace(${images}, ${sql.lit(pathBegins)}, ${`${JSON.stringify(mediaBase).slice(0, -1)}/`}::text)`

// `ids`: the ids of the gallery. `images`: its full entries, with paths in the place of addresses.
function gallery(house: OfHouse & Pick<House, 'defaultLocale'>): RawBuilder<unknown> {
  const url = (rendition: string) =>
    sql`case when image.renditions like 'public/%' then ${printPath(sql.lit(rendition))} end`
  const sized = sql`case when image.renditions like 'public/%' then coalesce((
            select json_agg(json_build_object('url', ${printPath(sql`source.width`)},
              'width', source.width, 'height', source.height, 'type', 'image/webp') order by source.width)
            from ${sources}), '[]') else '[]' end`
  return sql`
      select coalesce(json_agg(${idOf('image', 'image')} order by ${galleryOrder}), '[]') as ids,
        coalesce(json_agg(json_build_object('id', ${idOf('image', 'image')},
          'url', ${url('image')}, 'preview_url', ${url('preview')},
          'thumbnail_url', ${url('thumbnail')}, 'mini_url', ${url('mini')},
          'width', image.width, 'height', image.height, 'placeholder', ${placeholder}, 'sources', ${sized},
          'alt', image.alts ->> ${house.defaultLocale}, 'alt_translations', image.alts,
          'position', image.place - 1, 'featured', image.featured) order by ${galleryOrder}), '[]') as images,
        ${imagesUnclear} as unclear
      from (select image.*, row_number() over (order by ${galleryOrder}) as place from ${publicImages(house)}) image`
}

// The reason why the item cannot be shown, or null.
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

// The JSON before and after the images.
function printAroundImages(house: Pick<House, 'currency'>) {
  const read = (fields: typeof fieldsAfterImages) =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.read(house)]))
  return printAround('images', read(fieldsBeforeImages), read(fieldsAfterImages))
}

/** The condition that an item `i` has the seller or consignment of `asked`, as SQL like that of a selection. */
export const isItemOf = (kind: 'seller' | 'consignment') =>
  `i.${kind}_id = (select id from catalogue.${kinds[kind].plural} where house_id = $house and public_id = asked.${kind}::uuid)`

/** Whether the item `i` has two translations in one locale. A read could not choose between them. */
export const repeatsLocale = (house: OfHouse) => sql<boolean>`exists (select from catalogue.item_translations one
    join catalogue.item_translations other on other.house_id = ${house.id} and other.item_id = one.item_id
      and other.locale = one.locale and other.id > one.id
    where one.house_id = ${house.id} and one.item_id = i.id)`

const links = (house: OfHouse) => sql`
    cross join lateral (${categories(house)}) categories
    cross join lateral (${makers(house)}) makers
    left join catalogue.sellers seller on seller.house_id = ${house.id} and seller.id = i.seller_id
    left join catalogue.delivery_classes delivery_class
      on delivery_class.house_id = ${house.id} and delivery_class.id = i.delivery_class_id
    left join catalogue.consignments consignment
      on consignment.house_id = ${house.id} and consignment.id = i.consignment_id`

// The document of the item `i` in four texts (see catalogue.item_documents), and its defect.
function parts({ house }: Pick<Shown, 'house'>): RawBuilder<unknown> {
  const { head, tail } = printAroundImages(house)
  return sql`
    select ${head} as head, gallery.ids::text as image_ids, gallery.images::text as images, ${tail} as tail, ${defect} as defect
    from (${translations(house)}) translations
    cross join lateral (${gallery(house)}) gallery
    ${links(house)}`
}

/**
 * What stored documents depend on beside the revision of their item: the SQL, the settings of the house and the generation
 * of the database, in which a revision may stand for other content.
 */
export function formatOf(context: Pick<Shown, 'house'>): string {
  const { house } = context
  return `${hashFormat(parts(context))} ${'generation' in house ? house.generation : ''}`
}

const textOf = (of: string, images: boolean, { mediaBase }: Pick<Shown, 'mediaBase'>) => {
  const column = (name: string) => sql.ref(`${of}.${name}`)
  return sql`${column('head')} || ${images ? addressImages(column('images'), mediaBase) : column('image_ids')} || ${column('tail')}`
}

/**
 * Joins the item `i` with its document, named `as` (columns json, defect, unready), with images as ids or expanded
 * (sections 2.3, 2.4). Uses the ready document if it has this revision. Otherwise builds the document, and sets
 * `unready` to the item's id.
 */
export function joinItemDocument(context: Shown, as: string, expand: { images: boolean }): RawBuilder<unknown> {
  const { house } = context
  const text = (of: string) => textOf(of, expand.images, context)
  return sql`
  left join lateral (
    select item_id, head, image_ids, images, tail from catalogue.item_documents
    where house_id = ${house.id} and item_id = i.id and revision = i.revision and format = ${formatOf(context)} offset 0
  ) ready on true
  left join lateral (${parts(context)}
    where ready.item_id is null offset 0
  ) built on true
  cross join lateral (
    select case when ready.item_id is null then ${text('built')} else ${text('ready')} end as json, built.defect,
      case when ready.item_id is null then i.id end as unready
  ) ${sql.ref(as)}`
}

/** About how many bytes the document of an item has, once it is ready. `item`: its internal id, as SQL. */
export const sizeOfDocument = ({ house }: Pick<Shown, 'house'>, item: string) => sql`(
      select octet_length(d.head) + octet_length(d.images) + octet_length(d.tail) from catalogue.item_documents d
      where d.house_id = ${house.id} and d.item_id = ${sql.raw(item)})`

/** Stores the documents of the items that can be shown. A document replaces only an older one. */
export async function writeDocuments(
  context: Pick<Shown, 'house'> & Pick<Context, 'db'>,
  ids: string[],
): Promise<void> {
  const { db, house } = context
  await sql`
    insert into catalogue.item_documents (house_id, item_id, revision, format, head, image_ids, images, tail)
    select i.house_id, i.id, i.revision, ${formatOf(context)}, parts.head, parts.image_ids, parts.images, parts.tail
    from catalogue.items i cross join lateral (${parts(context)}) parts
    where i.house_id = ${house.id} and i.id = any(${ids}::bigint[]) and parts.defect is null order by i.id
    on conflict (house_id, item_id) do update set revision = excluded.revision, format = excluded.format, head = excluded.head,
      image_ids = excluded.image_ids, images = excluded.images, tail = excluded.tail
    where item_documents.revision < excluded.revision or item_documents.format <> excluded.format`.execute(db)
}

/** Soon stores the documents of items, so that later reads find them ready. */
export const storeDocuments = writeSoon(writeDocuments)

/** The values of `expand[]` for an item. */
export type ItemExpansion = 'images'

/** Items `i` with their documents. */
export const items = memoize((context, expand: readonly ItemExpansion[]) => {
  const joins = joinItemDocument(context, 'document', { images: expand.includes('images') })
  const store = (db: Database, ids: string[]) => storeDocuments(db, context.house, ids)
  return { table: sql`catalogue.items`, as: 'i', tag: sql`i.id || '.' || i.revision`, joins, store }
})

/** Items `i` as their writer reads them back: the same documents, which are not ready yet. */
export const writtenItems = memoize((context, expand: readonly ItemExpansion[]) => {
  const { store: _, ...documents } = items(context, expand)
  const joins = sql`
  cross join lateral (${parts(context)}) built
  cross join lateral (select ${textOf('built', expand.includes('images'), context)} as json, built.defect) document`
  return { ...documents, joins }
})
