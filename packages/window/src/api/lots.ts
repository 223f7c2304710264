import { listLots, readChanges } from './calls.ts'
import type { Item, Lot } from './records.ts'
import { CatalogueError } from './request.ts'

/** The lots of a session that are loaded, in the order of their numbers. */
export type Lots = {
  lots: Lot[]
  complete: boolean
  /** Where a lot can't be shown: the request whose answer says so, and how many lots of the house are like it. */
  broken?: { request: string; count: number }
}

export const itemOf = (lot: Lot): Item | null => (typeof lot.item === 'string' ? null : lot.item)
export const itemIdOf = (lot: Lot): string => (typeof lot.item === 'string' ? lot.item : lot.item.id)

const isDefect = (error: unknown): error is CatalogueError =>
  error instanceof CatalogueError && error.code === 'integrity-unavailable'

/**
 * Loads a session's lots and gives `onPage` what is there after each page. A list breaks off at a lot that the service
 * can't show. The page is then read in ever smaller parts up to it, and what follows is taken from the changes.
 */
export async function loadLots(session: string, signal: AbortSignal, onPage: (lots: Lots) => void): Promise<Lots> {
  let loaded: Lots = { lots: [], complete: false }
  let cursor: string | undefined
  for (let limit = 100; ;) {
    try {
      const page = await listLots(session, { cursor, limit, signal })
      loaded = { lots: [...loaded.lots, ...page.data], complete: page.next_cursor === null }
      if (page.next_cursor === null) return loaded
      onPage(loaded)
      cursor = page.next_cursor
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
async function passDefect(session: string, lots: Lot[], error: CatalogueError, signal: AbortSignal): Promise<Lots> {
  const known = new Set(lots.map(({ id }) => id))
  const following: Lot[] = []
  let count = 0
  let after: string | undefined
  for (let pages = 0; pages < mostPages; pages++) {
    const { data, has_more, next_cursor } = await readChanges({ after, types: ['lot'] }, signal)
    for (const { id, record, integrity } of data) {
      if (integrity) count++
      else if (record && (record as Lot).session === session && !known.has(id!)) following.push(record as Lot)
    }
    if (!has_more) break
    after = next_cursor
  }
  const numberOf = (lot: Lot) => lot.lot_number ?? Infinity
  const sorted = following.toSorted((one, other) => numberOf(one) - numberOf(other))
  return { lots: [...lots, ...sorted], complete: true, broken: { request: error.requestId ?? '', count } }
}
