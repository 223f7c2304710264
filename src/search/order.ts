import type { HouseIndex } from './index/house.ts'
import { findBound } from './newest.ts'

/** What may be searched. */
export type SearchedKind = 'lot' | 'item'

/** The orders of a search. */
const orders = ['relevance', 'estimate', 'created_at', 'lot_number', 'closes_at', 'current_bid'] as const

/** An order, and whether it is turned round. */
export type Sorting = { by: (typeof orders)[number]; descending: boolean }

/** The place of a record in the order of a search: what it is sorted by, its place in the list, its public UUID. */
export type Place = { rank: number; place: number; id: string }

/** A record at its place. `row` is its internal id. */
export type Placed = Place & { row: string }

/** The rank of records by a value of theirs. Without a value they come last, whichever the direction. */
export function rankBy(
  { items, lots, sessions }: HouseIndex,
  kind: SearchedKind,
  { by, descending }: Sorting,
): (row: number) => number {
  const itemOf = (row: number) => (kind === 'lot' ? lots.item[row]! - 1 : row)
  const values: Record<Exclude<Sorting['by'], 'relevance'>, (row: number) => number> = {
    estimate(row) {
      const item = itemOf(row)
      return Number.isNaN(items.estimateLow[item]) ? items.estimateHigh[item]! : items.estimateLow[item]!
    },
    created_at: (row) => (kind === 'lot' ? lots : items).created[row]!,
    lot_number: (row) => lots.place[row]!,
    closes_at(row) {
      const session = sessions.all[lots.session[row]!]!
      return session.isLive ? session.closes : lots.closes[row]!
    },
    current_bid: (row) => lots.bid[row]!,
  }
  const valueOf = values[by as keyof typeof values]
  return (row) => {
    const value = valueOf(row)
    const isMissing = !Number.isFinite(value) || (by === 'lot_number' && value > 2 ** 31 - 1)
    return isMissing ? Infinity : descending ? -value : value
  }
}

/**
 * What a page is chosen by. `least` has the least rank that each of some records may have, which is at most `most` below the
 * real one of `rankOf`, which may cost more.
 */
export type Ranking = { least: Float64Array; rankOf: (at: number) => number; most: number }

/**
 * Chooses the first `limit` records after a place, in the order of their ranks, or of the list without `ranking`. Ties are
 * in the order of the list.
 */
export function choosePage(
  { items, lots }: HouseIndex,
  kind: SearchedKind,
  records: Int32Array,
  ranking: Ranking | undefined,
  after: Place | undefined,
  limit: number,
): Placed[] {
  const columns = kind === 'lot' ? lots : items
  // Lots by number, items the newest first, with their UUIDs.
  const places = kind === 'lot' ? lots.place : items.created
  const sign = kind === 'lot' ? 1 : -1
  const page: { row: number; rank: number }[] = []
  const compare = (row: number, rank: number, other: (typeof page)[number]) => {
    if (rank !== other.rank) return rank - other.rank
    const [place, otherPlace] = [places[row]!, places[other.row]!]
    return sign * (place === otherPlace ? columns.compareUuids(row, other.row) : place - otherPlace)
  }
  const isAfter = (row: number, rank: number) => {
    if (!after || rank !== after.rank) return !after || rank > after.rank
    const place = places[row]!
    if (place !== after.place) return sign * (place - after.place) > 0
    const id = columns.uuidOf(row)
    return id !== after.id && id > after.id === sign > 0
  }
  const { least, rankOf, most } = ranking ?? { least: undefined, rankOf: () => 0, most: 0 }
  const values = new Float64Array(records.length)
  for (let at = 0; at < values.length; at++) {
    const row = records[at]!
    values[at] = least ? -least[at]! : isAfter(row, 0) ? -sign * places[row]! : -Infinity
  }
  // A page is full of records whose least possible value is this. Which are after a place, their rank alone does not tell.
  const isBound = records.length > limit && !(after && least)
  const bound = isBound ? findBound(values.slice(), limit) - most : -Infinity
  for (let at = 0; at < records.length; at++) {
    if (values[at]! < bound || (after && least && least[at]! + most < after.rank)) continue
    const row = records[at]!
    const last = page.length < limit ? undefined : page[limit - 1]!
    if (last && compare(row, least?.[at] ?? 0, last) >= 0) continue
    const rank = rankOf(at)
    if (!isAfter(row, rank) || (last && compare(row, rank, last) >= 0)) continue
    let [low, high] = [0, page.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(row, rank, page[middle]!) < 0) high = middle
      else low = middle + 1
    }
    page.splice(low, 0, { row, rank })
    if (page.length > limit) page.pop()
  }
  return page.map(({ row, rank }) => {
    return { row: columns.rows.ids[row]!.toString(), rank, place: places[row]!, id: columns.uuidOf(row) }
  })
}
