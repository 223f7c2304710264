import { CatalogueError, type ItemId, type LotId, type Position, type SessionId } from '@auction-catalogue/client'
import { replaceEqualDeep } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import type { Item, Lot } from './records.ts'

/** The lots of a session that are loaded, in the order of their numbers. */
export type Lots = {
  lots: Lot[]
  complete: boolean
  /** Where a lot can't be shown: the request whose answer says so, and how many lots of the house are like it. */
  broken?: { request: string; count: number }
}

export const itemOf = (lot: Lot): Item | null => (typeof lot.item === 'string' ? null : lot.item)
export const itemIdOf = (lot: Lot): ItemId => (typeof lot.item === 'string' ? lot.item : lot.item.id)

const isDefect = (error: unknown): error is CatalogueError =>
  error instanceof CatalogueError && error.code === 'integrity-unavailable'

/** The lots of a session that were counted so far. */
export type Counted = { ids: Set<LotId>; more: boolean }

/** A page of the lots of a session, in the order of their numbers, with their items. */
export const listLots = (session: SessionId, position: Position, signal: AbortSignal) =>
  catalogue()
    .lots.list({ session, expand: ['item.images'], limit: 100, ...position }, { signal })
    .page()

/** The first lots of a session, at once; none where that fails. `loadLots` says why. */
export async function loadFirstLots(session: SessionId, signal: AbortSignal): Promise<Lots> {
  const page = await listLots(session, {}, signal).catch(() => undefined)
  return { lots: page?.data ?? [], complete: page?.hasMore === false }
}

/**
 * Loads a session's lots, of which some are `known`, and gives `onPage` what is there after each page. A list breaks off at a lot that the service
 * can't show. The page is then read in ever smaller parts up to it, and what follows is taken from the changes.
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
      // What is still the same stays the same object, so that its card is not drawn again.
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

// A house with more lots than this is not read whole for the sake of one session.
const mostPages = 30

/** The lots that follow one that can't be shown, without their items: the changes of all lots name each of them. */
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
