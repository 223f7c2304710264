import type {
  Auction as AuctionOf,
  ImageId,
  Item as ItemOf,
  ItemId,
  Lot as LotOf,
  LotId,
  ManagedImage,
  Session,
  SessionId,
  StaffLot,
  StaffSession,
} from '@auction-catalogue/client'
import { replaceEqualDeep } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

export type Auction = AuctionOf<'sessions'>
/** What only staff see of a record. It is missing for others, and until it is known. */
type Staffed<Of extends { staff: unknown }> = Partial<Pick<Of, 'staff'>>
export type CountedSession = Session<'counts'> & Staffed<StaffSession>
export type Item = ItemOf<'images'>
/** `item` is only the id while the item is not known, or if it cannot be shown. */
export type Lot = (LotOf<'item.images'> | LotOf) & Staffed<StaffLot>
type KnownLot = LotOf & Staffed<StaffLot>

type Dated = { updated_at: string | null }
// A loaded record may have none before its first change.
const timeOf = (dated: Dated | undefined) => Date.parse(dated?.updated_at ?? '') || 0
/** Whether a record was read before its last known change. Answers do not arrive in the order in which they were made. */
export const isOlder = (read: Dated, known: Dated | undefined): boolean => timeOf(read) < timeOf(known)

let questions = 0
/** The place of a question in the order of all questions. */
export const ask = (): number => ++questions

// What was asked before it counts as older than any answer.
let floor = 0
/** Lets every later answer win, also an older record: the database was restored. */
export const distrustRecords = (): void => void (floor = ask())

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
// The lots of pages that were not announced yet.
let unannounced = 0
function announce(): void {
  unannounced = 0
  for (const listener of listeners) listener()
}
/** What a function reads from the records, as they are now. An unchanged value must stay the same object. */
export const useRecords = <Value>(read: () => Value): Value => useSyncExternalStore(subscribe, read)

/**
 * The known records of a kind, whichever answer they came with: a page, a write, the changes. The later `updated_at`
 * wins. Each change advances it, but not a change of what a record shows of others: then the later question wins. A
 * record that is gone (null) stays so.
 */
class Records<Name extends string, Kind extends Dated> {
  readonly #known = new Map<Name, { record: Kind | null; asked: number }>()
  version = 0

  get size(): number {
    return this.#known.size
  }

  get(name: Name): Kind | undefined {
    return this.#known.get(name)?.record ?? undefined
  }

  filter(isWanted: (record: Kind) => boolean): Kind[] {
    return [...this.#known.values()].flatMap(({ record }) => (record && isWanted(record) ? [record] : []))
  }

  /** Takes a record unless a newer one is known. Returns whether it was taken. */
  put(name: Name, record: Kind | null, asked: number): boolean {
    const known = this.#known.get(name)
    if (known && known.asked > floor) {
      const { record: last } = known
      if (last === null) return false
      if (record && (isOlder(record, last) || (asked < known.asked && !isOlder(last, record)))) {
        // The answer has an older form of the record, which is still there.
        known.asked = Math.max(known.asked, asked)
        return false
      }
    }
    const next = record && replaceEqualDeep(known?.record, record)
    if (next !== known?.record) this.version++
    this.#known.set(name, { record: next, asked })
    return true
  }

  /** Drops the records of a whole list that its answers, asked for since a question, do not have. */
  settle(isOf: (record: Kind) => boolean, since: number): void {
    for (const [name, { record, asked }] of this.#known)
      if (record && asked < since && isOf(record)) {
        this.#known.delete(name)
        this.version++
      }
    announce()
  }

  clear(): void {
    this.#known.clear()
    this.version++
  }
}

const lots = new Records<LotId, KnownLot>()
const items = new Records<ItemId, Item>()
const sessions = new Records<SessionId, CountedSession>()
// Two items may have pictures with the same id.
const images = new Records<`${ItemId} ${ImageId}`, ManagedImage>()
const etags = new WeakMap<Item, string>()

// The number up to which pages of a session have brought all lots.
const seenTo = new Map<SessionId, number>()
export const lastSeen = (session: SessionId): number => seenTo.get(session) ?? 0
export const seeTo = (session: SessionId, number: number): void =>
  void seenTo.set(session, Math.max(lastSeen(session), number))

/**
 * Takes a page of lots. Each announcement costs as much as all lots do: thousands of them are announced a tenth at a time.
 */
export function putPage(page: readonly Lot[], asked: number): void {
  takeLots(page, asked)
  unannounced += page.length
  if (unannounced * 10 >= lots.size) announce()
}

/** Drops the records: another key sees another house. */
export function clearRecords(): void {
  for (const each of [lots, items, sessions, images, seenTo]) each.clear()
  announce()
}

function takeLots(answer: readonly Lot[], asked: number): void {
  for (const lot of answer) {
    if (typeof lot.item !== 'string') items.put(lot.item.id, lot.item, asked)
    // The changes have nothing that only staff see: what is known stays.
    const { staff = lots.get(lot.id)?.staff } = lot
    lots.put(lot.id, { ...lot, item: itemIdOf(lot), ...(staff && { staff }) }, asked)
  }
}

/** Takes lots, with their items where the answer has them. */
export function putLots(answer: readonly Lot[], asked = ask()): void {
  takeLots(answer, asked)
  announce()
}

/** Takes an item, with the ETag of its answer; null if that is unknown. */
export function putItem(record: Item, etag: string | null, asked = ask()): void {
  if (items.put(record.id, record, asked) && etag !== null) etags.set(items.get(record.id)!, etag)
  announce()
}

/** Takes a session. The changes have neither its counts nor what only staff see: what is known stays. */
export function putSession(record: CountedSession | Session, asked = ask()): void {
  const { counts, staff }: Partial<CountedSession> = { ...sessions.get(record.id), ...record }
  if (counts) sessions.put(record.id, { ...record, counts, ...(staff && { staff }) }, asked)
  announce()
}

export function putImages(answer: readonly ManagedImage[], asked = ask()): void {
  for (const image of answer) images.put(`${image.item} ${image.id}`, image, asked)
  announce()
}

/** Takes the news that a lot is gone. */
export function removeLot(id: LotId): void {
  lots.put(id, null, ask())
  announce()
}

/** Takes the news that an image is gone. */
export function removeImage(item: ItemId, id: ImageId): void {
  images.put(`${item} ${id}`, null, ask())
  announce()
}

export const settleLots = (session: SessionId, since: number): void =>
  lots.settle((lot) => lot.session === session, since)

export const settleImages = (isOf: (image: ManagedImage) => boolean, since: number): void => images.settle(isOf, since)

export const itemOf = (lot: Lot): Item | null => (typeof lot.item === 'string' ? null : lot.item)
export const itemIdOf = (lot: Lot): ItemId => (typeof lot.item === 'string' ? lot.item : lot.item.id)

const joined = new WeakMap<KnownLot, { item: Item; lot: Lot }>()
/** A lot with its item. While neither changes, it is the same object. */
function join(lot: KnownLot): Lot {
  const item = items.get(lot.item)
  if (!item) return lot
  const known = joined.get(lot)
  if (known?.item === item) return known.lot
  const next = { item, lot: { ...lot, item, title: item.title } }
  joined.set(lot, next)
  return next.lot
}

export const knownLot = (id: LotId): Lot | undefined => {
  const lot = lots.get(id)
  return lot && join(lot)
}
export const knownSession = (id: SessionId): CountedSession | undefined => sessions.get(id)
export const knownItem = (id: ItemId): Item | undefined => items.get(id)
export const etagOf = (item: Item): string | null => etags.get(item) ?? null

const lists = new Map<string, { version: number; list: unknown[] }>()
// A list in which nothing changed is the same object.
function list<Kind>(name: string, version: number, read: () => Kind[]): Kind[] {
  const known = lists.get(name) as { version: number; list: Kind[] } | undefined
  if (known?.version === version) return known.list
  const next = read()
  const isSame = known?.list.length === next.length && next.every((each, index) => each === known.list[index])
  const kept = isSame ? known.list : next
  lists.set(name, { version, list: kept })
  return kept
}

export const numberOf = ({ lot_number }: Lot) => lot_number ?? Infinity
/** Lots in the order of their numbers, in which they nearly always are. */
const sortByNumber = (unsorted: Lot[]): Lot[] =>
  unsorted.some((lot, index) => index > 0 && numberOf(unsorted[index - 1]!) > numberOf(lot))
    ? unsorted.toSorted((one, other) => (numberOf(one) === numberOf(other) ? 0 : numberOf(one) - numberOf(other)))
    : unsorted

/** The known lots of a session, in the order of their numbers. */
export const knownLots = (session: SessionId): Lot[] =>
  list(session, lots.version + items.version, () =>
    sortByNumber(lots.filter((lot) => lot.session === session).map(join)),
  )

/** The known images with a property, in the order in which they were made. `name` tells the properties apart. */
export const knownImages = (name: string, isWanted: (image: ManagedImage) => boolean): ManagedImage[] =>
  list(name, images.version, () =>
    images.filter(isWanted).toSorted((one, other) => (one.created_at ?? '').localeCompare(other.created_at ?? '')),
  )
