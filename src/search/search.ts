import { countFacet, type FacetValue } from './facets.ts'
import { filterOf, listConditions, type Facet, type Filters, type Owners } from './filters.ts'
import { grow } from './index/arena.ts'
import { itemFlags, lotFlags } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import type { Matched, Matching, Pause } from './matching.ts'
import { chooseNewest } from './newest.ts'
import { choosePage, rankBy, type Place, type Placed, type Ranking, type SearchedKind, type Sorting } from './order.ts'
import type { Plan } from './plan.ts'
import { rankByRelevance } from './relevance.ts'
import type { Walk } from './taken.ts'

/** The most matches that are counted and ranked. */
export const mostMatches = 10_000

/** One search. Without `sorting` it is in the order of the list. `walk`: what the pages before have in common. */
export type Search = {
  kind: SearchedKind
  q: string | undefined
  filters: Filters
  owners: Owners
  sorting: Sorting | undefined
  facets: readonly Facet[]
  after: Place | undefined
  limit: number
  /** Whether the names of categories count. */
  categories: boolean
  /** When the search began, in milliseconds. */
  now: number
  walk: Walk | undefined
}

/** What a search has found: a page, with one record more than the limit if others follow. */
export type Found = {
  page: Placed[]
  /** Up to one more than `mostMatches`. */
  count: number
  facets: Record<string, FacetValue[]> | undefined
  walk: Omit<Walk, 'isComplete'>
  isRelaxed: boolean
}

const recordsBetweenPauses = 16_384

/** Records that pass all filters but those of their facets. `passes` has a bit for each of these that a record passes. */
type Matches = { records: Int32Array; passes: Uint8Array }

/** A search of records of a kind that pass the filters. */
export class Searching {
  readonly #index: HouseIndex
  readonly #matching: Matching
  readonly #asked: Search
  readonly #pause: Pause
  readonly #areLots: boolean
  // What a record must pass, and what it must pass but where a facet is counted.
  readonly #required: ((row: number) => boolean)[] = []
  readonly #deferred: { facet: Facet; condition: (row: number) => boolean }[] = []

  constructor(index: HouseIndex, matching: Matching, asked: Search, pause: Pause) {
    this.#index = index
    this.#matching = matching
    this.#asked = asked
    this.#pause = pause
    this.#areLots = asked.kind === 'lot'
    const conditions = listConditions(index, asked.kind, asked.filters, asked.owners, asked.now)
    for (const [name, condition] of conditions) {
      const facet = asked.facets.find((each) => filterOf[each] === name)
      if (facet) this.#deferred.push({ facet, condition })
      else this.#required.push(condition)
    }
  }

  get #columns() {
    return this.#areLots ? this.#index.lots : this.#index.items
  }

  #isArchived(row: number): boolean {
    const bit = this.#areLots ? lotFlags.archived : itemFlags.archived
    return (this.#columns.flags[row]! & bit) !== 0
  }

  #passes(row: number): boolean {
    return (
      !this.#isArchived(row) &&
      this.#required.every((condition) => condition(row)) &&
      this.#deferred.every(({ condition }) => condition(row))
    )
  }

  // Whether an item, or a lot of it, is a record that passes the filters.
  #hasRecord(item: number): boolean {
    if (!this.#areLots) return this.#passes(item)
    const { items, lots } = this.#index
    for (let lot = items.firstLot[item]!; lot !== 0; lot = lots.next[lot - 1]!) if (this.#passes(lot - 1)) return true
    return false
  }

  #find(plan: Plan): Promise<Matched> {
    return this.#matching.find(plan, this.#areLots, this.#pause)
  }

  /** Whether a record that passes the filters matches. */
  async hasMatch(plan: Plan): Promise<boolean> {
    const { rows, numbered } = await this.#find(plan)
    return rows.some((item) => this.#hasRecord(item)) || [...numbered.keys()].some((lot) => this.#passes(lot))
  }

  /** Whether a plan finds an item that can be read: perhaps an archived one, by a lot. */
  async isReadable(plan: Plan): Promise<boolean> {
    const { items, lots } = this.#index
    const wanted = { ...plan, without: { terms: [], sequences: [] }, numbered: undefined }
    const { rows } = await this.#matching.find(wanted, false, this.#pause)
    return rows.some((item) => {
      if ((items.flags[item]! & itemFlags.archived) === 0) return true
      for (let lot = items.firstLot[item]!; lot !== 0; lot = lots.next[lot - 1]!)
        if ((lots.flags[lot - 1]! & lotFlags.archived) === 0) return true
      return false
    })
  }

  /** Tells of terms whether any stands in a record that passes the filters and that a plan finds. */
  async standsIn(plan: Plan | undefined): Promise<(terms: readonly number[]) => boolean> {
    const { postings, items, lots } = this.#index
    if (!plan)
      return (terms) => terms.some((term) => postings.of(term).some((posting) => this.#hasRecord(posting >> 1)))
    const { rows, numbered } = await this.#find(plan)
    // 1: found by its words, so that it must have a record. 2: found by the number of a record that passes.
    const beside = new Uint8Array(items.count)
    for (const item of rows) beside[item] = 1
    for (const lot of numbered.keys()) if (this.#passes(lot)) beside[lots.item[lot]! - 1] = 2
    const isBeside = (item: number) => beside[item] === 2 || (beside[item] === 1 && this.#hasRecord(item))
    return (terms) => terms.some((term) => postings.of(term).some((posting) => isBeside(posting >> 1)))
  }

  async #collect(found: Matched | undefined): Promise<Matches> {
    const columns = this.#columns
    const { items, lots } = this.#index
    const [required, deferred, flags] = [this.#required, this.#deferred, columns.flags]
    const archived = this.#areLots ? lotFlags.archived : itemFlags.archived
    const candidates = found?.rows.length ?? columns.count
    let records = new Int32Array(candidates + 16)
    let passes = new Uint8Array(records.length)
    let count = 0
    const add = (row: number) => {
      if (count === records.length) {
        records = grow(records, count + 1)
        passes = grow(passes, count + 1)
      }
      if ((flags[row]! & archived) !== 0) return
      for (let at = 0; at < required.length; at++) if (!required[at]!(row)) return
      for (let at = 0; at < deferred.length; at++) if (deferred[at]!.condition(row)) passes[count]! |= 1 << at
      records[count++] = row
    }
    for (let at = 0; at < candidates; at++) {
      if (at % recordsBetweenPauses === 0) await this.#pause()
      if (!found) add(at)
      else if (!this.#areLots) add(found.rows[at]!)
      else for (let lot = items.firstLot[found.rows[at]!]!; lot !== 0; lot = lots.next[lot - 1]!) add(lot - 1)
    }
    for (const lot of found?.numbered.keys() ?? []) add(lot)
    return { records: records.subarray(0, count), passes }
  }

  // Matches that pass the filters of the facets, but for one.
  #passing({ records, passes }: Matches, except?: Facet): Int32Array {
    let wanted = 0
    for (const [at, { facet }] of this.#deferred.entries()) if (facet !== except) wanted |= 1 << at
    return wanted === 0 ? records : records.filter((_, at) => (passes[at]! & wanted) === wanted)
  }

  /** Finds a page of the records that a plan finds, or of all. */
  async run(
    plan: Plan | undefined,
    { taken, isRelaxed }: { taken: Walk['taken']; isRelaxed: boolean },
  ): Promise<Found> {
    const { kind, facets, filters, sorting, after, limit, now, walk } = this.#asked
    const index = this.#index
    const found = plan && (await this.#find(plan))
    const matches = await this.#collect(found)
    const newest = (some: Int32Array) => chooseNewest(some, this.#columns.ages, mostMatches)
    let records = this.#passing(matches)
    const count = Math.min(records.length, mostMatches + 1)
    const isRanked = sorting?.by === 'relevance'
    const newestRecords = facets.length > 0 || (isRanked && !walk) ? newest(records) : records
    const counted: Record<string, FacetValue[]> = {}
    for (const facet of facets) {
      await this.#pause()
      const isFiltered = this.#deferred.some((each) => each.facet === facet)
      const some = isFiltered ? newest(this.#passing(matches, facet)) : newestRecords
      counted[facet] = countFacet(index, facet, this.#areLots, some, filters, now)
    }
    await this.#pause()
    let span = walk?.span
    if (isRanked && !walk && records.length > mostMatches) {
      records = newestRecords
      span = this.#spanOf(records)
    } else if (isRanked && span) {
      const { oldest, newest: last } = span
      records = records.filter((row) => this.#compareAge(row, oldest) >= 0 && this.#compareAge(row, last) <= 0)
    }
    // Whether a lot is open counts for its rank only where q may be its number.
    const isNumbered = isRanked && this.#areLots && plan?.number !== undefined
    const first = isNumbered ? (walk?.now ?? now) : undefined
    const scored = { records, scores: this.#matching.scores, numbered: found?.numbered }
    const ranking =
      plan && isRanked
        ? rankByRelevance(index, kind, plan, scored, sorting.descending, first ?? now)
        : this.#rankByValue(records)
    return {
      page: choosePage(index, kind, records, ranking, after, limit + 1),
      count,
      facets: facets.length > 0 ? counted : undefined,
      walk: { taken, now: first, span },
      isRelaxed,
    }
  }

  #ageOf(row: number): [number, string] {
    return [this.#columns.created[row]!, this.#columns.uuidOf(row)]
  }

  #compareAge(row: number, [created, id]: [number, string]): number {
    const own = this.#columns.created[row]!
    if (own !== created) return own < created ? -1 : 1
    const uuid = this.#columns.uuidOf(row)
    return uuid === id ? 0 : uuid < id ? -1 : 1
  }

  #spanOf(records: Int32Array): Walk['span'] {
    let [oldest, newest] = [records[0]!, records[0]!]
    const columns = this.#columns
    const { created } = columns
    const compare = (one: number, other: number) =>
      created[one] === created[other] ? columns.compareUuids(one, other) : created[one]! - created[other]!
    for (const row of records) {
      if (compare(row, oldest) < 0) oldest = row
      if (compare(row, newest) > 0) newest = row
    }
    return { oldest: this.#ageOf(oldest), newest: this.#ageOf(newest) }
  }

  #rankByValue(records: Int32Array): Ranking | undefined {
    const { kind, sorting } = this.#asked
    if (!sorting) return undefined
    const ranks = new Float64Array(records.length)
    const rankOf = rankBy(this.#index, kind, sorting)
    for (let at = 0; at < ranks.length; at++) ranks[at] = rankOf(records[at]!)
    return { least: ranks, rankOf: (at) => ranks[at]!, most: 0 }
  }
}
