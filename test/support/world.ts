// The records of a house as plain data, and the documents of their reads, without timestamps.

import { noTexts } from '../../src/items/texts.ts'

export type Id = string
export type Texts = Record<string, string | null>
export type Timed = {
  first_closes_at: string
  group_size: number
  interval_seconds: number
  extension_threshold_seconds: number
  extension_seconds: number
}

export type Versioned = { id: Id; version: number }
export type Auction = Versioned & {
  title: string
  description: string | null
  slug: string
  external_reference: string
  published: boolean
}
export type Session = Versioned & {
  auction: Id
  title: string
  external_reference: string
  opens_at: string
  timed?: Timed
  live?: { closes_at: string }
  premium: string
  increment_strategy: Id
  published: boolean
  finished: boolean
}
export type Item = Versioned & {
  external_reference: string
  texts: Record<string, Texts>
  low: number | null
  high: number | null
  seller: Id | null
  consignment: Id | null
  makers: Id[]
  categories: Id[]
}
export type Lot = Versioned & {
  session: Id
  item: Id
  lot_number: number
  active: boolean
  archived: boolean
  bids: number
  close: string | null
}

/** Everything in the house, in the order of creation. */
export type World = { auctions: Auction[]; sessions: Session[]; items: Item[]; lots: Lot[] }

export type AuctionBody = { title?: string; description?: string | null; external_reference?: string }
export type SessionBody = {
  auction?: Id
  title?: string
  external_reference?: string
  opens_at?: string
  timed?: Partial<Timed> & { first_closes_at: string }
  live?: { closes_at: string }
  settings?: { buyer_premium_percentage?: string }
  increment_strategy?: Id
}
export type Bound = { amount: number; currency: string } | null
export type ItemBody = {
  external_reference?: string
  title?: string
  weight?: string | null
  translations?: Record<string, Texts>
  estimate?: { low?: Bound; high?: Bound } | null
  seller?: Id | null
  consignment?: Id | null
  makers?: Id[]
  categories?: Id[]
}

/** A write, or an action of staff. `id` is the record's; the service chooses that of a new one. */
export type Operation =
  | { do: 'createAuction'; id: Id; body: AuctionBody }
  | { do: 'updateAuction'; id: Id; body: AuctionBody }
  | { do: 'createSession'; id: Id; body: SessionBody }
  | { do: 'updateSession'; id: Id; body: SessionBody }
  | { do: 'createItem'; id: Id; body: ItemBody }
  | { do: 'updateItem'; id: Id; body: ItemBody }
  | { do: 'updateLot'; id: Id; body: { active: boolean } }
  | { do: 'publishAuction' | 'publishSession' | 'finishSession' | 'recalculate' | 'archiveLot' | 'bid'; id: Id }
  | { do: 'addLot'; id: Id; session: Id; item: Id; lot_number: number }

/** The fixed data of the house: the sellers of consignments, the locked ones, the strategies, oldest first. */
export type House = { sellerOf: Record<Id, Id>; locked: Id[]; strategies: Id[]; now: string }

/** The record with that id. */
export const find = <T extends { id: Id }>(records: T[], id: Id) => records.find((record) => record.id === id)

const money = (amount: number | null) => (amount === null ? {} : { amount, currency: 'EUR' })

function itemDocument(item: Item) {
  const { texts, low, high } = item
  const flat = texts['nl']!
  const estimate = { ...(low !== null && { low: money(low) }), ...(high !== null && { high: money(high) }) }
  return {
    external_reference: item.external_reference,
    ...noTexts,
    title: flat['title'],
    weight: flat['weight'] ?? null,
    estimate: low === null && high === null ? null : estimate,
    images: [],
    translations: texts,
    seller: item.seller,
    categories: item.categories,
    makers: item.makers,
    delivery_class: null,
    consignment: item.consignment,
  }
}

function lotDocument(world: World, lot: Lot) {
  const session = find(world.sessions, lot.session)!
  return {
    lot_number: lot.lot_number,
    active: lot.active,
    title: find(world.items, lot.item)!.texts['nl']!['title'],
    starting_bid: null,
    current_bid: null,
    sold: false,
    result: null,
    notice: null,
    notice_translations: {},
    closes_at: session.live ? session.live.closes_at : lot.close,
    ...(session.timed && { timed: { scheduled_closes_at: lot.close } }),
    item: lot.item,
    session: lot.session,
  }
}

/** The documents in the lists by id, without timestamps, and the number of changes of each. */
export function documents(world: World): Record<Id, { version: number; document: unknown }> {
  const opening = (one: Session, other: Session) => (one.opens_at + one.id < other.opens_at + other.id ? -1 : 1)
  const shown: [Versioned, unknown][] = [
    ...world.auctions.map(({ id, version, ...rest }): [Versioned, unknown] => {
      const sessions = world.sessions.filter((session) => session.auction === id).toSorted(opening)
      return [
        { id, version },
        { ...rest, sessions: sessions.map((session) => session.id) },
      ]
    }),
    ...world.sessions.map(({ id, version, premium, ...rest }): [Versioned, unknown] => [
      { id, version },
      {
        ...rest,
        kind: rest.timed ? 'timed' : 'live',
        settings: { buyer_premium_percentage: premium },
        customer_bidding_enabled: false,
      },
    ]),
    ...world.items.map((item): [Versioned, unknown] => [item, itemDocument(item)]),
    ...world.lots.filter((lot) => !lot.archived).map((lot): [Versioned, unknown] => [lot, lotDocument(world, lot)]),
  ]
  return Object.fromEntries(shown.map(([{ id, version }, document]) => [id, { version, document }]))
}
