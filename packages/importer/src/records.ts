/** An amount in minor units (cents) and an ISO 4217 code. */
export type Money = { amount: number; currency: string }

/** The texts of an item in one locale. */
export type Texts = {
  title?: string | null
  description?: string | null
  condition?: string | null
  dimensions?: string | null
  weight?: string | null
}

type Named<Type extends string> = { type: Type; ref?: string; id?: string | null }

/** Records of the load format, in the fields that can be carried in over HTTP. */
export type Records = {
  house: Named<'house'> & { slug: string; default_locale?: string; currency?: string }
  seller: Named<'seller'> & {
    seller_number?: number | null
    profile_name?: string | null
    account_name?: string | null
  }
  category: Named<'category'> & { slug?: string | null; names?: Record<string, string> | null }
  maker: Named<'maker'> & { name?: string | null }
  delivery_class: Named<'delivery_class'> & { name?: string | null }
  increment_strategy: Named<'increment_strategy'> & { name?: string | null }
  consignment: Named<'consignment'> & { number?: string | null }
  auction: Named<'auction'> & {
    external_reference?: string | null
    title?: string | null
    description?: string | null
    archived?: boolean
  }
  session: Named<'session'> & {
    auction: string
    external_reference?: string | null
    titles?: Record<string, string> | null
    kind: 'timed' | 'live'
    opens_at?: string | null
    timed?: {
      first_closes_at?: string | null
      group_size?: number | null
      interval_seconds?: number | null
      extension_threshold_seconds?: number | null
      extension_seconds?: number | null
    } | null
    live?: { closes_at?: string | null } | null
    settings?: { buyer_premium_percentage?: string | null } | null
    increment_strategy?: string | null
  }
  item: Named<'item'> &
    Texts & {
      external_reference?: string | null
      translations?: Record<string, Texts> | (Texts & { locale: string })[] | null
      estimate?: { low?: Money | null; high?: Money | null } | null
      seller?: string | null
      categories?: string[] | null
      makers?: string[] | null
      delivery_class?: string | null
      consignment?: string | null
      archived?: boolean
    }
  image: Named<'image'> & {
    item: string
    external_reference?: string | null
    file?: string | null
    public?: boolean
    featured?: boolean
    position?: number | null
  }
  lot: Named<'lot'> & {
    session: string
    item: string
    lot_number?: number | null
    active?: boolean | null
    starting_bid?: Money | null
    archived?: boolean
  }
  bid: Named<'bid'> & { lot: string }
}

/** The types of records. */
export type RecordType = keyof Records

/** Any record of the load format. */
export type LoadRecord = Records[RecordType]

/** The types of records that exist before an import: nobody creates them over HTTP. */
export const linkedTypes = [
  'seller',
  'category',
  'maker',
  'delivery_class',
  'increment_strategy',
  'consignment',
] as const

/** One of these types. */
export type LinkedType = (typeof linkedTypes)[number]

const isLinked = (type: string): type is LinkedType => (linkedTypes as readonly string[]).includes(type)

/** Whether a record is one that must exist already. */
export const isLinkedRecord = (record: LoadRecord): record is Records[LinkedType] => isLinked(record.type)

/** The fields by which records point to others: those with one pointer, and those with a list. */
export const pointerNames = {
  one: ['auction', 'session', 'item', 'seller', 'consignment', 'delivery_class', 'increment_strategy', 'parent', 'lot'],
  several: ['categories', 'makers'],
} as const

/** Where a record stands: the line of a file (of a folder of pictures: the file itself, line 1). */
export type Place = { file: string; line: number }

/** What is wrong with one field of a record, and in a sheet with which cell. */
export type FieldError = { field: string; code: string; message: string; column?: string; value?: string }

/** In a sheet, the column of a record's field, and what the row has there. */
export type CellOf = (field: string) => Pick<FieldError, 'column' | 'value'> | undefined

/** A record that was read, with what is already known to be wrong with it. A line that is no record is only a text. */
export type SourceRecord = { place: Place; errors: FieldError[]; cellOf?: CellOf } & (
  | { record: LoadRecord }
  | { record: undefined; text: string }
)

/** The reference by which people know a record: in reports, the journal and messages. */
export function nameRecord(record: LoadRecord): string {
  if ('external_reference' in record && record.external_reference) return record.external_reference
  if (record.type === 'image' && record.file) return record.file
  if (record.type === 'lot') return `${record.session}/${record.lot_number ?? '-'}`
  return record.ref ?? record.id ?? ''
}

/** A record without its fields that are undefined. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
