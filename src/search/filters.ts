import type { ItemFilters } from '../items/queries.ts'
import type { LotFilters } from '../lots/queries.ts'
import { locales } from '../values/locales.ts'
import type { Missing, Offered } from '../values/offers.ts'
import { itemFlags, lotFlags, results } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import type { Named, Table } from './index/names.ts'

/** The filters of a search. Ids are bare UUIDs, amounts minor units. */
export type Filters = LotFilters &
  Pick<ItemFilters, 'offered' | 'without'> & {
    published?: boolean | undefined
    bids?: boolean | undefined
    'category[]'?: readonly string[] | undefined
    'maker[]'?: readonly string[] | undefined
    estimate_from?: number | undefined
    estimate_to?: number | undefined
    images?: boolean | undefined
  }

/** What records are counted by. */
export type Facet = 'category' | 'maker' | 'session' | 'result' | 'open'

/** The parameter of a facet. */
export const filterOf = {
  category: 'category[]',
  maker: 'maker[]',
  session: 'session',
  result: 'result',
  open: 'open',
} as const satisfies Record<Facet, keyof Filters>

/** The filters of staff whose ids a search must have as internal ones. */
export const filtersByOwner = ['seller', 'consignment'] as const

/** Internal ids of the owners that the filters name; undefined for one that the house does not have. */
export type Owners = { [Name in (typeof filtersByOwner)[number]]?: string | undefined }

/** Whether a record, by its row, passes a filter. */
type Condition = (row: number) => boolean

/** Whether a lot takes bids at `now` (milliseconds), as far as times and results say. */
export function isOpen({ lots, sessions }: HouseIndex, now: number): Condition {
  const moment = now * 1000
  return (lot) => {
    const session = sessions.all[lots.session[lot]!]!
    if ((lots.flags[lot]! & lotFlags.active) === 0 || lots.result[lot] !== 0 || session.isFinished) return false
    return (session.isLive ? session.closes : lots.closes[lot]!) > moment
  }
}

const flag = (flags: (row: number) => number, bit: number, wanted: boolean): Condition =>
  wanted ? (row) => (flags(row) & bit) !== 0 : (row) => (flags(row) & bit) === 0

// Whether a set has any of the records with these UUIDs.
function hasAny(sets: readonly number[][], chosen: ReadonlySet<number>): Uint8Array {
  return Uint8Array.from(sets, (set) => (set.some((place) => chosen.has(place)) ? 1 : 0))
}

const placesOf = (table: Table<Named>, uuids: readonly string[]) =>
  new Set(uuids.flatMap((uuid) => table.find(uuid) ?? []))

/** The categories at these places, and those below them. */
function categoriesBelow({ all }: Table<Named>, chosen: ReadonlySet<number>): Set<number> {
  const below = new Set(chosen)
  const others = new Set<number>()
  for (const { place } of all) {
    const path: number[] = []
    let each = place
    for (; each >= 0 && !below.has(each) && !others.has(each); each = all[each]!.parent) {
      path.push(each)
      others.add(each)
    }
    if (below.has(each))
      for (const known of path) {
        others.delete(known)
        below.add(known)
      }
  }
  return below
}

function isOffered({ items, lots }: HouseIndex, offered: Offered): Condition {
  return (row) => {
    let state: Offered = 'never'
    for (let lot = items.firstLot[row]!; lot !== 0; lot = lots.next[lot - 1]!) {
      if ((lots.flags[lot - 1]! & lotFlags.archived) !== 0) continue
      const result = results[lots.result[lot - 1]!]!
      if (result === 'none') return offered === 'open'
      if (state !== 'sold') state = result === 'sold' ? 'sold' : 'unsold'
    }
    return state === offered
  }
}

function lacks({ items }: HouseIndex, missing: Missing): Condition {
  if (missing === 'estimate')
    return (row) => Number.isNaN(items.estimateLow[row]) && Number.isNaN(items.estimateHigh[row])
  if (missing === 'image') return (row) => (items.flags[row]! & itemFlags.images) === 0
  const bit = 1 << locales.indexOf(missing)
  return (row) => (items.languages[row]! & bit) === 0
}

/** The conditions on items. */
function conditionsOnItems(index: HouseIndex, filters: Filters, owners: Owners): Map<keyof Filters, Condition> {
  const { items } = index
  const conditions = new Map<keyof Filters, Condition>()
  const { offered, without, images, estimate_from: from, estimate_to: to } = filters
  const [categories, makers] = [filters['category[]'], filters['maker[]']]
  if (categories) {
    const { table } = index.categories
    const sets = hasAny(index.categorySets.all, categoriesBelow(table, placesOf(table, categories)))
    conditions.set('category[]', (row) => sets[items.categories[row]!] === 1)
  }
  if (makers) {
    const sets = hasAny(index.makerSets.all, placesOf(index.makers.table, makers))
    conditions.set('maker[]', (row) => sets[items.makers[row]!] === 1)
  }
  const boundOf = (first: Float64Array, second: Float64Array, row: number) =>
    Number.isNaN(first[row]) ? second[row]! : first[row]!
  if (from !== undefined)
    conditions.set('estimate_from', (row) => boundOf(items.estimateHigh, items.estimateLow, row) >= from)
  if (to !== undefined)
    conditions.set('estimate_to', (row) => boundOf(items.estimateLow, items.estimateHigh, row) <= to)
  if (images !== undefined)
    conditions.set(
      'images',
      flag((row) => items.flags[row]!, itemFlags.images, images),
    )
  for (const name of filtersByOwner)
    if (filters[name] !== undefined) {
      const id = owners[name]
      const wanted = BigInt(id ?? 0)
      conditions.set(name, (row) => id !== undefined && items[name][row] === wanted)
    }
  if (offered !== undefined) conditions.set('offered', isOffered(index, offered))
  if (without !== undefined) conditions.set('without', lacks(index, without))
  return conditions
}

/** The conditions on lots alone. */
function conditionsOnLots(index: HouseIndex, filters: Filters, now: number): Map<keyof Filters, Condition> {
  const { lots, sessions, auctions } = index
  const conditions = new Map<keyof Filters, Condition>()
  const { session, auction, lot_number: number, active, held, published, bids, result, open } = filters
  const { number_from: first, number_to: last } = filters
  const flagsOf = (lot: number) => lots.flags[lot]!
  if (session !== undefined) {
    const wanted = sessions.find(session)
    conditions.set('session', (lot) => lots.session[lot] === wanted)
  }
  if (auction !== undefined) {
    const wanted = auctions.find(auction)
    conditions.set('auction', (lot) => sessions.all[lots.session[lot]!]!.auction === wanted)
  }
  if (number !== undefined) conditions.set('lot_number', (lot) => lots.place[lot] === number)
  if (first !== undefined) conditions.set('number_from', (lot) => lots.place[lot]! >= first)
  if (last !== undefined) conditions.set('number_to', (lot) => lots.place[lot]! <= last)
  if (active !== undefined) conditions.set('active', flag(flagsOf, lotFlags.active, active))
  if (held !== undefined) conditions.set('held', flag(flagsOf, lotFlags.held, held))
  if (bids !== undefined) conditions.set('bids', (lot) => Number.isNaN(lots.bid[lot]) !== bids)
  if (result !== undefined) {
    const wanted = results.indexOf(result)
    conditions.set('result', (lot) => lots.result[lot] === wanted)
  }
  if (published !== undefined)
    conditions.set('published', (lot) => {
      const { isPublished, auction: of } = sessions.all[lots.session[lot]!]!
      return (isPublished && auctions.all[of]?.isPublished === true) === published
    })
  if (open !== undefined) {
    const takesBids = isOpen(index, now)
    conditions.set('open', (lot) => takesBids(lot) === open)
  }
  return conditions
}

/** The conditions of filters on records of a kind, by their names. `now`: milliseconds. */
export function listConditions(
  index: HouseIndex,
  kind: 'lot' | 'item',
  filters: Filters,
  owners: Owners,
  now: number,
): Map<keyof Filters, Condition> {
  const onItems = conditionsOnItems(index, filters, owners)
  if (kind === 'item') return onItems
  const { item } = index.lots
  const ofItems = [...onItems].map(([name, condition]): [keyof Filters, Condition] => [
    name,
    (lot) => condition(item[lot]! - 1),
  ])
  return new Map([...ofItems, ...conditionsOnLots(index, filters, now)])
}
