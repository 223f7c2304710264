import { CatalogueError, type LotId, type Position, type SessionId } from '@auction-catalogue/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { catalogue } from './catalogue.ts'
import {
  ask,
  itemOf,
  knownLots,
  lastSeen,
  putLots,
  putPage,
  settleLots,
  useRecords,
  type Item,
  type Lot,
} from './records.ts'
import { isFollowing, whenFollowing } from './store.ts'

/** For a lot that cannot be shown: the request whose answer says so, and how many such lots the house has. */
type Broken = { request: string; count: number }

/**
 * The known lots of a session, in the order of their numbers. `seenTo`: the number up to which no lot is missing.
 */
export type Lots = { lots: Lot[]; complete: boolean; seenTo: number; broken: Broken | null }

/** The photograph that leads the gallery of an item. */
export const leadOf = (item: Item | null | undefined) =>
  item?.images.find(({ featured }) => featured) ?? item?.images[0]

/** Whether a request failed at a record that the service cannot show. */
export const isDefect = (error: unknown): error is CatalogueError =>
  error instanceof CatalogueError && error.code === 'integrity-unavailable'

/** Reads a page of the lots of a session, in the order of their numbers, with their items. */
async function readPage(session: SessionId, position: Position, signal: AbortSignal) {
  const asked = ask()
  const list = catalogue().lots.list({ session, expand: ['item.images'], limit: 100, ...position }, { signal })
  const page = await list.page()
  putPage(session, page.data, asked)
  return page
}

/**
 * Reads the pages from a cursor on. A list fails at a lot that the service cannot show. The function then reads ever
 * smaller pages up to that lot, and takes the lots after it from the changes.
 */
async function readPages(session: SessionId, from: string | undefined, signal: AbortSignal): Promise<Broken | null> {
  let cursor = from
  for (let limit = 100; ;) {
    try {
      const page = await readPage(session, { cursor, limit }, signal)
      if (page.nextCursor === null) return null
      cursor = page.nextCursor
    } catch (error) {
      if (!isDefect(error)) throw error
      if (limit === 1) return passDefect(session, error, signal)
      limit = Math.ceil(limit / 4)
    }
  }
}

// A house with more lots than this is not read whole for a single session.
const mostPages = 30

/** Reads the lots of a session from the changes of all lots, without their items. */
async function passDefect(session: SessionId, error: CatalogueError, signal: AbortSignal): Promise<Broken> {
  let count = 0
  const changes = catalogue().changes({ types: ['lot'], expand: ['record'], limit: 100 }, { signal })
  let page: Awaited<ReturnType<typeof changes.page>> | undefined = await changes.page()
  for (let pages = 1; page; page = pages++ < mostPages ? await page.next() : undefined) {
    count += page.data.filter(({ integrity }) => integrity).length
    putLots(page.data.flatMap(({ record }) => (record?.session === session ? [record] : [])))
  }
  return { request: error.requestId ?? '', count }
}

/** Reads the lots of a session that have a number. */
export async function readNumber(session: SessionId, lot_number: number): Promise<void> {
  const asked = ask()
  putLots(
    (
      await catalogue()
        .lots.list({ session, lot_number, expand: ['item.images'] })
        .page()
    ).data,
    asked,
  )
}

const isBare = (lot: Lot) => itemOf(lot) === null
const atOnce = 4

/** Reads the items of the known lots of a session that came with the changes, which have none. */
export async function readItemsOf(session: SessionId, signal?: AbortSignal): Promise<void> {
  const ids = knownLots(session)
    .filter(isBare)
    .map(({ id }) => id)
  const read = async (id: LotId) => {
    const asked = ask()
    const lot = await catalogue().lots.get(id, { expand: ['item.images'], ...(signal && { signal }) })
    putLots([lot], asked)
  }
  // An item that cannot be read stays unknown.
  const work = async () => {
    for (let id = ids.shift(); id; id = ids.shift()) await read(id).catch(() => signal?.throwIfAborted())
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

// A session in which lots move all the time is shown without the items of the last ones to move.
const mostPasses = 5

/**
 * Reads all lots of a session. Lots may change meanwhile, also their numbers, by which the pages are in order: a lot that
 * moved past the reader is known from the changes. `showAll` is called if the first page has all lots.
 */
async function readLots(session: SessionId, signal: AbortSignal, showAll: () => void): Promise<Broken | null> {
  const begun = ask()
  // At once, before the changes are followed. The reading that follows tells why it failed.
  const first = isFollowing() ? undefined : await readPage(session, {}, signal).catch(() => undefined)
  if (first?.nextCursor === null) showAll()
  await whenFollowing()
  // The first page may be older than the changes.
  const again = first?.nextCursor ? readPage(session, {}, signal) : undefined
  again?.catch(() => undefined)
  let broken = await readPages(session, first?.nextCursor ?? undefined, signal)
  await again
  for (let passes = 1; broken === null && passes < mostPasses; passes++) {
    const known = knownLots(session)
    const bare = known.filter(isBare).length
    if (bare <= known.length / 100) break
    broken = await readPages(session, undefined, signal)
  }
  if (broken) return broken
  await readItemsOf(session, signal)
  settleLots(session, begun)
  return null
}

/** Whether all lots of a session have been read, and which cannot be shown. The lots are among the records. */
export const lotsQuery = (session: SessionId) =>
  queryOptions({
    queryKey: ['lots', session],
    queryFn: ({ client, queryKey, signal }) => readLots(session, signal, () => client.setQueryData(queryKey, null)),
    staleTime: Infinity,
  })

/** The known lots of a session; undefined until there is one, or it is known that there is none. */
export function useLots(session: SessionId) {
  const { data: broken, error, isFetching, refetch } = useQuery(lotsQuery(session))
  const lots = useRecords(() => knownLots(session))
  const last = useRecords(() => lastSeen(session))
  const data = useMemo(
    (): Lots | undefined =>
      broken === undefined && lots.length === 0
        ? undefined
        : {
            lots,
            complete: broken !== undefined,
            seenTo: broken === undefined ? last : Infinity,
            broken: broken ?? null,
          },
    [lots, broken, last],
  )
  return { data, error, isFetching, refetch }
}
