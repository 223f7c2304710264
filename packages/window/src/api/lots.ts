import {
  CatalogueError,
  type LotId,
  type Position,
  type SessionId,
  type StaffLotFilters,
} from '@auction-catalogue/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { catalogue } from './catalogue.ts'
import {
  ask,
  itemOf,
  knownLots,
  knownSession,
  lastSeen,
  numberOf,
  putLots,
  putPage,
  seeTo,
  settleLots,
  useRecords,
  type Item,
  type Lot,
} from './records.ts'
import { readLot, readsAsStaff } from './staffed.ts'
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

/** Numbers of lots, inclusive. Without `number_to` it also has the lots without a number. Only staff can ask for one. */
type Range = Pick<StaffLotFilters, 'number_from' | 'number_to'>

/** Reads a page of the lots of a session, in the order of their numbers, with their items. */
async function readPage(
  session: SessionId,
  { range = {}, ...position }: Position & { range?: Range },
  signal: AbortSignal,
) {
  const asked = ask()
  const query = { session, expand: ['item.images'], limit: 100, ...position } as const
  const { lots, staff } = catalogue()
  const list = readsAsStaff() ? staff.lots.list({ ...query, ...range }, { signal }) : lots.list(query, { signal })
  const page = await list.page()
  putPage(page.data, asked)
  return page
}

const pageSize = () => (readsAsStaff() ? 1000 : 100)

/**
 * Reads the pages of a range from a cursor on, and calls `onPage` with the last lot of each. A list fails at a lot that the
 * service cannot show. The function then reads ever smaller pages up to that lot, and takes the lots after it from the
 * changes.
 */
async function readPages(
  session: SessionId,
  range: Range,
  from: string | undefined,
  onPage: (last: Lot | undefined) => void,
  signal: AbortSignal,
): Promise<Broken | null> {
  let cursor = from
  for (let limit = pageSize(); ;) {
    try {
      const page = await readPage(session, { range, cursor, limit }, signal)
      onPage(page.data.at(-1))
      if (page.nextCursor === null) return null
      cursor = page.nextCursor
    } catch (error) {
      if (!isDefect(error)) throw error
      if (limit === 1) return passDefect(session, error, signal)
      limit = Math.ceil(limit / 4)
    }
  }
}

const greatestNumber = 2_147_483_647

/**
 * Ranges that together have all lots of a session, in the order of their numbers. Each is a page if the numbers have no
 * gaps. For others than staff there is one.
 */
function findRanges(session: SessionId): Range[] {
  const size = pageSize()
  const first = knownLots(session)[0]?.lot_number ?? 1
  const lots = Math.min(knownSession(session)?.counts.lots ?? 0, greatestNumber - first)
  const count = readsAsStaff() ? Math.ceil(lots / size) : 1
  return Array.from({ length: Math.max(1, count) }, (_, index) => ({
    ...(index > 0 && { number_from: first + index * size }),
    ...(index < count - 1 && { number_to: first + (index + 1) * size - 1 }),
  }))
}

const atOnce = 4

/** Does work for each of some things, for a few at once. */
async function forEach<Thing>(things: readonly Thing[], work: (thing: Thing, index: number) => Promise<void>) {
  const waiting = things.entries()
  const workers = Array.from({ length: atOnce }, async () => {
    for (const [index, thing] of waiting) await work(thing, index)
  })
  await Promise.all(workers)
}

/** Reads all lots of a session, those of a range after a cursor, if there is one. */
async function readRanges(session: SessionId, from: string | undefined, signal: AbortSignal): Promise<Broken | null> {
  const ranges = findRanges(session)
  // The number up to which each range is read.
  const read = ranges.map(() => 0)
  const isRead = ranges.map(() => false)
  const tell = () => {
    for (const [index, number] of read.entries()) {
      seeTo(session, number)
      if (!isRead[index]) return
    }
  }
  const broken: Broken[] = []
  await forEach(ranges, async (range, index) => {
    const onPage = (last: Lot | undefined) => {
      if (last) read[index] = numberOf(last)
      tell()
    }
    const found = await readPages(session, range, from, onPage, signal)
    if (found) broken.push(found)
    isRead[index] = true
    tell()
  })
  return broken[0] ?? null
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
  const query = { session, lot_number, expand: ['item.images'] } as const
  const { lots, staff } = catalogue()
  putLots((await (readsAsStaff() ? staff.lots.list(query) : lots.list(query)).page()).data, asked)
}

const isBare = (lot: Lot) => itemOf(lot) === null || (readsAsStaff() && !lot.staff)

/** Reads what the known lots of a session lack that came with the changes: their items, and what only staff see. */
export async function readItemsOf(session: SessionId, signal?: AbortSignal): Promise<void> {
  await forEach(knownLots(session).filter(isBare), async ({ id }) => {
    const asked = ask()
    // An item that cannot be read stays unknown.
    await readLot(id, { expand: ['item.images'], ...(signal && { signal }) }).then(
      (lot) => putLots([lot], asked),
      () => signal?.throwIfAborted(),
    )
  })
}

/** Reads the lots of a session again as staff see them, or a range of them, without their items. */
export async function readAgain(session: SessionId, range: Range = {}, signal?: AbortSignal): Promise<void> {
  const list = catalogue().staff.lots.list({ session, limit: 1000, ...range }, { signal })
  const asked = ask()
  try {
    for await (const { data } of list.pages()) putLots(data, asked)
  } catch (error) {
    // The lots that it does not have stay as they are known.
    if (!isDefect(error)) throw error
  }
}

// Above so many, lots are read by their numbers.
const mostSingles = 10

/** Reads what only staff see of known lots of a session, by their ids. */
export async function readStaffOf(session: SessionId, ids: ReadonlySet<LotId>, signal: AbortSignal): Promise<void> {
  const lots = knownLots(session).filter(({ id }) => ids.has(id))
  const numbers = lots.flatMap(({ lot_number }) => lot_number ?? [])
  const isMany = numbers.length > mostSingles
  if (isMany) await readAgain(session, { number_from: numbers[0], number_to: numbers.at(-1) }, signal)
  await forEach(isMany ? lots.filter(({ lot_number }) => lot_number === null) : lots, async ({ id }) => {
    const asked = ask()
    // A lot that is gone, or cannot be shown, stays as it is known.
    await readLot(id, { signal }).then(
      (lot) => putLots([lot], asked),
      () => signal.throwIfAborted(),
    )
  })
}

// A session in which lots move all the time is shown without the items of the last ones to move.
const mostPasses = 5

/**
 * Reads all lots of a session. Lots may change meanwhile, also their numbers, by which the pages are in order: a lot that
 * moved past the reader is known from the changes. `showAll` is called if the first page has all lots.
 */
async function readLots(session: SessionId, signal: AbortSignal, showAll: () => void): Promise<Broken | null> {
  const begun = ask()
  const isCurrent = isFollowing()
  // At once, before the changes are followed. The reading that follows tells why it failed.
  const first = await readPage(session, {}, signal).catch(() => undefined)
  const last = first?.data.at(-1)
  if (last) seeTo(session, numberOf(last))
  if (first?.nextCursor === null) showAll()
  await whenFollowing()
  const cursor = readsAsStaff() ? undefined : (first?.nextCursor ?? undefined)
  // The first page may be older than the changes.
  const again = isCurrent || cursor === undefined ? undefined : readPage(session, {}, signal)
  again?.catch(() => undefined)
  const isWhole = isCurrent && first?.nextCursor === null
  let broken = isWhole ? null : await readRanges(session, cursor, signal)
  await again
  for (let passes = 1; broken === null && passes < mostPasses; passes++) {
    const known = knownLots(session)
    const bare = known.filter(isBare).length
    if (bare <= known.length / 100) break
    broken = await readRanges(session, undefined, signal)
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
