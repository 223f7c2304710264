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

const isDefect = (error: unknown): error is CatalogueError =>
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

/**
 * Loads a session's lots, of which some are `known`, and calls `onPage` with the lots so far after each page. A list
 * fails at a lot that the service cannot show. The function then reads ever smaller pages up to that lot, and takes the
 * lots after it from the changes.
 */
export async function loadLots(
  session: SessionId,
  known: readonly Lot[],
  signal: AbortSignal,
  onPage: (lots: Lots) => void,
): Promise<Lots> {
  const knownById = new Map(known.map((lot) => [lot.id, lot]))
  let loaded: Lots = { lots: [], complete: false }
  let cursor: string | undefined
  for (let limit = 100; ;) {
    try {
      const page = await listLots(session, { cursor, limit }, signal)
      // An unchanged lot stays the same object, so that its card is not drawn again.
      const lots = page.data.map((lot): Lot => replaceEqualDeep(knownById.get(lot.id), lot))
      loaded = { lots: [...loaded.lots, ...lots], complete: !page.hasMore }
      if (page.nextCursor === null) return loaded
      onPage(loaded)
      cursor = page.nextCursor
    } catch (error) {
      if (!isDefect(error)) throw error
      if (limit > 1) limit = Math.ceil(limit / 4)
      else return await passDefect(session, loaded.lots, error, signal)
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
  const numberOf = (lot: Lot) => lot.lot_number ?? Infinity
  const sorted = following.toSorted((one, other) => numberOf(one) - numberOf(other))
  return { lots: [...lots, ...sorted], complete: true, broken: { request: error.requestId ?? '', count } }
}
