import {
  etag,
  type Auction as AuctionOf,
  type Item as ItemOf,
  type Session,
  type ItemId,
  type Lot as LotOf,
  type Tagged,
} from '@auction-catalogue/client'
import { catalogue } from './catalogue.ts'

export type Auction = AuctionOf<'sessions'>
export type CountedSession = Session<'counts'>
export type Item = ItemOf<'images'>
/** `item` is only the id if the item cannot be shown. */
export type Lot = LotOf<'item.images'> | LotOf

/** An item with the ETag of its answer; null if that is unknown. */
export type StoredItem = { record: Item; etag: string | null }

export const storeItem = (record: Tagged<Item>): StoredItem => ({ record, etag: record[etag] ?? null })

export const readItem = async (id: ItemId) => storeItem(await catalogue().items.get(id, { expand: ['images'] }))
