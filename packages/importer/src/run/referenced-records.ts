import {
  CatalogueError,
  type AuctionId,
  type Catalogue,
  type IncrementStrategyId,
  type Item,
  type ItemId,
  type SessionId,
} from '@auction-catalogue/client'
import {
  changeAuction,
  changeItem,
  changeSession,
  createAuction,
  createItem,
  createSession,
  type Wish,
} from './bodies.ts'
import { carry, refuseDifferences, type Carried } from './carrier.ts'
import type { Links } from './links.ts'
import { Names } from '../names.ts'
import type { Place, Records } from '../records.ts'
import { Refused, refuse } from '../rejections.ts'
import type { Run } from './run.ts'
import { Stored } from './stored.ts'
import type { Targets } from './targets.ts'

// An id that no auction has.
const absentAuction = 'auc_00000000-0000-4000-8000-000000000000'

/** A record that is found by its reference. */
export type Referenced = Records['auction' | 'session' | 'item']

/** The stored record. An item has its gallery if galleries are read. */
export type StoredRecord = { id: string; images?: Item<'images'>['images'] | Item['images'] }

/** Finds the auctions, sessions and items of a house by their references, and imports them. */
export class ReferencedRecords {
  readonly #run: Run
  readonly #links: Links
  readonly #targets: Targets
  readonly #auctions
  readonly #sessions
  readonly #items
  // The lines of the records so far, by type and reference.
  readonly #claimed = new Names()

  /** `withGalleries` returns whether items are read with their galleries. */
  constructor(run: Run, links: Links, targets: Targets, withGalleries: () => boolean) {
    this.#run = run
    this.#links = links
    this.#targets = targets
    const { auctions, sessions, items }: Catalogue = run.catalogue
    this.#auctions = new Stored((filter) => auctions.list(filter))
    this.#sessions = new Stored((filter) => sessions.list(filter))
    this.#items = new Stored<Omit<Item, 'images'>>((filter) =>
      items.list({ ...filter, expand: withGalleries() ? ['images'] : [] }),
    )
  }

  /** Prepares for so many records of each type. */
  prepare({ auction = 0, session = 0, item = 0 }: { [type: string]: number }): void {
    this.#auctions.prepare(auction)
    this.#sessions.prepare(session)
    this.#items.prepare(item)
  }

  /** The reference of a stored item that equals the given one, or differs only in capitals. */
  findItem(reference: string): Promise<string | undefined> {
    return this.#items.findReference(reference)
  }

  /**
   * Imports a record, as `carry` does.
   * @throws Refused
   */
  async bring(place: Place, record: Referenced): Promise<Carried<StoredRecord>> {
    this.#claim(place, record)
    if (record.type === 'auction') return this.#bringAuction(place, record)
    return record.type === 'session' ? this.#bringSession(place, record) : this.#bringItem(place, record)
  }

  async close(): Promise<void> {
    for (const stored of [this.#auctions, this.#sessions, this.#items]) await stored.close()
  }

  #claim({ line }: Place, record: Referenced): void {
    const { type, external_reference: reference } = record
    if (reference && this.#claimed.get(`${type} ${reference}`) !== undefined)
      throw refuse('external_reference', 'duplicate', `the source has ${reference} twice`)
    if (reference) this.#claimed.set(`${type} ${reference}`, line)
    if ('archived' in record && record.archived)
      throw refuse('archived', 'not_carried', 'archived records cannot be made over HTTP')
  }

  /**
   * The change of a stored record, unless the interface cannot make a part of it.
   * @throws Refused with that part; in a verification also with the other differences
   */
  #allow<Change extends object>({ change, errors }: Wish<Change>, id: string): Change | undefined {
    if (errors.length === 0) return change
    if (this.#run.mode !== 'verify') throw new Refused(errors)
    const all = change === undefined ? [] : refuseDifferences(change).errors
    const others = all.filter(({ field }) => errors.every((error) => error.field !== field))
    throw new Refused([...errors, ...others], false, id)
  }

  #bringAuction(place: Place, record: Records['auction']): Promise<Carried<StoredRecord>> {
    const { auctions } = this.#run.catalogue
    return carry(this.#run, record, place, {
      links: {},
      stored: this.#auctions,
      create: (isRehearsal) => {
        const body = createAuction(record)
        return isRehearsal ? auctions.create(body, { dryRun: true }) : auctions.create(body)
      },
      get: (id) => auctions.get(id as AuctionId),
      change: (stored) => this.#allow(changeAuction(record, stored), stored.id),
      update: (id, change, options) => auctions.update(id as AuctionId, change, options),
    })
  }

  async #bringSession(place: Place, record: Records['session']): Promise<Carried<StoredRecord>> {
    if (record.auction === '')
      throw refuse(
        'auction',
        'required',
        'a session needs an auction: name one, such as "auction: 2026-1" under "all:"',
      )
    const auction = await this.#targets.find('auction', record.auction)
    const strategy = record.increment_strategy
      ? await this.#links.follow(this.#targets, 'increment_strategy', record.increment_strategy, place)
      : undefined
    const { sessions } = this.#run.catalogue
    return carry(this.#run, record, place, {
      links: { strategy },
      stored: this.#sessions,
      create: async (isRehearsal) => {
        const id = auction.state === 'there' ? auction.id : absentAuction
        const ids = { auction: id, increment_strategy: strategy as IncrementStrategyId | undefined }
        const body = createSession(record, ids, (await this.#run.house()).locale)
        if (!isRehearsal) return sessions.create(body)
        return sessions.create(body, { dryRun: true }).catch((error: unknown) => {
          const errors = error instanceof CatalogueError ? error.errors : undefined
          if (id !== absentAuction || errors === undefined) throw error
          // Only the auction may be missing: it is planned, and not stored yet.
          const others = errors.filter(({ field }) => field !== 'auction')
          if (others.length > 0) throw new Refused(others)
          return { id: null }
        })
      },
      get: (id) => sessions.get(id as SessionId),
      change: async (stored) => {
        const ids = { auction: auction.state === 'there' ? auction.id : undefined, increment_strategy: strategy }
        return this.#allow(changeSession(record, ids, stored, (await this.#run.house()).locale), stored.id)
      },
      update: (id, change, options) => sessions.update(id as SessionId, change, options),
    })
  }

  async #bringItem(place: Place, record: Records['item']): Promise<Carried<StoredRecord>> {
    const links = await this.#links.followAll(this.#targets, place, record)
    const { items } = this.#run.catalogue
    return carry(this.#run, record, place, {
      links,
      stored: this.#items,
      create: (isRehearsal) => {
        const body = createItem(record, links)
        return isRehearsal ? items.create(body, { dryRun: true }) : items.create(body)
      },
      get: (id) => items.get(id as ItemId),
      change: async (stored) =>
        this.#allow(changeItem(record, links, stored, (await this.#run.house()).locale), stored.id),
      update: (id, change, options) => items.update(id as ItemId, change, options),
    })
  }
}
