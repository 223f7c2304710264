import type { Locale } from '../../values/locales.ts'
import type { ResultState } from '../../values/offers.ts'

// What the database tells of records, as JSON. Internal ids are texts, because on Citus they exceed 2^53. Times are
// microseconds since 1970.

/** An auction. */
export type AuctionRow = [id: string, uuid: string | null, published: boolean]
/** A session. `names`: its titles. */
export type SessionRow = [
  id: string,
  uuid: string | null,
  auction: string,
  live: boolean,
  closes: number | null,
  published: boolean,
  finished: boolean,
  names: Partial<Record<Locale, string | null>> | null,
]
/** A category. */
export type CategoryRow = [
  id: string,
  uuid: string | null,
  parent: string | null,
  archived: boolean,
  names: Partial<Record<Locale, string | null>> | null,
]
/** A maker. */
export type MakerRow = [id: string, uuid: string | null, archived: boolean, name: string | null]
/** The searched texts of an item in a language, and whether it has any text in it. */
export type TextsRow = [locale: Locale, isAny: boolean, title: string | null, ...others: (string | null)[]]
/** An item. `texts`: the flat ones first. `images`: whether it has a public one. */
export type ItemRow = [
  id: string,
  uuid: string | null,
  created: number | null,
  archived: boolean,
  low: number | null,
  high: number | null,
  seller: string | null,
  consignment: string | null,
  images: boolean,
  reference: string | null,
  texts: TextsRow[],
  makers: string[] | null,
  categories: string[] | null,
]
/** A lot. */
export type LotRow = [
  id: string,
  uuid: string | null,
  created: number | null,
  archived: boolean,
  session: string,
  item: string,
  number: number | null,
  active: boolean,
  held: boolean,
  result: ResultState | null,
  bid: number | null,
  closes: number | null,
]

/** The present state of some records, in the order in which they refer to each other. */
export type Rows = {
  auction?: AuctionRow[] | null
  session?: SessionRow[] | null
  category?: CategoryRow[] | null
  maker?: MakerRow[] | null
  item?: ItemRow[] | null
  lot?: LotRow[] | null
}
