import { sql, type RawBuilder } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { Locale } from '../values/locales.ts'
import { listTexts } from './document.ts'
import type { Relinked } from './relations.ts'
import type { ItemState } from './state.ts'
import { textNames, type Texts } from './texts.ts'

/** As `title, description, …`. */
export const textColumns = listTexts((name) => name)
// As `title = k.title, …`.
const newTexts = listTexts((name) => `${name} = k.${name}`)

/** The translations of an item, by their locales. */
export const translationsOf = ({ texts }: ItemState) => Object.entries(texts.translations) as [Locale, Texts][]

// A locale without texts has no row.
const hasText = (texts: Texts) => textNames.some((name) => texts[name] !== null)

function unnestTranslations(translations: [Locale, Texts][]): RawBuilder<unknown> {
  const columns = textNames.map((name) => sql`${translations.map(([, texts]) => texts[name])}::text[]`)
  return sql`unnest(${translations.map(([locale]) => locale)}::text[], ${sql.join(columns)})`
}

/** Inserts the translations that have a text. */
export function insertTranslations(
  house: string,
  item: RawBuilder<unknown>,
  translations: [Locale, Texts][],
): RawBuilder<unknown> {
  return sql`
    insert into catalogue.item_translations (house_id, item_id, locale, ${textColumns})
    select ${house}, ${item}, t.* from ${unnestTranslations(translations.filter(([, texts]) => hasText(texts)))} t`
}

/** How the rows of a table that belong to an item change. `others` deletes and updates rows. */
type LinkChange = { insert?: RawBuilder<unknown>; others: RawBuilder<unknown>[] }

/** Changes the translations from the stored to the wanted ones. */
export function changeTranslations(house: string, item: string, stored: ItemState, wanted: ItemState): LinkChange {
  const before = stored.texts.translations
  const changed = translationsOf(wanted).filter(([locale, texts]) => !isDeepStrictEqual(texts, before[locale]))
  const [known, added] = [changed.filter(([locale]) => before[locale]), changed.filter(([locale]) => !before[locale])]
  const [kept, gone] = [known.filter(([, texts]) => hasText(texts)), known.filter(([, texts]) => !hasText(texts))]
  const others: RawBuilder<unknown>[] = []
  if (gone.length > 0)
    others.push(sql`
      delete from catalogue.item_translations
      where house_id = ${house} and item_id = ${item} and locale = any(${gone.map(([locale]) => locale)}::text[])`)
  if (kept.length > 0)
    others.push(sql`
      update catalogue.item_translations t set ${newTexts}
      from ${unnestTranslations(kept)} k (locale, ${textColumns})
      where t.house_id = ${house} and t.item_id = ${item} and t.locale = k.locale`)
  return added.some(([, texts]) => hasText(texts))
    ? { insert: insertTranslations(house, sql`${item}::bigint`, added), others }
    : { others }
}

// Whether the row repeats a link, as an older system may have stored it. The first row of a link stays.
const isRepeated = (house: string, table: string, target: string) => sql`exists (
  select from ${sql.table(`catalogue.${table}`)} first where first.house_id = ${house} and first.item_id = link.item_id
    and first.${sql.ref(target)} = link.${sql.ref(target)} and first.id < link.id)`

type Changed = Pick<Relinked, 'id' | 'stored' | 'wanted'>
type Link = { item: string; target: string; position: number }

const unnestLinks = (links: Link[]) => {
  const [items, targets] = [links.map(({ item }) => item), links.map(({ target }) => target)]
  return sql`unnest(${items}::bigint[], ${targets}::bigint[], ${links.map(({ position }) => position)}::int[])
    w (item, target, position)`
}

// Kept links keep their rows.
function changeTargets(
  house: string,
  changed: readonly Changed[],
  kind: { name: 'categories' | 'makers'; table: string; target: string; ordered: boolean },
): LinkChange {
  const { name, table, target, ordered } = kind
  const items = changed.filter(({ stored, wanted }) => !isDeepStrictEqual(wanted[name], stored[name]))
  if (items.length === 0) return { others: [] }
  const wanted = items.flatMap(({ id, stored, wanted }) =>
    wanted[name].map((each, position) => ({ item: id, target: each, position, isNew: !stored[name].includes(each) })),
  )
  const added = wanted.filter(({ isNew }) => isNew)
  const [links, column] = [sql.table(`catalogue.${table}`), sql.ref(target)]
  const repeated = isRepeated(house, table, target)
  const others = [
    sql`
      delete from ${links} link where house_id = ${house} and item_id = any(${items.map(({ id }) => id)}::bigint[])
        and (${repeated} or not exists (
          select from ${unnestLinks(wanted)} where w.item = link.item_id and w.target = link.${column}))`,
  ]
  if (ordered)
    others.push(sql`
      update ${links} link set position = w.position from ${unnestLinks(wanted)}
      where link.house_id = ${house} and link.item_id = w.item and link.${column} = w.target and not ${repeated}`)
  if (added.length === 0) return { others }
  const position = ordered ? { column: sql`, position`, value: sql`, w.position` } : { column: sql``, value: sql`` }
  const insert = sql`
    insert into ${links} (house_id, item_id, ${column}${position.column})
    select ${house}, w.item, w.target${position.value} from ${unnestLinks(added)}`
  return { insert, others }
}

/** Changes the links of items to categories, and to makers in their order. */
export const changeLinks = (house: string, changed: readonly Changed[]): LinkChange[] => [
  changeTargets(house, changed, {
    name: 'categories',
    table: 'item_categories',
    target: 'category_id',
    ordered: false,
  }),
  changeTargets(house, changed, { name: 'makers', table: 'item_makers', target: 'maker_id', ordered: true }),
]
