import type * as wire from './generated/wire.ts'

// The fields that the client types differently, by kind.
type Replace<T, Fields> = T extends unknown ? Omit<T, keyof Fields> & Fields : never

type When<Expansion, Names extends string, Then, Else> = [Extract<Expansion, Names>] extends [never] ? Else : Then

/** An auction with its expansions. */
export type Auction<Expansion = never> = Replace<
  wire.Auction,
  { sessions: When<Expansion, 'sessions', Session[], wire.SessionId[]> }
>

/** The unarchived lots of a session, counted. `images_processing` and `images_failed` count images. */
export type SessionCounts = Record<
  | 'lots'
  | 'active'
  | 'with_bids'
  | 'extended'
  | 'sold'
  | 'unsold'
  | 'withdrawn'
  | 'without_result'
  | 'without_images'
  | 'images_processing'
  | 'images_failed',
  number
>

type SessionWith<T, Expansion> = Replace<
  Omit<T, 'counts'>,
  { auction: When<Expansion, 'auction', Auction, wire.AuctionId> } & When<
    Expansion,
    'counts',
    { counts: SessionCounts },
    object
  >
>

/** A session whose lots close one by one, with its expansions. */
export type TimedSession<Expansion = never> = SessionWith<wire.TimedSession, Expansion>

/** A session whose lots close together, with its expansions. */
export type LiveSession<Expansion = never> = SessionWith<wire.LiveSession, Expansion>

/** A session with its expansions. `kind` tells which block it has. */
export type Session<Expansion = never> = TimedSession<Expansion> | LiveSession<Expansion>

/**
 * Whether a sale, a session with its auction, runs at this time of the service's clock (docs/storefront.md).
 * @throws TypeError if the session has only the id of its auction
 */
export function isRunning(session: Session<'auction'>, now: Date): boolean {
  const { auction, finished, opens_at, published } = session
  // From a program without types. Without this check no sale would run.
  if (typeof auction !== 'object')
    throw new TypeError("The session lacks its auction: read it with expand: ['auction'].")
  if (!published || !auction.published || finished || opens_at === null || Date.parse(opens_at) > now.getTime())
    return false
  return (
    session.kind === 'timed' || (session.live.closes_at !== null && Date.parse(session.live.closes_at) > now.getTime())
  )
}

/** An item with its expansions. */
export type Item<Expansion = never> = Replace<
  wire.Item,
  { images: When<Expansion, 'images', wire.GalleryImage[], wire.ImageId[]> }
>

/** A lot with its expansions. `images` and `item.images` expand the item too. */
export type Lot<Expansion = never> = Replace<
  wire.Lot,
  {
    item: When<
      Expansion,
      'item' | 'images' | 'item.images',
      Item<When<Expansion, 'images' | 'item.images', 'images', never>>,
      wire.ItemId
    >
    session: When<Expansion, 'session', Session, wire.SessionId>
  }
>

/** A session as staff see it, with its expansions. */
export type StaffSession<Expansion = never> = Session<Expansion> & Pick<wire.StaffTimedSession, 'staff'>

/** A lot as staff see it, with its expansions. These are as everybody sees them. */
export type StaffLot<Expansion = never> = Lot<Expansion> & Pick<wire.StaffLot, 'staff'>

/** Every kind of record, by its name in `/changes`. */
export type RecordOf<Expansion = never> = {
  auction: Auction<Expansion>
  session: Session<Expansion>
  lot: Lot<Expansion>
  item: Item<Expansion>
  image: wire.ManagedImage
  seller: wire.Seller
  category: wire.Category
  maker: wire.Maker
  delivery_class: wire.DeliveryClass
  increment_strategy: wire.IncrementStrategy
  consignment: wire.Consignment
}

/** The name of a kind of record. */
export type Kind = keyof RecordOf

/** The filters of a kind's list. */
export type FiltersOf = {
  auction: wire.AuctionFilters
  session: wire.SessionFilters
  lot: wire.LotFilters
  item: wire.ItemFilters
  seller: wire.SellerFilters
  category: wire.CategoryFilters
  maker: wire.MakerFilters
  delivery_class: wire.DeliveryClassFilters
  increment_strategy: wire.IncrementStrategyFilters
  consignment: wire.ConsignmentFilters
}

/** The name of a kind of record with a list of its own shape: all but `image`. */
export type ListedKind = keyof FiltersOf

/** The body that changes a record of a kind. */
export type UpdateOf = {
  auction: wire.AuctionUpdate
  session: wire.SessionUpdate
  lot: wire.LotUpdate
  item: wire.ItemUpdate
}

/** The body that creates a record of a kind. */
export type CreateOf = { auction: wire.AuctionCreate; session: wire.SessionCreate; item: wire.ItemCreate }

/** The relationships that a kind of record can expand. */
export type ExpansionOf<K extends Kind> = K extends keyof Expansions ? Expansions[K] : never
type Expansions = {
  auction: wire.AuctionExpansion
  session: wire.SessionExpansion | 'counts'
  lot: wire.LotExpansion
  item: wire.ItemExpansion
}

/** The relationships that the answer to a write can expand. */
export type WrittenExpansionOf<K extends Kind> = Exclude<ExpansionOf<K>, 'counts'>

/** Reads a record's `ETag`, for `ifMatch`. Records from lists have none. */
export const etag: unique symbol = Symbol.for('@auction-catalogue/client/etag')

/** Reads what a rehearsal warns of. */
export const warnings: unique symbol = Symbol.for('@auction-catalogue/client/warnings')

/** A record with the `ETag` of its answer, undefined in the answer to a repeated write, and the warnings of a rehearsal. */
export type Tagged<T> = T & {
  readonly [etag]: string | undefined
  readonly [warnings]: NonNullable<wire.SessionWritten['warnings']>
}

/** A record that a dry run would have created. */
export type Unsaved<T> = T extends { id: unknown } ? Omit<T, 'id'> & { id: null } : never
