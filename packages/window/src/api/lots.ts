import { listLots } from './calls.ts'
import type { Item, Lot } from './records.ts'
import { CatalogueError } from './request.ts'

/** The lots of a session that are loaded, in the order of their numbers. */
export type Lots = {
  lots: Lot[]
  complete: boolean
  /** By lot: the request whose answer says that its item can't be shown. */
  defects: Record<string, string>
  /** The request at which the list broke off, where a lot itself can't be shown. */
  brokenAt?: string
}

export const itemOf = (lot: Lot): Item | null => (typeof lot.item === 'string' ? null : lot.item)
export const itemIdOf = (lot: Lot): string => (typeof lot.item === 'string' ? lot.item : lot.item.id)

const isDefect = (error: unknown): error is CatalogueError =>
  error instanceof CatalogueError && error.code === 'integrity-unavailable'

/**
 * Loads a session's lots and gives `onPage` what is there after each page. A page with a record that the service can't
 * show is read again in halves, down to the one lot, which is then listed without its item.
 */
export async function loadLots(session: string, signal: AbortSignal, onPage: (lots: Lots) => void): Promise<Lots> {
  let loaded: Lots = { lots: [], complete: false, defects: {} }
  let cursor: string | undefined
  for (let limit = 100; ;) {
    const place = { cursor, limit, signal }
    let page
    try {
      page = await listLots(session, place)
      limit = Math.min(100, limit * 2)
    } catch (error) {
      if (!isDefect(error)) throw error
      if (limit > 1) {
        limit = Math.ceil(limit / 4)
        continue
      }
      const defect = error
      page = await listLots(session, { ...place, bare: true }).catch((error: unknown) => {
        if (isDefect(error)) return undefined
        throw error
      })
      if (page === undefined) return { ...loaded, complete: true, brokenAt: defect.requestId ?? '' }
      loaded = { ...loaded, defects: { ...loaded.defects, [page.data[0]!.id]: defect.requestId ?? '' } }
      limit = 25
    }
    loaded = { ...loaded, lots: [...loaded.lots, ...page.data], complete: page.next_cursor === null }
    if (page.next_cursor === null) return loaded
    onPage(loaded)
    cursor = page.next_cursor
  }
}
