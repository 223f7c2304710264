import {
  Group,
  pathOf,
  type Guard,
  type Options,
  type ReadOptions,
  type Rehearsal,
  type WriteOptions,
} from './groups.ts'
import type { Listing, Position } from './listing.ts'
import type {
  ExpansionOf,
  Item,
  Lot,
  RecordOf,
  StaffLot,
  StaffSession,
  Tagged,
  Unsaved,
  WrittenExpansionOf,
} from './records.ts'
import { listFound, type FacetOf, type Findings, type SearchQuery } from './search.ts'
import { hasRecords, isDiscovery } from './shapes.ts'
import type { Call, Sender } from './transport.ts'
import type * as wire from './generated/wire.ts'

type Changes = {
  auction: wire.AuctionChange
  session: wire.SessionChange
  lot: wire.LotChange
  item: wire.ItemArchival
}

type StaffRecordOf<E = never> = Omit<RecordOf<E>, 'lot' | 'session'> & { lot: StaffLot<E>; session: StaffSession<E> }

type Queries = { lot: wire.StaffLotFilters; session: wire.StaffSessionFilters }

type References = {
  seller: { create: wire.SellerCreate; change: wire.SellerChange }
  category: { create: wire.CategoryCreate; change: wire.CategoryChange }
  maker: { create: wire.MakerCreate; change: wire.MakerChange }
  delivery_class: { create: wire.DeliveryClassCreate; change: wire.DeliveryClassChange }
  consignment: { create: wire.ConsignmentCreate; change: wire.ConsignmentChange }
}

type Unguarded = WriteOptions & Rehearsal
type Rehearsed = Options & { dryRun: true }
type Stored = WriteOptions & { dryRun?: false | undefined }

/** Auctions, sessions, lots or items. */
export class StaffRecords<K extends keyof Changes> extends Group {
  /** Changes what is in the body. */
  update<const E extends WrittenExpansionOf<K> = never>(
    id: RecordOf[K]['id'],
    body: Changes[K],
    options: ReadOptions<E> & WriteOptions & Guard & Rehearsal = {},
  ): Promise<Tagged<StaffRecordOf<E>[K]>> {
    return this.write('PATCH', pathOf(this.name, id), body, options)
  }
}

/** Sessions or lots, with their field `staff`. */
export class StaffReadable<K extends keyof Queries> extends StaffRecords<K> {
  /** The records that match the filters. */
  list<const E extends ExpansionOf<K> = never>(
    query: Queries[K] & Position & { expand?: readonly E[] | undefined } = {},
    options: Options = {},
  ): Listing<StaffRecordOf<E>[K]> {
    return this.listAt(pathOf(this.name), query, options)
  }

  /** One record. */
  async get<const E extends ExpansionOf<K> = never>(
    id: RecordOf[K]['id'],
    options: ReadOptions<E> = {},
  ): Promise<Tagged<StaffRecordOf<E>[K]>> {
    return this.read(pathOf(this.name, id), options)
  }
}

/** The lots. */
export class StaffLots extends StaffReadable<'lot'> {
  /** Searches the lots, as `catalogue.lots.search` does, with the filters of staff. */
  search<const E extends wire.StaffLotSearchExpansion = never, const F extends FacetOf<'staffLot'> = never>(
    query: SearchQuery<'staffLot', E, F>,
    options: Options = {},
  ): Listing<StaffLot<E>, string | null, Findings<F>> {
    return listFound<'staffLot', StaffLot<E>, F>(this.transport, pathOf(this.name, 'search'), query, options)
  }
}

/** The sessions. */
export class StaffSessions extends StaffReadable<'session'> {
  /** Deletes a session that is not published and has no lots. */
  delete(id: wire.SessionId, options: WriteOptions & Guard = {}): Promise<void> {
    return this.remove(pathOf(this.name, id), options)
  }

  /** Adds lots, all or none. Returns them in their order. */
  addLots(id: wire.SessionId, body: wire.LotsAddition, options: Rehearsed): Promise<Unsaved<StaffLot>[]>
  addLots(id: wire.SessionId, body: wire.LotsAddition, options?: Stored): Promise<StaffLot[]>
  addLots(id: wire.SessionId, body: wire.LotsAddition, options: Unguarded = {}): Promise<unknown> {
    return this.write('POST', pathOf(this.name, id, 'lots'), body, options, hasRecords)
  }

  /** Sets starting bids, holds and notices of lots, all or none. Returns them in their order. */
  updateLots(id: wire.SessionId, body: wire.LotsChange, options: Unguarded = {}): Promise<StaffLot[]> {
    return this.write('PATCH', pathOf(this.name, id, 'lots'), body, options, hasRecords)
  }

  /** Numbers the lots in the order of the body, which has every unarchived one. */
  orderLots<const E extends WrittenExpansionOf<'session'> = never>(
    id: wire.SessionId,
    body: wire.LotsOrder,
    options: ReadOptions<E> & WriteOptions & Guard & Rehearsal = {},
  ): Promise<Tagged<StaffSession<E>>> {
    return this.write('PATCH', pathOf(this.name, id, 'order'), body, options)
  }

  /** Lets all lots that have not closed close later by the same time. */
  delay<const E extends WrittenExpansionOf<'session'> = never>(
    id: wire.SessionId,
    body: wire.SessionDelay,
    options: ReadOptions<E> & Unguarded = {},
  ): Promise<Tagged<StaffSession<E>>> {
    return this.write('POST', pathOf(this.name, id, 'delay'), body, options)
  }

  /** Records results, all or none. Returns the lots that have one now. */
  recordResults(id: wire.SessionId, body: wire.ResultsRecord, options: Unguarded = {}): Promise<StaffLot[]> {
    return this.write('POST', pathOf(this.name, id, 'results'), body, options, hasRecords)
  }
}

/** The items, with the filters of staff. */
export class StaffItems extends StaffRecords<'item'> {
  /** The items that match the filters. */
  list<const E extends wire.ItemExpansion = never>(
    query: wire.StaffItemFilters & Position & { expand?: readonly E[] | undefined } = {},
    options: Options = {},
  ): Listing<Item<E>> {
    return this.listAt(pathOf(this.name), query, options)
  }

  /** Searches the items, as `catalogue.items.search` does, with the filters of staff. */
  search<const E extends wire.ItemSearchExpansion = never, const F extends FacetOf<'staffItem'> = never>(
    query: SearchQuery<'staffItem', E, F>,
    options: Options = {},
  ): Listing<Item<E>, string | null, Findings<F>> {
    return listFound<'staffItem', Item<E>, F>(this.transport, pathOf(this.name, 'search'), query, options)
  }

  /** Changes the categories, makers and delivery classes of many items, all or none. Returns them in their order. */
  updateMany(body: wire.ItemsChange, options: Unguarded = {}): Promise<Item[]> {
    return this.write('PATCH', pathOf(this.name), body, options, hasRecords)
  }
}

/** The bids. */
export class StaffBids extends Group {
  /** The bids on a lot, the latest first, cancelled ones too. */
  list(lot: wire.LotId, query: Position = {}, options: Options = {}): Listing<wire.Bid> {
    return this.listAt(pathOf('lots', lot, 'bids'), query, options)
  }

  /** How many bids stand on each lot of a session that has any. */
  count(session: wire.SessionId, options: Options = {}): Promise<wire.BidCounts['data']> {
    return this.read(pathOf('sessions', session, 'bids'), options, hasRecords)
  }

  /** Places a bid, and returns the lot. A key with the permission `bids` may do this alone, and gets no `staff`. */
  place(lot: wire.LotId, body: wire.BidCreate, options: Unguarded = {}): Promise<Tagged<Lot | StaffLot>> {
    return this.write('POST', pathOf('lots', lot, 'bids'), body, options)
  }

  /** Cancels a bid on a lot without a result, and returns the lot. */
  cancel(id: wire.BidId, body: wire.BidCancellation, options: Unguarded = {}): Promise<Tagged<StaffLot>> {
    return this.write('POST', pathOf(this.name, id, 'cancel'), body, options)
  }
}

/** Records that staff make: one kind. */
export class StaffReferences<K extends keyof References> extends Group {
  /** Creates a record exactly once, despite failures of the network. */
  create(body: References[K]['create'], options: Rehearsed): Promise<Unsaved<RecordOf[K]>>
  create(body: References[K]['create'], options?: Stored): Promise<Tagged<RecordOf[K]>>
  create(body: References[K]['create'], options: Unguarded = {}): Promise<unknown> {
    return this.write('POST', pathOf(this.name), body, options)
  }

  /** Changes the fields that are in the body. */
  update(
    id: RecordOf[K]['id'],
    body: References[K]['change'],
    options: WriteOptions & Guard & Rehearsal = {},
  ): Promise<Tagged<RecordOf[K]>> {
    return this.write('PATCH', pathOf(this.name, id), body, options)
  }

  /** Deletes a category, maker or delivery class that nothing uses. Archives a seller or a consignment. */
  delete(id: RecordOf[K]['id'], options: WriteOptions & Guard = {}): Promise<void> {
    return this.remove(pathOf(this.name, id), options)
  }
}

/** The increment strategies. None changes. */
export class StaffStrategies extends Group {
  /** Creates a strategy exactly once, despite failures of the network. */
  create(body: wire.IncrementStrategyCreate, options: Rehearsed): Promise<Unsaved<wire.IncrementStrategy>>
  create(body: wire.IncrementStrategyCreate, options?: Stored): Promise<Tagged<wire.IncrementStrategy>>
  create(body: wire.IncrementStrategyCreate, options: Unguarded = {}): Promise<unknown> {
    return this.write('POST', pathOf(this.name), body, options)
  }
}

/** Who changed what, and when. */
export class Journal extends Group {
  /** The rows that match the filters, the latest first. `record` finds a row by each record that it names. */
  list(query: wire.JournalEntryFilters & Position = {}, options: Options = {}): Listing<wire.JournalEntry> {
    return this.listAt(pathOf(this.name), query, options)
  }
}

/** What the staff of a house do, for a key with the permission `staff`: the interface `/staff/v1`. */
export class Staff {
  readonly #sender: Sender
  readonly auctions: StaffRecords<'auction'>
  readonly sessions: StaffSessions
  readonly lots: StaffLots
  readonly items: StaffItems
  readonly bids: StaffBids
  readonly sellers: StaffReferences<'seller'>
  readonly categories: StaffReferences<'category'>
  readonly makers: StaffReferences<'maker'>
  readonly deliveryClasses: StaffReferences<'delivery_class'>
  readonly consignments: StaffReferences<'consignment'>
  readonly incrementStrategies: StaffStrategies
  readonly journal: Journal

  constructor(transport: Sender) {
    const sender: Sender = { send: (call: Call) => transport.send({ ...call, base: '/staff/v1' }) }
    this.#sender = sender
    this.auctions = new StaffRecords(sender, 'auctions')
    this.sessions = new StaffSessions(sender, 'sessions')
    this.lots = new StaffLots(sender, 'lots')
    this.items = new StaffItems(sender, 'items')
    this.bids = new StaffBids(sender, 'bids')
    this.sellers = new StaffReferences(sender, 'sellers')
    this.categories = new StaffReferences(sender, 'categories')
    this.makers = new StaffReferences(sender, 'makers')
    this.deliveryClasses = new StaffReferences(sender, 'delivery_classes')
    this.consignments = new StaffReferences(sender, 'consignments')
    this.incrementStrategies = new StaffStrategies(sender, 'increment_strategies')
    this.journal = new Journal(sender, 'journal')
  }
  /** The house with what its staff see of it, the key, and the addresses of the lists. */
  async discover(options: Options = {}): Promise<wire.StaffDiscovery> {
    const { body } = await this.#sender.send({ method: 'GET', path: '', ...options, accepts: isDiscovery })
    return body as wire.StaffDiscovery
  }
}
