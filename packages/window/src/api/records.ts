import {
  etag,
  type Auction as AuctionOf,
  type Item as ItemOf,
  type ItemId,
  type Lot as LotOf,
  type Tagged,
} from '@auction-catalogue/client'
import { catalogue } from './catalogue.ts'

export type Auction = AuctionOf<'sessions'>
export type Item = ItemOf<'images'>
/** `item` is only the id if the item cannot be shown. */
export type Lot = LotOf<'item.images'> | LotOf

/** An item with the ETag of its answer; null if that is unknown. */
export type StoredItem = { record: Item; etag: string | null }

export const storeItem = (record: Tagged<Item>): StoredItem => ({ record, etag: record[etag] ?? null })

const currencyOf = ({ estimate }: Item | ItemOf) => estimate?.low?.currency ?? estimate?.high?.currency

/**
 * The currency of the house. The interface shows it only in amounts: of the item itself, else of other items, else of
 * lots.
 */
export async function readCurrency(item: Item): Promise<string> {
  const own = currencyOf(item)
  if (own !== undefined) return own
  const [items, lots] = await Promise.all([
    catalogue().items.list({ limit: 100 }).page(),
    catalogue().lots.list({ limit: 100 }).page(),
  ])
  const all = [...items.data.map(currencyOf), ...lots.data.map((lot) => lot.starting_bid?.currency)]
  return all.find((currency) => currency !== undefined) ?? 'EUR'
}

export const readItem = async (id: ItemId) => storeItem(await catalogue().items.get(id, { expand: ['images'] }))
