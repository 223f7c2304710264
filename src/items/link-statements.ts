import { sql, type RawBuilder } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { Locale } from '../values/locales.ts'
import { listTexts } from './document.ts'
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
const isRepeated = (house: string, item: string, table: string, target: string) => sql`exists (
  select from ${sql.table(`catalogue.${table}`)} first where first.house_id = ${house} and first.item_id = ${item}
    and first.${sql.ref(target)} = link.${sql.ref(target)} and first.id < link.id)`

/** Changes the links to categories. Kept links keep their rows. */
export function changeCategories(house: string, item: string, stored: string[], wanted: string[]): LinkChange {
  if (isDeepStrictEqual(wanted, stored)) return { others: [] }
  const added = wanted.filter((id) => !stored.includes(id))
  const others = [
    sql`
      delete from catalogue.item_categories link where house_id = ${house} and item_id = ${item}
        and (category_id <> all(${wanted}::bigint[]) or ${isRepeated(house, item, 'item_categories', 'category_id')})`,
  ]
  if (added.length === 0) return { others }
  const insert = sql`
    insert into catalogue.item_categories (house_id, item_id, category_id)
    select ${house}, ${item}, added.id from unnest(${added}::bigint[]) added (id)`
  return { insert, others }
}

/** Changes the links to makers and their order. Kept links keep their rows. */
export function changeMakers(house: string, item: string, stored: string[], wanted: string[]): LinkChange {
  if (isDeepStrictEqual(wanted, stored)) return { others: [] }
  const added = wanted.filter((id) => !stored.includes(id))
  const repeated = isRepeated(house, item, 'item_makers', 'maker_id')
  const others = [
    sql`
      delete from catalogue.item_makers link where house_id = ${house} and item_id = ${item}
        and (maker_id <> all(${wanted}::bigint[]) or ${repeated})`,
    sql`
      update catalogue.item_makers link set position = array_position(${wanted}::bigint[], maker_id) - 1
      where house_id = ${house} and item_id = ${item} and maker_id = any(${wanted}::bigint[]) and not ${repeated}`,
  ]
  if (added.length === 0) return { others }
  const insert = sql`
    insert into catalogue.item_makers (house_id, item_id, maker_id, position)
    select ${house}, ${item}, added.id, array_position(${wanted}::bigint[], added.id) - 1
    from unnest(${added}::bigint[]) added (id)`
  return { insert, others }
}
