import { correct, leaveOut, type Replaced } from './corrections.ts'
import { countFacet, type FacetValue } from './facets.ts'
import { filterOf, isOpen, listConditions, type Facet, type Filters, type Owners } from './filters.ts'
import { hashReference, itemFlags, lotFlags } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import { mostNearness, weighNearness } from './index/sequences.ts'
import type { Matching } from './matching.ts'
import { chooseNewest } from './newest.ts'
import { choosePage, rankBy, type Place, type Placed, type Ranking, type SearchedKind, type Sorting } from './order.ts'
import { chooseWords, countRecords, findOwn, makePlan, viewOf, weigh, type Plan } from './plan.ts'
import type { Walk } from './taken.ts'
import { correctedWord, readQuery, type QueryFault, type QueryWord } from './words/query.ts'

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

/** A way to take a query: its words, and others in the place of some. */
type Reading = { words: QueryWord[]; replaced: Replaced }

/** Records that pass all filters but those of their facets, and the scores of their texts. `passes`: see `passing`. */
type Matches = { records: number[]; scores: number[]; passes: number[] }

/** Waits where a search has taken its slice of time. */
export type Pause = () => Promise<void> | undefined

const recordsBetweenPauses = 16_384
const [openWorth, numberWorth, referenceWorth] = [300_000, 200_000, 1_000_000]

/** Searches the index of a house. Returns why `q` is refused, if it is. */
export async function search(
  index: HouseIndex,
  matching: Matching,
  asked: Search,
  pause: Pause,
): Promise<Found | QueryFault> {
  const { q, categories, walk } = asked
  const searching = new Searching(index, matching, asked, pause)
  if (q === undefined) return searching.run(undefined, { taken: undefined, isRelaxed: false })
  const query = readQuery(q)
  if (typeof query === 'string') return query
  const view = viewOf(index, categories)
  const taken = walk?.taken
  const counted = new Map(query.words.map((word) => [word, countRecords(view, word)]))
  const words = taken
    ? query.words.filter(({ written }) => Object.hasOwn(taken.weights, written))
    : chooseWords(query.words, (word) => counted.get(word)!)
  const weights = taken?.weights ?? Object.fromEntries(words.map((word) => [word.written, weigh(counted.get(word)!)]))
  const weightOf = ({ written }: QueryWord) => weights[written]!
  const planOf = ({ words: some, replaced }: Reading) => makePlan(view, query, some, weightOf, replaced)
  const run = (reading: Reading, plan = planOf(reading)) => {
    const left = words.filter((word) => !reading.words.includes(word)).map(({ written }) => written)
    const corrected = Object.fromEntries(
      [...reading.replaced].flatMap(([written, others]) =>
        left.includes(written) ? [] : [[written, others.map((other) => other.exact[0]!)]],
      ),
    )
    return searching.run(plan, { taken: { corrected, left, weights }, isRelaxed: left.length > 0 })
  }
  const asWritten: Reading = { words, replaced: new Map() }
  if (taken) {
    const replaced = new Map(
      Object.entries(taken.corrected).map(([written, others]) => [written, others.map(correctedWord)]),
    )
    return run({ words: words.filter(({ written }) => !taken.left.includes(written)), replaced })
  }
  const found = await run(asWritten)
  if (found.count > 0 || words.length === 0) return found

  // The house's words are those of archived records too.
  const whole = planOf(asWritten)
  const recordsOf = new Map(
    words.map((word, at) => {
      const isNamed = findOwn(view, word).some((term) => index.vocabulary.wordOf(term).includes('/'))
      const isThere = isNamed || searching.isReadable({ ...whole, words: [whole.words[at]!], phrases: [] })
      return [word, isThere ? Math.max(1, counted.get(word)!) : 0]
    }),
  )
  const present = words.filter((word) => recordsOf.get(word)! > 0)
  const beside = present.length > 0 ? planOf({ words: present, replaced: new Map() }) : undefined
  const isBeside = beside && searching.standsIn(beside)
  const replaced = correct(
    view,
    words.filter((word) => recordsOf.get(word) === 0),
    (terms) => isBeside?.(terms) === true,
    searching.standsIn(undefined),
  )
  if (replaced.size > 0) {
    const corrected = { words, replaced }
    const plan = planOf(corrected)
    if (searching.hasMatch(plan)) return run(corrected, plan)
  }
  const countOf = (word: QueryWord) =>
    Math.max(recordsOf.get(word)!, ...(replaced.get(word.written) ?? []).map((other) => countRecords(view, other)))
  for (const some of leaveOut(words, countOf)) {
    const plan = planOf({ words: some, replaced })
    await pause()
    if (searching.hasMatch(plan)) return run({ words: some, replaced }, plan)
  }
  return found
}

/** A search of records of a kind that pass the filters. */
class Searching {
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

  #recordsOf(item: number): number[] {
    if (!this.#areLots) return [item]
    const { items, lots } = this.#index
    const records: number[] = []
    for (let lot = items.firstLot[item]!; lot !== 0; lot = lots.next[lot - 1]!) records.push(lot - 1)
    return records
  }

  /** Whether a record that passes the filters matches. */
  hasMatch(plan: Plan): boolean {
    const { rows, numbered } = this.#matching.find(plan, this.#areLots)
    return (
      rows.some((item) => this.#recordsOf(item).some((row) => this.#passes(row))) ||
      numbered.some(({ lot }) => this.#passes(lot))
    )
  }

  /** Whether a plan finds an item that can be read: perhaps an archived one, by a lot. */
  isReadable(plan: Plan): boolean {
    const { items, lots } = this.#index
    return this.#matching
      .find({ ...plan, without: { terms: [], sequences: [] }, numbered: undefined }, false)
      .rows.some((item) => {
        if ((items.flags[item]! & itemFlags.archived) === 0) return true
        for (let lot = items.firstLot[item]!; lot !== 0; lot = lots.next[lot - 1]!)
          if ((lots.flags[lot - 1]! & lotFlags.archived) === 0) return true
        return false
      })
  }

  /** Tells of words whether any stands in a record that passes the filters and that a plan finds. */
  standsIn(plan: Plan | undefined): (terms: readonly number[]) => boolean {
    const hasRecord = (item: number) => this.#recordsOf(item).some((row) => this.#passes(row))
    const { postings, lots } = this.#index
    if (!plan) return (terms) => terms.some((term) => postings.of(term).some((posting) => hasRecord(posting >> 1)))
    const { rows, numbered } = this.#matching.find(plan, this.#areLots)
    const beside = new Set(rows.filter(hasRecord))
    for (const { lot } of numbered) if (this.#passes(lot)) beside.add(lots.item[lot]! - 1)
    return (terms) =>
      beside.size > 0 && terms.some((term) => postings.of(term).some((posting) => beside.has(posting >> 1)))
  }

  async #collect(plan: Plan | undefined): Promise<Matches> {
    const matches: Matches = { records: [], scores: [], passes: [] }
    const add = (row: number, score: number) => {
      if (this.#isArchived(row)) return
      for (const condition of this.#required) if (!condition(row)) return
      let passes = 0
      for (const [at, { condition }] of this.#deferred.entries()) if (condition(row)) passes |= 1 << at
      matches.records.push(row)
      matches.scores.push(score)
      matches.passes.push(passes)
    }
    if (!plan) {
      const { count } = this.#columns
      for (let row = 0; row < count; row++) {
        if (row % recordsBetweenPauses === 0) await this.#pause()
        add(row, 0)
      }
      return matches
    }
    const { rows, scores, numbered } = this.#matching.find(plan, this.#areLots)
    const { items, lots } = this.#index
    for (const [at, item] of rows.entries()) {
      if (at % recordsBetweenPauses === 0) await this.#pause()
      if (!this.#areLots) add(item, scores[at]!)
      else for (let lot = items.firstLot[item]!; lot !== 0; lot = lots.next[lot - 1]!) add(lot - 1, scores[at]!)
    }
    for (const { lot, score } of numbered) add(lot, score)
    return matches
  }

  // The places of matches that pass the filters of the facets, but for one.
  #passing({ passes }: Matches, except?: Facet): number[] {
    let wanted = 0
    for (const [at, { facet }] of this.#deferred.entries()) if (facet !== except) wanted |= 1 << at
    const places: number[] = []
    for (let at = 0; at < passes.length; at++) if ((passes[at]! & wanted) === wanted) places.push(at)
    return places
  }

  /** Finds a page of the records that a plan finds, or of all. */
  async run(
    plan: Plan | undefined,
    { taken, isRelaxed }: { taken: Walk['taken']; isRelaxed: boolean },
  ): Promise<Found> {
    const { kind, facets, filters, sorting, after, limit, now } = this.#asked
    const index = this.#index
    const matches = await this.#collect(plan)
    const columns = this.#columns
    const newest = (some: number[]) => {
      const records = some.map((at) => matches.records[at]!)
      return chooseNewest(records, columns.ages, mostMatches)
    }
    const counted: Record<string, FacetValue[]> = {}
    const passing = this.#passing(matches)
    let newestPassing: number[] | undefined
    for (const facet of facets) {
      await this.#pause()
      const isFiltered = this.#deferred.some((each) => each.facet === facet)
      const records = isFiltered ? newest(this.#passing(matches, facet)) : (newestPassing ??= newest(passing))
      counted[facet] = countFacet(index, facet, this.#areLots, records, filters, now)
    }
    await this.#pause()
    let places = passing
    const count = Math.min(places.length, mostMatches + 1)
    let span = this.#asked.walk?.span
    const isRanked = sorting?.by === 'relevance'
    if (isRanked && places.length > mostMatches && !this.#asked.walk) {
      const chosen = (newestPassing ??= newest(places))
      const kept = new Set(chosen)
      places = places.filter((at) => kept.has(matches.records[at]!))
      span = this.#spanOf(chosen)
    } else if (isRanked && span) {
      const { oldest, newest: last } = span
      const isWithin = (row: number) => this.#compareAge(row, oldest) >= 0 && this.#compareAge(row, last) <= 0
      places = places.filter((at) => isWithin(matches.records[at]!))
    }
    // Whether a lot is open counts for its rank only where q may be its number.
    const isNumbered = isRanked && this.#areLots && plan?.number !== undefined
    const first = isNumbered ? (this.#asked.walk?.now ?? now) : undefined
    const ranking =
      plan && isRanked
        ? this.#rankByRelevance(plan, matches, places, sorting.descending, first ?? now)
        : this.#rankByValue(matches, places, sorting)
    const records = places.map((at) => matches.records[at]!)
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

  #spanOf(records: readonly number[]): Walk['span'] {
    let [oldest, newest] = [records[0]!, records[0]!]
    const [created, compare] = [this.#columns.created, this.#columns.compareUuids.bind(this.#columns)]
    const age = (one: number, other: number) =>
      created[one] === created[other] ? compare(one, other) : created[one]! - created[other]!
    for (const row of records) {
      if (age(row, oldest) < 0) oldest = row
      if (age(row, newest) > 0) newest = row
    }
    return { oldest: this.#ageOf(oldest), newest: this.#ageOf(newest) }
  }

  #rankByValue({ records }: Matches, places: readonly number[], sorting: Sorting | undefined): Ranking {
    const valueOf = sorting ? rankBy(this.#index, this.#asked.kind, sorting) : () => 0
    const rankOf = (at: number) => valueOf(records[places[at]!]!)
    return { rankOf, bounds: () => [-Infinity, Infinity] }
  }

  #rankByRelevance(
    { words, reference, number }: Plan,
    { records, scores }: Matches,
    places: readonly number[],
    isTurned: boolean,
    now: number,
  ): Ranking {
    const { items, lots, texts } = this.#index
    const hashed = hashReference(reference)
    const takesBids = isOpen(this.#index, now)
    const itemOf = (row: number) => (this.#areLots ? lots.item[row]! - 1 : row)
    const scoreOf = (place: number) => {
      const row = records[place]!
      const referred = items.reference[itemOf(row)] === hashed ? referenceWorth : 0
      const isNumber = this.#areLots && number !== undefined && lots.place[row] === number
      return scores[place]! + referred + (isNumber ? (takesBids(row) ? openWorth : numberWorth) : 0)
    }
    const terms = words.map(({ term }) => term)
    const most = mostNearness(words.length)
    const known = new Map<number, number>()
    const nearnessOf = (item: number) => {
      const before = known.get(item)
      if (before !== undefined) return before
      const length = texts.read(item)
      const worth = weighNearness(texts.codes, length, terms)
      known.set(item, worth)
      return worth
    }
    return {
      bounds(at) {
        const score = scoreOf(places[at]!)
        return isTurned ? [score, score + most] : [-score - most, -score]
      },
      rankOf(at) {
        const score = scoreOf(places[at]!) + (most > 0 ? nearnessOf(itemOf(records[places[at]!]!)) : 0)
        return isTurned ? score : -score
      },
    }
  }
}
