// Generated from the OpenAPI document by npm run generate.

export type BidId = `bid_${string}`

export type JournalEntryId = `jrn_${string}`

export type Money = {
  amount: number
  currency: string
}

export type Locale = 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu'

/** The house of the key. */
export type House = {
  name: string
  locale: Locale
  currency: string
  time_zone: string | null
}

/** The key that asks. */
export type ApiKey = {
  name: string | null
  /** In the order of section 5. More may come. */
  permissions: (
    | 'auctions.read'
    | 'auctions.write'
    | 'lots.read'
    | 'lots.write'
    | 'seller_profiles.read'
    | 'categories.read'
    | 'bidding_step_configurations.read'
    | 'staff'
    | 'bids'
  )[]
  /** The requests that it may make a minute; 0: no limit. */
  rate_limit: number
  /** Whether a change of a record needs `If-Match`. */
  require_if_match: boolean
}

export type Discovery = {
  name: string
  version: string
  documentation: string
  openapi: string
  house: House
  key: ApiKey
  resources: {
    auctions: string
    sessions: string
    lots: string
    items: string
    sellers: string
    categories: string
    makers: string
    delivery_classes: string
    increment_strategies: string
    consignments: string
    images: string
  }
  /** The feed of changes. */
  changes: string
  search: {
    lots: string
    items: string
  }
}

export type AuctionId = `auc_${string}`

export type SessionId = `ses_${string}`

export type Auction = {
  id: AuctionId
  title: string
  description: string | null
  slug: string
  external_reference: string | null
  published: boolean
  /** In the order in which the sittings open. */
  sessions: SessionId[] | Session[]
  created_at: string | null
  updated_at: string | null
}

export type IncrementStrategyId = `inc_${string}`

export type TimedSession = {
  id: SessionId
  auction: AuctionId | Auction
  title: string | null
  external_reference: string | null
  opens_at: string | null
  settings: {
    buyer_premium_percentage: string
  }
  increment_strategy: IncrementStrategyId | null
  /** Whether the public sees the session: it is published and not hidden. */
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  created_at: string | null
  updated_at: string | null
  counts?: SessionCounts | undefined
  kind: 'timed'
  timed: {
    first_closes_at: string | null
    group_size: number | null
    interval_seconds: number | null
    /** Seconds. */
    extension_threshold_seconds: number
    /** Seconds. */
    extension_seconds: number
  }
}

export type LiveSession = {
  id: SessionId
  auction: AuctionId | Auction
  title: string | null
  external_reference: string | null
  opens_at: string | null
  settings: {
    buyer_premium_percentage: string
  }
  increment_strategy: IncrementStrategyId | null
  /** Whether the public sees the session: it is published and not hidden. */
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  created_at: string | null
  updated_at: string | null
  counts?: SessionCounts | undefined
  kind: 'live'
  live: {
    closes_at: string | null
  }
}

export type Session = TimedSession | LiveSession

export type SessionCounts = {
  /** All lots. */
  lots: number
  /** Active lots. */
  active: number
  /** Lots with a current bid. */
  with_bids: number
  /** Lots whose closing time was extended. */
  extended: number
  /** Lots with the result sold. */
  sold: number
  /** Lots with the result unsold. */
  unsold: number
  /** Lots with the result withdrawn. */
  withdrawn: number
  /** Lots without a result. */
  without_result: number
  /** Lots whose item has no public image. */
  without_images: number
  /** Images of their items that are being processed, private ones too. */
  images_processing: number
  /** Images of their items whose processing failed, private ones too. */
  images_failed: number
}

export type TimedSessionCreate = {
  auction: AuctionId
  title: string
  external_reference: string
  /** With an explicit offset; truncated to whole seconds. */
  opens_at: string
  settings?:
    | {
        /** From "0" to "100", at most four decimals. */
        buyer_premium_percentage?: string | undefined
      }
    | undefined
  increment_strategy?: IncrementStrategyId | undefined
  timed: {
    /** With an explicit offset; truncated to whole seconds. */
    first_closes_at: string
    group_size?: number | undefined
    interval_seconds?: number | undefined
    /** Seconds. */
    extension_threshold_seconds?: number | undefined
    /** Seconds. */
    extension_seconds?: number | undefined
  }
}

export type LiveSessionCreate = {
  auction: AuctionId
  title: string
  external_reference: string
  /** With an explicit offset; truncated to whole seconds. */
  opens_at: string
  settings?:
    | {
        /** From "0" to "100", at most four decimals. */
        buyer_premium_percentage?: string | undefined
      }
    | undefined
  increment_strategy?: IncrementStrategyId | undefined
  live: {
    /** With an explicit offset; truncated to whole seconds. */
    closes_at: string
  }
}

export type LotId = `lot_${string}`

export type LotResult = {
  state: 'sold' | 'unsold' | 'withdrawn'
  /** The price without premium; null unless the lot is sold and its price published. */
  amount: Money | null
  /** When it was recorded; null where a load says only that the lot is sold. */
  at: string | null
  /** Whether the lot was sold after its sale. */
  after_sale: boolean
  /** The lot that this one was sold together with. That one has the price of both. */
  with: LotId | null
}

export type ItemId = `itm_${string}`

export type Lot = {
  id: LotId
  lot_number: number | null
  active: boolean
  title: string
  starting_bid: Money | null
  current_bid: Money | null
  /** Whether the state of the result is sold. */
  sold: boolean
  result: LotResult | null
  /** What the house announces about the lot, in its default language. */
  notice: string | null
  /** Stored notices by locale, the default one too. */
  notice_translations: { [Name in Locale]?: string | undefined }
  closes_at: string | null
  /** The closing time before any extension. */
  timed?:
    | {
        scheduled_closes_at: string | null
      }
    | undefined
  item: ItemId | Item
  session: SessionId | Session
  created_at: string | null
  updated_at: string | null
}

export type SwitchedLots = {
  changed: number
  unchanged: number
}

export type Translation = {
  title?: string | undefined
  description?: string | undefined
  condition?: string | undefined
  dimensions?: string | undefined
  weight?: string | undefined
}

export type Estimate = {
  low?: Money | undefined
  high?: Money | undefined
}

export type ImageId = `img_${string}`

export type SellerId = `sel_${string}`

export type CategoryId = `cat_${string}`

export type MakerId = `mkr_${string}`

export type DeliveryClassId = `dlc_${string}`

export type ConsignmentId = `con_${string}`

export type Item = {
  id: ItemId
  external_reference: string | null
  title: string
  description: string | null
  condition: string | null
  dimensions: string | null
  weight: string | null
  estimate: Estimate | null
  /** The public gallery, in its order. */
  images: ImageId[] | GalleryImage[]
  /** Stored translations by locale. */
  translations: { [Name in Locale]?: Translation | undefined }
  seller: SellerId | null
  categories: CategoryId[]
  makers: MakerId[]
  delivery_class: DeliveryClassId | null
  consignment: ConsignmentId | null
  created_at: string | null
  updated_at: string | null
}

export type FacetValue = {
  /** An id, or the value of the filter. */
  value: string
  /** The name of the record in the default language; null where the value says it, and with count 0. */
  name: string | null
  count: number
}

export type ImageSource = {
  url: string
  width: number
  height: number
  /** The media type: image/webp. */
  type: string
}

export type GalleryImage = {
  id: ImageId
  url: string | null
  preview_url: string | null
  thumbnail_url: string | null
  mini_url: string | null
  /** Of the upright original; null until it was decoded. */
  width: number | null
  /** Of the upright original; null until it was decoded. */
  height: number | null
  /** A ThumbHash, to show before the picture; null until the sources are made. */
  placeholder: string | null
  /** The picture in several widths, narrowest first; empty until they are made. */
  sources: ImageSource[]
  /** What the picture shows, in the house's language. */
  alt: string | null
  /** The same by locale, the default one too. */
  alt_translations: { [Name in Locale]?: string | undefined }
  position: number
  featured: boolean
}

export type ManagedImage = {
  id: ImageId
  item: ItemId
  external_reference: string | null
  public: boolean
  featured: boolean
  /** Work is pending. False does not prove that it succeeded. */
  processing: boolean
  processing_failure: {
    code: 'derivative_processing_failed'
    at: string
  } | null
  gallery_position: number | null
  url: string | null
  preview_url: string | null
  thumbnail_url: string | null
  mini_url: string | null
  original_url: string | null
  /** Of the upright original; null until it was decoded. */
  width: number | null
  /** Of the upright original; null until it was decoded. */
  height: number | null
  /** A ThumbHash, to show before the picture; null until the sources are made. */
  placeholder: string | null
  /** The picture in several widths, narrowest first; empty until they are made. */
  sources: ImageSource[]
  /** What the picture shows, in the house's language. */
  alt: string | null
  /** The same by locale, the default one too. */
  alt_translations: { [Name in Locale]?: string | undefined }
  created_at: string | null
  updated_at: string | null
}

export type IncrementStrategy = {
  id: IncrementStrategyId
  name: string
  steps: {
    from: Money
    increment: Money
  }[]
  created_at: string | null
  updated_at: string | null
}

export type Seller = {
  id: SellerId
  seller_number: number
  name: string | null
  created_at: string | null
  updated_at: string | null
}

export type Category = {
  id: CategoryId
  name: string | null
  slug: string
  parent: CategoryId | null
  created_at: string | null
  updated_at: string | null
}

export type Maker = {
  id: MakerId
  name: string
  active: boolean
  created_at: string | null
  updated_at: string | null
}

export type DeliveryClass = {
  id: DeliveryClassId
  name: string
  instructions: string | null
  created_at: string | null
  updated_at: string | null
}

export type Consignment = {
  id: ConsignmentId
  number: string
  seller: SellerId | null
  locked: boolean
  created_at: string | null
  updated_at: string | null
}

export type Change = {
  type:
    | 'auction'
    | 'session'
    | 'lot'
    | 'item'
    | 'seller'
    | 'category'
    | 'maker'
    | 'delivery_class'
    | 'increment_strategy'
    | 'consignment'
    | 'image'
  id: string | null
  item?: string | null | undefined
  version: string | null
  /** The record is archived, or otherwise not readable at its path any more. */
  deleted: boolean
  changed_at: string | null
  /** The record cannot be shown truthfully. A read of it is integrity-unavailable. */
  integrity?: true | undefined
  /** With expand[]=record: the present record, as a read without expand[] returns it. */
  record?:
    | Auction
    | Session
    | Lot
    | Item
    | Seller
    | Category
    | Maker
    | DeliveryClass
    | IncrementStrategy
    | Consignment
    | ManagedImage
    | null
    | undefined
}

export type AuctionRehearsal = {
  id: null
  title: string
  description: string | null
  slug: string
  external_reference: string | null
  published: boolean
  /** In the order in which the sittings open. */
  sessions: SessionId[] | Session[]
  created_at: string | null
  updated_at: string | null
}

export type AuctionCreate = {
  title: string
  external_reference: string
  description?: string | null | undefined
}

export type AuctionUpdate = {
  title?: string | undefined
  description?: string | null | undefined
}

export type TimedSessionRehearsal = {
  id: null
  auction: AuctionId | Auction
  title: string | null
  external_reference: string | null
  opens_at: string | null
  settings: {
    buyer_premium_percentage: string
  }
  increment_strategy: IncrementStrategyId | null
  /** Whether the public sees the session: it is published and not hidden. */
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  created_at: string | null
  updated_at: string | null
  counts?: SessionCounts | undefined
  kind: 'timed'
  timed: {
    first_closes_at: string | null
    group_size: number | null
    interval_seconds: number | null
    /** Seconds. */
    extension_threshold_seconds: number
    /** Seconds. */
    extension_seconds: number
  }
}

export type LiveSessionRehearsal = {
  id: null
  auction: AuctionId | Auction
  title: string | null
  external_reference: string | null
  opens_at: string | null
  settings: {
    buyer_premium_percentage: string
  }
  increment_strategy: IncrementStrategyId | null
  /** Whether the public sees the session: it is published and not hidden. */
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  created_at: string | null
  updated_at: string | null
  counts?: SessionCounts | undefined
  kind: 'live'
  live: {
    closes_at: string | null
  }
}

export type SessionRehearsal = TimedSessionRehearsal | LiveSessionRehearsal

export type SessionWritten = {
  data: Session
  /** Only in a rehearsal: times of the body that have passed, or of the session that is published. */
  warnings?:
    | {
        code: 'past'
        /** A dotted path. */
        field: string
      }[]
    | undefined
}

export type SessionCreate = TimedSessionCreate | LiveSessionCreate

export type SessionUpdate = {
  title?: string | undefined
  settings?:
    | {
        /** From "0" to "100", at most four decimals. */
        buyer_premium_percentage?: string | undefined
      }
    | undefined
  /** With an explicit offset; truncated to whole seconds. */
  opens_at?: string | undefined
  timed?:
    | {
        /** With an explicit offset; truncated to whole seconds. */
        first_closes_at: string
        group_size: number
        interval_seconds: number
        /** Seconds. */
        extension_threshold_seconds?: number | undefined
        /** Seconds. */
        extension_seconds?: number | undefined
      }
    | undefined
  live?:
    | {
        /** With an explicit offset; truncated to whole seconds. */
        closes_at: string
      }
    | undefined
}

export type LotUpdate = {
  active: boolean
}

export type SessionLotsUpdate = {
  active: boolean
  /** Lots of the session by their ids, or all that are not archived. */
  lots: readonly LotId[] | 'all'
}

export type ItemRehearsal = {
  id: null
  external_reference: string | null
  title: string
  description: string | null
  condition: string | null
  dimensions: string | null
  weight: string | null
  estimate: Estimate | null
  /** The public gallery, in its order. */
  images: ImageId[] | GalleryImage[]
  /** Stored translations by locale. */
  translations: { [Name in Locale]?: Translation | undefined }
  seller: SellerId | null
  categories: CategoryId[]
  makers: MakerId[]
  delivery_class: DeliveryClassId | null
  consignment: ConsignmentId | null
  created_at: string | null
  updated_at: string | null
}

export type TranslationCreate = {
  title?: string | null | undefined
  description?: string | null | undefined
  condition?: string | null | undefined
  dimensions?: string | null | undefined
  weight?: string | null | undefined
}

export type EstimateBound = {
  /** Minor units, a multiple of 100. */
  amount: number
  currency: string
}

export type ItemCreate = {
  /** At most 1024 UTF-8 bytes. */
  external_reference: string
  title?: string | undefined
  description?: string | null | undefined
  condition?: string | null | undefined
  dimensions?: string | null | undefined
  weight?: string | null | undefined
  /** All texts of an item, in all locales together, have at most 256 KiB of UTF-8. */
  translations?: { [Name in Locale]?: TranslationCreate | undefined } | undefined
  estimate?:
    | {
        low?: EstimateBound | undefined
        high?: EstimateBound | undefined
      }
    | null
    | undefined
  seller?: SellerId | null | undefined
  categories?: readonly CategoryId[] | undefined
  makers?: readonly MakerId[] | undefined
  delivery_class?: DeliveryClassId | null | undefined
  consignment?: ConsignmentId | null | undefined
}

export type TranslationUpdate = {
  title?: string | null | undefined
  description?: string | null | undefined
  condition?: string | null | undefined
  dimensions?: string | null | undefined
  weight?: string | null | undefined
}

export type ItemUpdate = {
  /** At most 1024 UTF-8 bytes. */
  external_reference?: string | undefined
  /** At most 1000 characters, or no more than are stored. */
  title?: string | undefined
  description?: string | null | undefined
  condition?: string | null | undefined
  dimensions?: string | null | undefined
  weight?: string | null | undefined
  /** All texts of an item, in all locales together, have at most 256 KiB of UTF-8. */
  translations?: { [Name in Locale]?: TranslationUpdate | undefined } | undefined
  estimate?:
    | {
        low?: EstimateBound | null | undefined
        high?: EstimateBound | null | undefined
      }
    | null
    | undefined
  seller?: SellerId | null | undefined
  categories?: readonly CategoryId[] | undefined
  makers?: readonly MakerId[] | undefined
  delivery_class?: DeliveryClassId | null | undefined
  consignment?: ConsignmentId | null | undefined
}

export type GalleryReplacement = {
  /** The public gallery in its order; all other images become private. If omitted, the gallery is kept. */
  images?: readonly ImageId[] | undefined
  featured?: ImageId | null | undefined
}

export type ImageUpdate = {
  alt?: string | null | undefined
  alt_translations?: { [Name in Locale]?: string | null | undefined } | undefined
}

export type Fingerprint = {
  /** How far the feed had come. */
  cursor: string
  /** The readable records of each type. */
  counts: {}
  /** The sum modulo 2^128 of the first 16 bytes of SHA-256 over `type`, a space, `id`, a space and `version`, over all readable records. */
  fingerprint: string
}

/** The house of the key, as its staff see it. */
export type StaffHouse = {
  name: string
  locale: Locale
  currency: string
  time_zone: string | null
  /** Who records the results of a new session, unless it says otherwise: a job after each close, or staff. */
  results: 'automatic' | 'by-staff'
}

export type StaffDiscovery = {
  house: StaffHouse
  key: ApiKey
  /** The lists of this interface. All others are in the catalogue interface. */
  resources: {
    sessions: string
    lots: string
    items: string
    journal: string
  }
}

export type StaffTimedSession = {
  id: SessionId
  auction: AuctionId | Auction
  title: string | null
  external_reference: string | null
  opens_at: string | null
  settings: {
    buyer_premium_percentage: string
  }
  increment_strategy: IncrementStrategyId | null
  /** Whether the public sees the session: it is published and not hidden. */
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  created_at: string | null
  updated_at: string | null
  counts?: SessionCounts | undefined
  kind: 'timed'
  timed: {
    first_closes_at: string | null
    group_size: number | null
    interval_seconds: number | null
    /** Seconds. */
    extension_threshold_seconds: number
    /** Seconds. */
    extension_seconds: number
  }
  staff: {
    /** Who records the results: a job after each close, or staff. */
    results: 'automatic' | 'by-staff'
    /** The list is printed: the numbers of the lots no longer change. */
    numbers_fixed: boolean
  }
}

export type StaffLiveSession = {
  id: SessionId
  auction: AuctionId | Auction
  title: string | null
  external_reference: string | null
  opens_at: string | null
  settings: {
    buyer_premium_percentage: string
  }
  increment_strategy: IncrementStrategyId | null
  /** Whether the public sees the session: it is published and not hidden. */
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
  created_at: string | null
  updated_at: string | null
  counts?: SessionCounts | undefined
  kind: 'live'
  live: {
    closes_at: string | null
  }
  staff: {
    /** Who records the results: a job after each close, or staff. */
    results: 'automatic' | 'by-staff'
    /** The list is printed: the numbers of the lots no longer change. */
    numbers_fixed: boolean
  }
}

export type StaffSession = StaffTimedSession | StaffLiveSession

export type StaffLot = {
  id: LotId
  lot_number: number | null
  active: boolean
  title: string
  starting_bid: Money | null
  current_bid: Money | null
  /** Whether the state of the result is sold. */
  sold: boolean
  result: LotResult | null
  /** What the house announces about the lot, in its default language. */
  notice: string | null
  /** Stored notices by locale, the default one too. */
  notice_translations: { [Name in Locale]?: string | undefined }
  closes_at: string | null
  /** The closing time before any extension. */
  timed?:
    | {
        scheduled_closes_at: string | null
      }
    | undefined
  item: ItemId | Item
  session: SessionId | Session
  created_at: string | null
  updated_at: string | null
  staff: {
    /** Whether a person decides about the lot, not the job. */
    held: boolean
    /** How many bids stand. */
    bids: number
    /** Whether it has had a bid, cancelled ones too. */
    has_had_bid: boolean
  }
}

export type Bid = {
  id: BidId | null
  lot: LotId
  amount: Money
  placed_at: string | null
  cancelled_at: string | null
  cancel_reason: string | null
}

export type JournalEntry = {
  id: JournalEntryId
  at: string
  actor: {
    type: 'key' | 'command' | 'job'
    id: string | null
    name: string | null
  }
  /** The operationId, the words of the command, or the task. */
  operation: string
  record: string | null
  changes: {
    record: string | null
    /** A dotted path. */
    field: string
    old?: unknown
    /** A text of more than 200 characters is `{length}`. */
    new?: unknown
  }[]
  reason: string | null
  request_id: string | null
}

export type AuctionChange = {
  published?: boolean | undefined
  archived?: true | undefined
}

export type StaffSessionWritten = {
  data: StaffSession
  /** Only in a rehearsal: times of the body that have passed, or of the session that is published. */
  warnings?:
    | {
        code: 'past'
        /** A dotted path. */
        field: string
      }[]
    | undefined
}

export type SessionChange = {
  published?: boolean | undefined
  customer_bidding_enabled?: boolean | undefined
  finished?: true | undefined
  /** Finish even while active timed lots have not closed. */
  early?: boolean | undefined
  /** Finish even while lots have no result. */
  allow_without_result?: boolean | undefined
  /** The list is printed: the numbers of the lots no longer change. Only staff know it. */
  numbers_fixed?: boolean | undefined
  /** Who records the results of its lots. It can change until the session opens. Only staff know it. */
  results?: 'automatic' | 'by-staff' | undefined
  title?: string | undefined
  settings?:
    | {
        /** From "0" to "100", at most four decimals. */
        buyer_premium_percentage?: string | undefined
      }
    | undefined
  increment_strategy?: IncrementStrategyId | undefined
  /** With an explicit offset; truncated to whole seconds. */
  opens_at?: string | undefined
  timed?:
    | {
        /** With an explicit offset; truncated to whole seconds. */
        first_closes_at?: string | undefined
        group_size?: number | undefined
        interval_seconds?: number | undefined
        /** Seconds. */
        extension_threshold_seconds?: number | undefined
        /** Seconds. */
        extension_seconds?: number | undefined
      }
    | undefined
  live?:
    | {
        /** With an explicit offset; truncated to whole seconds. */
        closes_at: string
      }
    | undefined
}

export type LotsOrder = {
  /** Every unarchived lot of the session once, in the new order. */
  lots: readonly LotId[]
  from?: number | undefined
}

export type SessionDelay = {
  /** At most thirty days. */
  seconds: number
  reason: string
}

export type StaffLotRehearsal = {
  id: null
  lot_number: number | null
  active: boolean
  title: string
  starting_bid: Money | null
  current_bid: Money | null
  /** Whether the state of the result is sold. */
  sold: boolean
  result: LotResult | null
  /** What the house announces about the lot, in its default language. */
  notice: string | null
  /** Stored notices by locale, the default one too. */
  notice_translations: { [Name in Locale]?: string | undefined }
  closes_at: string | null
  /** The closing time before any extension. */
  timed?:
    | {
        scheduled_closes_at: string | null
      }
    | undefined
  item: ItemId | Item
  session: SessionId | Session
  created_at: string | null
  updated_at: string | null
  staff: {
    /** Whether a person decides about the lot, not the job. */
    held: boolean
    /** How many bids stand. */
    bids: number
    /** Whether it has had a bid, cancelled ones too. */
    has_had_bid: boolean
  }
}

export type LotsAddition = {
  lots: readonly {
    item: ItemId
    lot_number?: number | undefined
    starting_bid?:
      | {
          amount: number
          currency: string
        }
      | null
      | undefined
    /** The item may be sold, or in another lot without a result. */
    again?: boolean | undefined
    /** A late lot of a live session that has opened. */
    active?: boolean | undefined
  }[]
}

export type ResultsRecord = {
  except?: readonly LotId[] | undefined
  unsold?: readonly LotId[] | undefined
  results?:
    | readonly {
        lot: LotId
        state: 'sold' | 'unsold' | 'withdrawn'
        amount?:
          | {
              amount: number
              currency: string
            }
          | null
          | undefined
        after_sale?: boolean | undefined
        with?: LotId | null | undefined
        correct?: boolean | undefined
        reason?: string | undefined
      }[]
    | undefined
}

export type LotChange = {
  lot_number?: number | undefined
  starting_bid?:
    | {
        amount: number
        currency: string
      }
    | null
    | undefined
  held?: boolean | undefined
  notice?: string | null | undefined
  notice_translations?: { [Name in Locale]?: string | null | undefined } | undefined
  archived?: true | undefined
  result?:
    | {
        state: 'sold' | 'unsold' | 'withdrawn'
        amount?:
          | {
              amount: number
              currency: string
            }
          | null
          | undefined
        after_sale?: boolean | undefined
        with?: LotId | null | undefined
        correct?: boolean | undefined
        reason?: string | undefined
      }
    | null
    | undefined
  reason?: string | undefined
  closes_at?: string | undefined
  correct?: boolean | undefined
}

export type LotsChange = {
  lots: readonly {
    lot: LotId
    starting_bid?:
      | {
          amount: number
          currency: string
        }
      | null
      | undefined
    held?: boolean | undefined
    notice?: string | null | undefined
    notice_translations?: { [Name in Locale]?: string | null | undefined } | undefined
  }[]
}

export type BidCounts = {
  data: {
    lot: LotId
    bids: number
  }[]
}

export type BidCreate = {
  amount: {
    amount: number
    currency: string
  }
}

export type BidCancellation = {
  reason: string
}

export type ItemArchival = {
  archived: true
}

export type ItemsChange = {
  items: readonly {
    item: ItemId
    categories?: readonly CategoryId[] | undefined
    makers?: readonly MakerId[] | undefined
    delivery_class?: DeliveryClassId | null | undefined
  }[]
}

export type IncrementStrategyRehearsal = {
  id: null
  name: string
  steps: {
    from: Money
    increment: Money
  }[]
  created_at: string | null
  updated_at: string | null
}

export type IncrementStrategyCreate = {
  name: string
  steps: readonly {
    from: {
      amount: number
      currency: string
    }
    increment: {
      amount: number
      currency: string
    }
  }[]
}

export type SellerRehearsal = {
  id: null
  seller_number: number
  name: string | null
  created_at: string | null
  updated_at: string | null
}

export type SellerCreate = {
  /** No other unarchived seller has it. Left out by a new seller: the highest of the house, plus one. */
  seller_number?: number | undefined
  profile_name?: string | null | undefined
  account_name?: string | null | undefined
}

export type SellerChange = {
  /** No other unarchived seller has it. Left out by a new seller: the highest of the house, plus one. */
  seller_number?: number | undefined
  profile_name?: string | null | undefined
  account_name?: string | null | undefined
  archived?: true | undefined
}

export type CategoryRehearsal = {
  id: null
  name: string | null
  slug: string
  parent: CategoryId | null
  created_at: string | null
  updated_at: string | null
}

export type CategoryCreate = {
  /** Made from the name if a new category leaves it out. */
  slug?: string | undefined
  /** By locale. A locale that is left out stays, null removes its name. */
  names?: { [Name in Locale]?: string | null | undefined } | undefined
  parent?: CategoryId | null | undefined
}

export type CategoryChange = {
  /** Made from the name if a new category leaves it out. */
  slug?: string | undefined
  /** By locale. A locale that is left out stays, null removes its name. */
  names?: { [Name in Locale]?: string | null | undefined } | undefined
  parent?: CategoryId | null | undefined
}

export type MakerRehearsal = {
  id: null
  name: string
  active: boolean
  created_at: string | null
  updated_at: string | null
}

export type MakerCreate = {
  /** At most 1024 UTF-8 bytes, without spaces at its ends. No other unarchived record has it. */
  name: string
  active?: boolean | undefined
}

export type MakerChange = {
  /** At most 1024 UTF-8 bytes, without spaces at its ends. No other unarchived record has it. */
  name?: string | undefined
  active?: boolean | undefined
}

export type DeliveryClassRehearsal = {
  id: null
  name: string
  instructions: string | null
  created_at: string | null
  updated_at: string | null
}

export type DeliveryClassCreate = {
  /** At most 1024 UTF-8 bytes, without spaces at its ends. No other unarchived record has it. */
  name: string
  instructions?: string | null | undefined
}

export type DeliveryClassChange = {
  /** At most 1024 UTF-8 bytes, without spaces at its ends. No other unarchived record has it. */
  name?: string | undefined
  instructions?: string | null | undefined
}

export type ConsignmentRehearsal = {
  id: null
  number: string
  seller: SellerId | null
  locked: boolean
  created_at: string | null
  updated_at: string | null
}

export type ConsignmentCreate = {
  /** At most 1024 UTF-8 bytes, without spaces at its ends. No other unarchived record has it. */
  number: string
  seller?: SellerId | null | undefined
  /** A locked consignment takes no more items. */
  locked?: boolean | undefined
  commission_percentage?: string | null | undefined
  private_notes?: string | null | undefined
}

export type ConsignmentChange = {
  /** At most 1024 UTF-8 bytes, without spaces at its ends. No other unarchived record has it. */
  number?: string | undefined
  seller?: SellerId | null | undefined
  /** A locked consignment takes no more items. */
  locked?: boolean | undefined
  commission_percentage?: string | null | undefined
  private_notes?: string | null | undefined
  archived?: true | undefined
}

export type AuctionFilters = {
  /** Only published auctions, or only drafts. */
  published?: boolean | undefined
  /** The auction with exactly this reference. */
  external_reference?: string | undefined
}

export type AuctionExpansion = 'sessions'

export type SessionFilters = {
  /** Only sessions that the public sees, or only those it does not. */
  published?: boolean | undefined
  /** The session with exactly this reference. */
  external_reference?: string | undefined
  /** Only the sessions of this auction. */
  auction?: AuctionId | undefined
}

export type SessionExpansion = 'auction' | 'counts'

export type LotFilters = {
  /** Only the lots of this session. */
  session?: SessionId | undefined
  /** Only the lots of this auction. */
  auction?: AuctionId | undefined
  /** Only lots with this number; combine it with session. */
  lot_number?: number | undefined
  /** Only active lots, or only inactive ones (an older unset value counts as inactive). */
  active?: boolean | undefined
}

export type LotExpansion = 'item' | 'images' | 'item.images' | 'session'

export type ItemFilters = {
  /** The item with exactly this reference. */
  external_reference?: string | undefined
}

export type ItemExpansion = 'images'

export type LotSearchFilters = {
  /** Only the lots of this session. */
  session?: SessionId | undefined
  /** Only the lots of this auction. */
  auction?: AuctionId | undefined
  /** Only lots with this number; combine it with session. */
  lot_number?: number | undefined
  /** Only active lots, or only inactive ones (an older unset value counts as inactive). */
  active?: boolean | undefined
  /** What to look for, 1 to 200 characters. "two words" is a phrase, -word takes away. The last word may be a beginning. */
  q?: string | undefined
  /** Only records in one of these categories, or below it; at most 50. */
  'category[]'?: readonly CategoryId[] | undefined
  /** Only records by one of these makers; at most 50. */
  'maker[]'?: readonly MakerId[] | undefined
  /** The estimate reaches at least this amount, in minor units. */
  estimate_from?: number | undefined
  /** The estimate begins at most at this amount, in minor units. */
  estimate_to?: number | undefined
  /** Only records with a public image, or only those without. */
  images?: boolean | undefined
  /** Only lots that are published with their session and auction, or only the others. */
  published?: boolean | undefined
  /** Only lots with a current bid, or only those without. */
  bids?: boolean | undefined
  /** Only lots with this result; none: without one. */
  result?: 'sold' | 'unsold' | 'withdrawn' | 'none' | undefined
  /** Only lots that can get bids at the time of the request, or only the others. */
  open?: boolean | undefined
  /** The order; a leading - turns it round. Default: relevance with q, else the order of the list. */
  sort?:
    | 'relevance'
    | '-relevance'
    | 'estimate'
    | '-estimate'
    | 'created_at'
    | '-created_at'
    | 'lot_number'
    | '-lot_number'
    | 'closes_at'
    | '-closes_at'
    | 'current_bid'
    | '-current_bid'
    | undefined
  /** What to count the matches by: category, maker, session, result, open. */
  'facets[]'?: readonly ('category' | 'maker' | 'session' | 'result' | 'open')[] | undefined
}

export type LotSearchExpansion = 'item' | 'images' | 'item.images' | 'session'

export type ItemSearchFilters = {
  /** What to look for, 1 to 200 characters. "two words" is a phrase, -word takes away. The last word may be a beginning. */
  q?: string | undefined
  /** Only records in one of these categories, or below it; at most 50. */
  'category[]'?: readonly CategoryId[] | undefined
  /** Only records by one of these makers; at most 50. */
  'maker[]'?: readonly MakerId[] | undefined
  /** The estimate reaches at least this amount, in minor units. */
  estimate_from?: number | undefined
  /** The estimate begins at most at this amount, in minor units. */
  estimate_to?: number | undefined
  /** Only records with a public image, or only those without. */
  images?: boolean | undefined
  /** The order; a leading - turns it round. Default: relevance with q, else the order of the list. */
  sort?: 'relevance' | '-relevance' | 'estimate' | '-estimate' | 'created_at' | '-created_at' | undefined
  /** What to count the matches by: category, maker. */
  'facets[]'?: readonly ('category' | 'maker')[] | undefined
}

export type ItemSearchExpansion = 'images'

export type ManagedImageFilters = {
  /** Only images with exactly this upload reference. */
  external_reference?: string | undefined
}

export type HouseImageFilters = {
  /** Only images of this item. */
  item?: ItemId | undefined
  /** Only images of the items that this session offers. */
  session?: SessionId | undefined
  /** Only public images, or only private ones. */
  public?: boolean | undefined
  /** Only images for which work is pending, or only others. */
  processing?: boolean | undefined
  /** Only images with a processing_failure, or only others. */
  failed?: boolean | undefined
}

export type SellerFilters = {
  /** Only sellers with this number. Older sellers may share one. */
  seller_number?: number | undefined
}

export type CategoryFilters = {
  /** Only categories with this slug, letter case included. Slugs are not unique. */
  slug?: string | undefined
}

export type MakerFilters = {
  /** Only records with exactly this name. */
  name?: string | undefined
}

export type DeliveryClassFilters = {
  /** Only records with exactly this name. */
  name?: string | undefined
}

export type IncrementStrategyFilters = {
  /** Only records with exactly this name. */
  name?: string | undefined
}

export type ConsignmentFilters = {
  /** Only consignments with exactly this number. */
  number?: string | undefined
  /** Only consignments of this seller. */
  seller?: SellerId | undefined
}

export type ChangeFilters = {
  /** The types of record to follow. Each needs the permission of its own reads. Left out: all that the key may read, without images. */
  'types[]'?:
    | readonly (
        | 'auction'
        | 'session'
        | 'lot'
        | 'item'
        | 'seller'
        | 'category'
        | 'maker'
        | 'delivery_class'
        | 'increment_strategy'
        | 'consignment'
        | 'image'
      )[]
    | undefined
  /** next_cursor of the answer before, of the same types. Left out: from the beginning. */
  after?: string | undefined
}

export type ChangeExpansion = 'record'

export type StaffSessionFilters = {
  /** Only sessions that the public sees, or only those it does not. */
  published?: boolean | undefined
  /** The session with exactly this reference. */
  external_reference?: string | undefined
  /** Only the sessions of this auction. */
  auction?: AuctionId | undefined
}

export type StaffSessionExpansion = 'auction' | 'counts'

export type StaffLotFilters = {
  /** Only the lots of this session. */
  session?: SessionId | undefined
  /** Only the lots of this auction. */
  auction?: AuctionId | undefined
  /** Only lots with this number; combine it with session. */
  lot_number?: number | undefined
  /** Only active lots, or only inactive ones (an older unset value counts as inactive). */
  active?: boolean | undefined
  /** Only lots about which a person decides, or only the others. */
  held?: boolean | undefined
  /** Only lots of items of this seller. */
  seller?: SellerId | undefined
  /** Only lots of items of this consignment. */
  consignment?: ConsignmentId | undefined
  /** Only lots with this number or a higher one. */
  number_from?: number | undefined
  /** Only lots with this number or a lower one. Lots without a number are left out. */
  number_to?: number | undefined
  /** Only lots with this result; none: without one. */
  result?: 'sold' | 'unsold' | 'withdrawn' | 'none' | undefined
  /** Only lots that can get bids at the time of the request, or only the others. */
  open?: boolean | undefined
}

export type StaffLotExpansion = 'item' | 'images' | 'item.images' | 'session'

export type StaffItemFilters = {
  /** The item with exactly this reference. */
  external_reference?: string | undefined
  /** Only items of this consignment. */
  consignment?: ConsignmentId | undefined
  /** Only items of this seller. */
  seller?: SellerId | undefined
  /** Only items that are in no unarchived lot (never), in one without a result (open), sold, or unsold or withdrawn (unsold). */
  offered?: 'never' | 'open' | 'unsold' | 'sold' | undefined
  /** Only items without a public image, an estimate, or a text in this language. */
  without?: 'image' | 'estimate' | 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu' | undefined
}

export type StaffLotSearchFilters = {
  /** Only the lots of this session. */
  session?: SessionId | undefined
  /** Only the lots of this auction. */
  auction?: AuctionId | undefined
  /** Only lots with this number; combine it with session. */
  lot_number?: number | undefined
  /** Only active lots, or only inactive ones (an older unset value counts as inactive). */
  active?: boolean | undefined
  /** What to look for, 1 to 200 characters. "two words" is a phrase, -word takes away. The last word may be a beginning. */
  q?: string | undefined
  /** Only records in one of these categories, or below it; at most 50. */
  'category[]'?: readonly CategoryId[] | undefined
  /** Only records by one of these makers; at most 50. */
  'maker[]'?: readonly MakerId[] | undefined
  /** The estimate reaches at least this amount, in minor units. */
  estimate_from?: number | undefined
  /** The estimate begins at most at this amount, in minor units. */
  estimate_to?: number | undefined
  /** Only records with a public image, or only those without. */
  images?: boolean | undefined
  /** Only lots that are published with their session and auction, or only the others. */
  published?: boolean | undefined
  /** Only lots with a current bid, or only those without. */
  bids?: boolean | undefined
  /** Only lots with this result; none: without one. */
  result?: 'sold' | 'unsold' | 'withdrawn' | 'none' | undefined
  /** Only lots that can get bids at the time of the request, or only the others. */
  open?: boolean | undefined
  /** The order; a leading - turns it round. Default: relevance with q, else the order of the list. */
  sort?:
    | 'relevance'
    | '-relevance'
    | 'estimate'
    | '-estimate'
    | 'created_at'
    | '-created_at'
    | 'lot_number'
    | '-lot_number'
    | 'closes_at'
    | '-closes_at'
    | 'current_bid'
    | '-current_bid'
    | undefined
  /** What to count the matches by: category, maker, session, result, open. */
  'facets[]'?: readonly ('category' | 'maker' | 'session' | 'result' | 'open')[] | undefined
  /** Only lots about which a person decides, or only the others. */
  held?: boolean | undefined
  /** Only lots of items of this seller. */
  seller?: SellerId | undefined
  /** Only lots of items of this consignment. */
  consignment?: ConsignmentId | undefined
  /** Only lots with this number or a higher one. */
  number_from?: number | undefined
  /** Only lots with this number or a lower one. Lots without a number are left out. */
  number_to?: number | undefined
}

export type StaffLotSearchExpansion = 'item' | 'images' | 'item.images' | 'session'

export type StaffItemSearchFilters = {
  /** What to look for, 1 to 200 characters. "two words" is a phrase, -word takes away. The last word may be a beginning. */
  q?: string | undefined
  /** Only records in one of these categories, or below it; at most 50. */
  'category[]'?: readonly CategoryId[] | undefined
  /** Only records by one of these makers; at most 50. */
  'maker[]'?: readonly MakerId[] | undefined
  /** The estimate reaches at least this amount, in minor units. */
  estimate_from?: number | undefined
  /** The estimate begins at most at this amount, in minor units. */
  estimate_to?: number | undefined
  /** Only records with a public image, or only those without. */
  images?: boolean | undefined
  /** The order; a leading - turns it round. Default: relevance with q, else the order of the list. */
  sort?: 'relevance' | '-relevance' | 'estimate' | '-estimate' | 'created_at' | '-created_at' | undefined
  /** What to count the matches by: category, maker. */
  'facets[]'?: readonly ('category' | 'maker')[] | undefined
  /** Only items of this consignment. */
  consignment?: ConsignmentId | undefined
  /** Only items of this seller. */
  seller?: SellerId | undefined
  /** Only items that are in no unarchived lot (never), in one without a result (open), sold, or unsold or withdrawn (unsold). */
  offered?: 'never' | 'open' | 'unsold' | 'sold' | undefined
  /** Only items without a public image, an estimate, or a text in this language. */
  without?: 'image' | 'estimate' | 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu' | undefined
}

export type JournalEntryFilters = {
  /** Only rows about this record, by its id. A UUID alone stands for records of any kind. */
  record?: string | undefined
  /** Only rows of this actor: the id of a key, or the name of a key, a user or a task. */
  actor?: string | undefined
  /** Only rows of this operation. */
  operation?: string | undefined
  /** Only rows of this time or later. */
  since?: string | undefined
}

/** The types of problems, by the last part of their addresses. More may come. */

export type ProblemCode =
  | 'auction-published'
  | 'conflict'
  | 'duplicate-reference'
  | 'idempotency-key-in-use'
  | 'idempotency-key-reused'
  | 'image-processing'
  | 'integrity-unavailable'
  | 'internal-error'
  | 'invalid-cursor'
  | 'invalid-parameter'
  | 'locked'
  | 'lot-not-changeable'
  | 'malformed-json'
  | 'missing-permission'
  | 'not-found'
  | 'payload-too-large'
  | 'precondition-failed'
  | 'precondition-required'
  | 'rate-limit-exceeded'
  | 'session-not-editable'
  | 'temporarily-unavailable'
  | 'unauthorized'
  | 'unsupported-media-type'
  | 'validation-failed'

/** Why the state of a record does not allow a request. More may come. */

export type Reason =
  | 'finished'
  | 'published'
  | 'hidden'
  | 'has_lots'
  | 'opened'
  | 'opens_soon'
  | 'has_bids'
  | 'no_schedule'
  | 'not_published'
  | 'not_open'
  | 'bidding_disabled'
  | 'inactive'
  | 'closed'
  | 'not_closed'
  | 'has_result'
  | 'withdrawn'
  | 'number_taken'
  | 'numbers_fixed'
  | 'in_use'
  | 'without_result'

/** The codes of errors in a body. More may come. */

export type FieldErrorCode =
  | 'required'
  | 'unknown_field'
  | 'wrong_type'
  | 'blank'
  | 'too_short'
  | 'too_long'
  | 'invalid'
  | 'out_of_range'
  | 'unsupported_locale'
  | 'currency_mismatch'
  | 'low_exceeds_high'
  | 'title_mismatch'
  | 'unavailable'
  | 'duplicate'
  | 'not_clearable'
  | 'seller_mismatch'
  | 'locked'
