import { sql, type RawBuilder } from 'kysely'
import type { House } from '../context.ts'
import { idOf, moneyOf, quote, timeOf } from '../reads/documents.ts'
import { printId } from '../values/ids.ts'
import type { ItemState } from './state.ts'
import { hasText, textNames, type TextName, type Texts } from './texts.ts'

/** A new item, and the printed ids of the records that it points to. */
export type NewItem = {
  uuid: string
  state: ItemState
  related: {
    seller: string | null
    consignment: string | null
    delivery_class: string | null
    categories: string[] | null
    makers: string[] | null
  }
  /** Of its creation. */
  now: Date
}

type Currency = Pick<House, 'currency'>

/** A field of the document of an item: its JSON text in a statement that has the row `i`, and for a new item. */
type Field = {
  read: (house: Currency) => RawBuilder<string | null>
  print: (item: NewItem, house: Currency) => string
}

const printText = (column: string) => sql<string | null>`to_json(${sql.ref(column)})::text`

const field = (read: Field['read'], value: (item: NewItem) => unknown): Field => ({
  read,
  print: (item) => JSON.stringify(value(item)),
})

const textField = (name: TextName) =>
  field(
    () => printText(`i.${name}`),
    ({ state }) => state.texts.flat[name],
  )

const timeField = (column: string) =>
  field(
    () => quote(timeOf(column)),
    ({ now }) => now,
  )

const estimate: Field = {
  read: ({ currency }) => sql<string | null>`
        case when num_nonnulls(i.estimate_low, i.estimate_high) > 0 then json_strip_nulls(json_build_object(
          'low', ${moneyOf('i.estimate_low', currency)}, 'high', ${moneyOf('i.estimate_high', currency)}))::text end`,
  print({ state: { bounds } }, { currency }) {
    const money = (amount: number | null) => (amount === null ? undefined : { amount, currency })
    const { low, high } = bounds
    return JSON.stringify(low === null && high === null ? null : { low: money(low), high: money(high) })
  },
}

const printTexts = (texts: Texts) => JSON.stringify(texts, (_, value: unknown) => value ?? undefined)

// PostgreSQL aggregates objects and lists with spaces.
const translations: Field = {
  read: () => sql`translations.json::text`,
  print({ state }) {
    const shown = Object.entries(state.texts.translations).filter(([, texts]) => hasText(texts))
    const printed = shown
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([locale, texts]) => `"${locale}" : ${printTexts(texts)}`)
    return printed.length === 0 ? '{}' : `{ ${printed.join(', ')} }`
  },
}

const printIds = (ids: string[] | null) => `[${(ids ?? []).map((id) => `"${id}"`).join(', ')}]`

/** The fields of the document of an item before and after its images, in their order (section 2.3). */
export const fieldsBeforeImages: Record<string, Field> = {
  id: field(
    () => quote(idOf('item', 'i')),
    ({ uuid }) => printId('item', uuid),
  ),
  external_reference: field(
    () => printText('i.external_reference'),
    ({ state }) => state.external_reference,
  ),
  ...Object.fromEntries(textNames.map((name) => [name, textField(name)])),
  estimate,
}
export const fieldsAfterImages: Record<string, Field> = {
  translations,
  seller: field(
    () => quote(idOf('seller', 'seller')),
    ({ related }) => related.seller,
  ),
  categories: {
    read: () => sql`categories.json::text`,
    print: ({ related }) => printIds(related.categories),
  },
  makers: {
    read: () => sql`makers.json::text`,
    print: ({ related }) => printIds(related.makers),
  },
  delivery_class: field(
    () => quote(idOf('delivery_class', 'delivery_class')),
    ({ related }) => related.delivery_class,
  ),
  consignment: field(
    () => quote(idOf('consignment', 'consignment')),
    ({ related }) => related.consignment,
  ),
  created_at: timeField('i.created_at'),
  updated_at: timeField('i.updated_at'),
}

/** The document of an item that was just created, byte for byte as a read without expansions shows it. */
export function printNewItem(item: NewItem, house: Currency): string {
  const print = (fields: Record<string, Field>) =>
    Object.entries(fields)
      .map(([name, { print }]) => `"${name}":${print(item, house)}`)
      .join(',')
  return `{${print(fieldsBeforeImages)},"images":[],${print(fieldsAfterImages)}}`
}
