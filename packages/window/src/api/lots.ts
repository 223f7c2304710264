import { CatalogueError, type ItemId, type LotId, type Position, type SessionId } from '@auction-catalogue/client'
import { replaceEqualDeep } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import type { Item, Lot } from './records.ts'

/** The loaded lots of a session, in the order of their numbers. */
export type Lots = {
  lots: Lot[]
  complete: boolean
  /** For a lot that cannot be shown: the request whose answer says so, and how many such lots the house has. */
  broken?: { request: string; count: number }
}

export const itemOf = (lot: Lot): Item | null => (typeof lot.item === 'string' ? null : lot.item)
/** The photograph that leads the gallery of an item. */
export const leadOf = (item: Item | null | undefined) =>
  item?.images.find(({ featured }) => featured) ?? item?.images[0]
export const itemIdOf = (lot: Lot): ItemId => (typeof lot.item === 'string' ? lot.item : lot.item.id)

const numberOf = ({ lot_number }: Lot) => lot_number ?? Infinity
/** Lots in the order of their numbers, in which they nearly always are. */
export const sortByNumber = (lots: Lot[]): Lot[] =>
  lots.some((lot, index) => index > 0 && numberOf(lots[index - 1]!) > numberOf(lot))
    ? lots.toSorted((one, other) => (numberOf(one) === numberOf(other) ? 0 : numberOf(one) - numberOf(other)))
    : lots

type Dated = { updated_at: string | null }
/** Whether a lot was read before its last known change. Answers do not arrive in the order in which they were made. */
export const isOlder = (lot: Dated, known: Dated | undefined): boolean =>
  Date.parse(lot.updated_at ?? '') < Date.parse(known?.updated_at ?? '')

/** Whether a request failed at a record that the service cannot show. */
export const isDefect = (error: unknown): error is CatalogueError =>
  error instanceof CatalogueError && error.code === 'integrity-unavailable'

/** A page of the lots of a session, in the order of their numbers, with their items. */
export const listLots = (session: SessionId, position: Position, signal: AbortSignal) =>
  catalogue()
    .lots.list({ session, expand: ['item.images'], limit: 100, ...position }, { signal })
    .page()

/** The first lots of a session, at once; none if the request fails. `loadLots` then reports why. */
export async function loadFirstLots(session: SessionId, signal: AbortSignal): Promise<Lots> {
  const page = await listLots(session, {}, signal).catch(() => undefined)
  return { lots: page?.data ?? [], complete: page?.hasMore === false }
}

/** What a change says of a lot: `record` as it is, or that it is gone. */
export type LotChange = { id: LotId | null; deleted: boolean; record: Lot | null }

// What changed while the lots of a session load; null of a lot that is gone.
type Load = { session: SessionId; changed: Map<LotId, Lot | null> }
const loads = new Set<Load>()

/** Keeps changes for the loads under way, whose pages may have been read before them. */
export function noteChanges(changes: LotChange[]): void {
  for (const { session, changed } of loads)
    for (const { id, deleted, record } of changes)
      if (id !== null && deleted) changed.set(id, null)
      // The answer to a write may arrive after the news that the lot is gone.
      else if (
        record?.session === session &&
        changed.get(record.id) !== null &&
        !isOlder(record, changed.get(record.id) ?? undefined)
      )
        changed.set(record.id, record)
}

/** Whether the lots of a session load. A change then needs no other load. */
export const isLoading = (session: unknown): boolean => [...loads].some((load) => load.session === session)

/** A lot of the changes, which have no items, with the item that is known. */
export const withItem = (lot: Lot, known: Lot): Lot =>
  itemIdOf(lot) === itemIdOf(known) ? { ...lot, item: known.item } : lot

// A session in which lots move all the time is shown without the items of the last ones to move.
const mostPasses = 5

const newerItem = (read: Item | ItemId, known: Item | ItemId): Item | ItemId =>
  typeof read !== 'string' && typeof known !== 'string' && isOlder(read, known) ? known : read

/**
 * Loads a session's lots and calls `onPage` with the lots so far after each page. Lots may change meanwhile, also their
 * numbers, by which the pages are in order. A list fails at a lot that the service cannot show. The function then reads
 * ever smaller pages up to that lot, and takes the lots after it from the changes.
 */
export async function loadLots(
  session: SessionId,
  shown: () => readonly Lot[],
  signal: AbortSignal,
  onPage: (lots: Lots) => void,
): Promise<Lots> {
  const load: Load = { session, changed: new Map() }
  loads.add(load)
  try {
    for (let passes = 1; ; passes++) {
      const loaded = await readLots(session, (read) => join(read, load.changed, shown()), signal, onPage)
      const ids = new Set(loaded.lots.map(({ id }) => id))
      const missed = [...load.changed.values()].filter((lot) => lot !== null && !ids.has(lot.id)) as Lot[]
      // A lot that got a number of a page before has moved past the reader.
      if (missed.length === 0) return loaded
      if (loaded.broken || passes === mostPasses) return { ...loaded, lots: sortByNumber([...loaded.lots, ...missed]) }
    }
  } finally {
    loads.delete(load)
  }
}

/** The lots of several pages as they are now, each once. An unchanged lot stays the object that is shown. */
function join(read: Lot[], changed: Load['changed'], shown: readonly Lot[]): Lot[] {
  const known = new Map(shown.map((lot) => [lot.id, lot]))
  const joined = new Map<LotId, Lot>()
  for (const lot of read) {
    const change = changed.get(lot.id)
    if (change === null || isOlder(lot, joined.get(lot.id))) continue
    const now = change && isOlder(lot, change) ? withItem(change, lot) : lot
    const before = known.get(lot.id)
    const item = before ? newerItem(now.item, before.item) : now.item
    const title = before && item !== now.item ? before.title : now.title
    joined.set(lot.id, before === lot ? lot : replaceEqualDeep(before, { ...now, item, title }))
  }
  return sortByNumber([...joined.values()])
}

async function readLots(
  session: SessionId,
  joinRead: (read: Lot[]) => Lot[],
  signal: AbortSignal,
  onPage: (lots: Lots) => void,
): Promise<Lots> {
  let loaded: Lots = { lots: [], complete: false }
  let cursor: string | undefined
  for (let limit = 100; ;) {
    try {
      const page = await listLots(session, { cursor, limit }, signal)
      loaded = { lots: joinRead([...loaded.lots, ...page.data]), complete: !page.hasMore }
      if (page.nextCursor === null) return loaded
      onPage(loaded)
      cursor = page.nextCursor
    } catch (error) {
      if (!isDefect(error)) throw error
      if (limit > 1) limit = Math.ceil(limit / 4)
      else {
        const passed = await passDefect(session, loaded.lots, error, signal)
        return { ...passed, lots: joinRead(passed.lots) }
      }
    }
  }
}

// A house with more lots than this is not read whole for a single session.
const mostPages = 30

/** The lots after one that cannot be shown, without their items. The changes of all lots name them. */
async function passDefect(session: SessionId, lots: Lot[], error: CatalogueError, signal: AbortSignal): Promise<Lots> {
  const known = new Set<LotId | null>(lots.map(({ id }) => id))
  const following: Lot[] = []
  let count = 0
  const changes = catalogue().changes({ types: ['lot'], expand: ['record'], limit: 100 }, { signal })
  let page: Awaited<ReturnType<typeof changes.page>> | undefined = await changes.page()
  for (let pages = 1; page; page = pages++ < mostPages ? await page.next() : undefined)
    for (const { id, record, integrity } of page.data) {
      if (integrity) count++
      else if (record?.session === session && !known.has(id)) following.push(record)
    }
  return {
    lots: [...lots, ...sortByNumber(following)],
    complete: true,
    broken: { request: error.requestId ?? '', count },
  }
}
