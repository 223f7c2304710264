import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { isGivenUp } from '../db/errors.ts'
import { sendAhead, sendLast } from '../db/pipeline.ts'
import { temporarilyUnavailable } from '../problems.ts'
import { lastUuid } from '../values/ids.ts'
import { countFacets, passes, type FacetValue } from './facets.ts'
import { filterOf, isOpen, listConditions, type Facet, type Filters } from './filters.ts'
import { mostMatches, type Plan, type Word } from './plan.ts'
import { cannotMatch, hasWord, isFound, keysOf, scoreOf } from './ranking.ts'
import { walkNewest } from './newest.ts'
import { placeOfLot } from '../reads/keyset.ts'

type Shown = Pick<Context, 'db' | 'house' | 'now'>

/** A search is cut off at this time of the process's clock, however many statements it takes. */
export type Timed = Shown & { until: number }

const longestMilliseconds = 1_000

/** Begins the time of a search. */
export const startTime = ({ db, house, now }: Shown): Timed => ({
  db,
  house,
  now,
  until: performance.now() + longestMilliseconds,
})

/** What may be searched. */
export type SearchedKind = 'lot' | 'item'

/** The orders of a search. */
const orders = ['relevance', 'estimate', 'created_at', 'lot_number', 'closes_at', 'current_bid'] as const

/** An order, and whether it is turned round. */
export type Sorting = { by: (typeof orders)[number]; descending: boolean }

/** The place of a record in the order of a search. */
export type Place = { rank: string | null; place: string; id: string }

/** One search, as far as the database must know. Without `sorting` it is in the order of the list. */
export type Search = {
  kind: SearchedKind
  plan: Plan | undefined
  filters: Filters
  sorting: Sorting | undefined
  facets: readonly Facet[]
  after: Place | undefined
  limit: number
}

/** A page of matches: internal ids with their places, one more than the limit if others follow. */
export type Matches = {
  page: (Place & { row: string })[]
  /** Up to one more than `mostMatches`. */
  count: number
  facets: Record<string, FacetValue[]> | null
}

const nothing = sql``
const greatest = sql.raw('9223372036854775807')
const microseconds = (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time}) * 1000000)::bigint`

const values = (kind: SearchedKind): Record<Sorting['by'], RawBuilder<unknown>> => ({
  relevance: sql`null::bigint`,
  estimate:
    kind === 'lot' ? sql`coalesce(e.estimate_low, e.estimate_high)` : sql`coalesce(i.estimate_low, i.estimate_high)`,
  created_at: microseconds(sql.ref(`${kind === 'lot' ? 'l' : 'i'}.created_at`)),
  lot_number: sql`l.lot_number::bigint`,
  closes_at: microseconds(sql`case when z.kind = 'live' then z.live_closes_at else l.closes_at end`),
  current_bid: sql`l.current_bid`,
})

// Records without a value come last, whichever the direction.
const rankOf = (kind: SearchedKind, { by, descending }: Sorting) =>
  sql`coalesce(${sql.raw(descending ? '-' : '')}(${values(kind)[by]}), ${greatest})`

// The session of a lot is read only where its times, its state or its publication count.
const needsSession = ({ plan, filters, sorting, facets }: Search) =>
  facets.includes('open') ||
  filters.open !== undefined ||
  filters.published !== undefined ||
  sorting?.by === 'closes_at' ||
  isNumbered(plan, sorting)

const isNumbered = (plan: Plan | undefined, sorting: Sorting | undefined) =>
  plan !== undefined && plan.number !== null && sorting?.by === 'relevance'

type From = (house: Context['house'], search: Search, records?: RawBuilder<unknown>) => RawBuilder<unknown>

const tables: Record<SearchedKind, From> = {
  lot: (house, search, records = sql`catalogue.lots`) => sql`${records} l
        ${needsSession(search) ? sql`join catalogue.sessions z on z.house_id = ${house.id} and z.id = l.session_id` : nothing}
        ${search.sorting?.by === 'estimate' ? sql`join catalogue.items e on e.house_id = ${house.id} and e.id = l.item_id` : nothing}`,
  item: (_house, _search, records = sql`catalogue.items`) => sql`${records} i`,
}

// The columns of every row of `matches`. The indexes of the lists have the same expressions.
const columns = {
  lot: sql`l.id, l.item_id, coalesce(l.created_at, '-infinity') as created, ${sql.raw(placeOfLot('l.lot_number'))} as place,
        coalesce(l.public_id, ${sql.lit(lastUuid)}) as uuid, l.session_id, l.result_state`,
  item: sql`i.id, i.id as item_id, coalesce(i.created_at, '-infinity') as created, coalesce(i.created_at, '-infinity') as place,
        coalesce(i.public_id, ${sql.lit(lastUuid)}) as uuid`,
}
const shortOf = { lot: 'l', item: 'i' } as const
const itemOf = { lot: sql`l.item_id`, item: sql`i.id` } as const
// The order of the list: lots by number, items newest first.
const listOrder = {
  lot: { compare: sql`>`, direction: sql`asc` },
  item: { compare: sql`<`, direction: sql`desc` },
} as const
const typeOfPlace = { lot: sql`bigint`, item: sql`timestamptz` } as const

const indexOf = (house: Context['house'], kind: SearchedKind) =>
  sql`catalogue.search_items x on x.house_id = ${house.id} and x.item_id = ${itemOf[kind]}`

/**
 * The statement that finds a page of the matches. It evaluates the filters on the records themselves, so the index says
 * nothing but which texts have which words.
 */
function matchesStatement({ house, now }: Shown, search: Search): RawBuilder<Matches> {
  const { kind, plan, filters, sorting, facets, after, limit } = search
  const conditions = listConditions({ house, now }, kind, filters)
  const deferred = facets.filter((facet) => conditions.has(filterOf[facet]))
  const flags = deferred.map((facet) => sql`, ${conditions.get(filterOf[facet])!} as ${passes(facet)}`)
  for (const facet of deferred) conditions.delete(filterOf[facet])
  const isRanked = sorting?.by === 'relevance'
  const isOpenShown = kind === 'lot' && facets.includes('open')
  const open = isOpenShown ? sql`, ${isOpen({ house, now })} as is_open` : nothing
  const name = sql.ref(shortOf[kind])
  const first =
    kind === 'lot' && isNumbered(plan, sorting)
      ? [
          sql`case when l.lot_number::text = ${plan!.number} then case when ${isOpen({ house, now })} then 300000 else 200000 end else 0 end`,
        ]
      : []
  const rank = !sorting
    ? nothing
    : isRanked
      ? sql`, -(${scoreOf(plan!, house, itemOf[kind], first)}) as rank`
      : sql`, ${rankOf(kind, sorting)} as rank`
  const where = [sql`${name}.house_id = ${house.id}`, sql`not ${name}.archived`, ...conditions.values()]
  const index = indexOf(house, kind)
  const row = sql`select ${columns[kind]} ${open} ${rank} ${sql.join(flags, sql` `)}`
  const from = tables[kind](house, search)
  const rows = (more: RawBuilder<unknown>, found: RawBuilder<unknown>[]) =>
    sql`${row} from ${from} ${more} where ${sql.join([...where, ...found], sql` and `)}`
  const branches: RawBuilder<unknown>[] = []
  if (plan === undefined) branches.push(rows(nothing, []))
  else if (plan.words.length + plan.phrases.length > 0) branches.push(rows(sql`join ${index}`, isFound(plan)))
  else
    branches.push(
      rows(
        sql`left join ${index}`,
        isFound(plan).map((condition) => sql`(${condition}) is not false`),
      ),
    )
  if (plan?.numbered && kind === 'lot') {
    const number = sql`${sql.raw(placeOfLot('l.lot_number'))} = ${plan.numbered.number}::bigint`
    const others = isFound(plan, plan.numbered.at)
    branches.push(rows(sql`${others.length > 0 ? nothing : sql`left`} join ${index}`, [number, ...others]))
  }
  const isAll = plan === undefined && facets.length === 0
  const walk =
    isRanked && deferred.length === 0
      ? walkNewest(house, kind, plan!, (newest, found) => {
          const numbered = plan!.numbered && kind === 'lot' ? sql`left` : nothing
          return sql`from ${tables[kind](house, search, newest)} ${numbered} join ${index}
            where ${sql.join([...where, found], sql` and `)}`
        })
      : undefined
  const passed = sql.join([sql`true`, ...deferred.map(passes)], sql` and `)
  const { compare, direction } = listOrder[kind]
  const turned = isRanked && sorting.descending ? sql`rank desc,` : sorting ? sql`rank,` : nothing
  const rankCompare = isRanked && sorting.descending ? sql`<` : sql`>`
  const tie = after && sql`(place, uuid) ${compare} (${after.place}::${typeOfPlace[kind]}, ${after.id}::uuid)`
  const further = !after
    ? nothing
    : sorting
      ? sql`and (rank ${rankCompare} ${after.rank}::bigint or rank = ${after.rank}::bigint and ${tie})`
      : sql`and ${tie}`
  // The walk by relevance ends with the matches that were created last.
  const newest = isRanked
    ? sql`and ((select n from counted) <= ${sql.lit(mostMatches)} or (created, id) >= (
          select created, id from matches where ${passed} order by created desc, id desc offset ${sql.lit(mostMatches - 1)} limit 1))`
    : nothing
  return sql<Matches>`
    with ${walk ? sql`${walk.sampled}, walked as materialized (${row} ${walk.found}),` : nothing}
    matches as ${sql.raw(isAll ? 'not materialized' : 'materialized')} (${
      walk
        ? sql`select * from walked where (${walk.isEnough}) union all
      select * from (${sql.join(branches, sql` union `)}) others where not (${walk.isEnough})`
        : sql.join(branches, sql` union `)
    }),
    counted as materialized (
      select count(*)::int as n from (select from matches where ${passed} limit ${sql.lit(mostMatches + 1)}) counting)
    select (select n from counted) as count,
      ${facets.length === 0 ? sql`null` : countFacets({ house }, facets, deferred, filters)} as facets,
      (select coalesce(json_agg(json_build_object('row', p.id::text, 'rank', ${sorting ? sql`p.rank::text` : sql`null`}, 'place', p.place::text, 'id', p.uuid)
          order by ${sorting ? sql`p.` : nothing}${turned} p.place ${direction}, p.uuid ${direction}), '[]')
        from (select * from matches where ${passed} ${newest} ${further}
          order by ${turned} place ${direction}, uuid ${direction} limit ${sql.lit(limit + 1)}) p) as page`
}

// A record that is not archived and passes the filters, with its index `x`.
function recordThat(context: Shown, { kind, filters }: Pick<Search, 'kind' | 'filters'>, found: RawBuilder<unknown>[]) {
  const { house, now } = context
  const name = sql.ref(shortOf[kind])
  const whole = { kind, filters, plan: undefined, sorting: undefined, facets: [], after: undefined, limit: 1 }
  const conditions = [...found, ...listConditions({ house, now }, kind, filters).values()]
  return sql`exists (
      select from ${tables[kind](house, whole)} join ${indexOf(house, kind)}
      where ${name}.house_id = ${house.id} and not ${name}.archived and ${sql.join(conditions, sql` and `)})`
}

/** The first of these plans that some record matches, of those that the filters leave. */
export async function findFirstMatching(
  context: Timed,
  search: Pick<Search, 'kind' | 'filters'>,
  plans: readonly Plan[],
): Promise<number | undefined> {
  const possible = [...plans.entries()].filter(([, plan]) => !cannotMatch(plan, search.kind))
  if (possible.length === 0) return undefined
  const whens = possible.map(([at, plan]) => {
    const { numbered } = plan
    const ways = [recordThat(context, search, isFound(plan))]
    if (numbered && search.kind === 'lot') {
      const number = sql`${sql.raw(placeOfLot('l.lot_number'))} = ${numbered.number}::bigint`
      ways.push(recordThat(context, search, [number, ...isFound(plan, numbered.at)]))
    }
    return sql`when ${sql.join(ways, sql` or `)} then ${at}::int`
  })
  const rows = await executeBriefly<{ first: number | null }>(
    context,
    sql`select case ${sql.join(whens, sql` `)} end as first`,
  )
  return rows[0]!.first ?? undefined
}

/** Which of these words some record that the filters leave has, beside all that a plan asks for. */
export async function findStanding(
  context: Timed,
  search: Pick<Search, 'kind' | 'filters'>,
  words: readonly Word[],
  plan: Plan,
): Promise<boolean[]> {
  if (words.length === 0) return []
  const found = recordThat(context, search, [sql`x.keys && each.keys::bigint[]`, ...isFound(plan)])
  const keys = words.map((word) => `{${keysOf(word).join()}}`)
  const rows = await executeBriefly<{ found: boolean }>(
    context,
    sql`select ${found} as found from unnest(${keys}::text[]) with ordinality each (keys, place) order by place`,
  )
  return rows.map((row) => row.found)
}

// More records than these are not all archived, mostly. Looking at each word would take time.
const mostLookedAt = 1_000

/**
 * Which words stand in a record that can be read: an item, perhaps an archived one of a lot, or the name of a maker or a
 * category. A word of many records does. `records`: of each word, archived ones too.
 */
export async function findReadable(
  context: Timed,
  words: readonly Word[],
  records: readonly number[],
): Promise<boolean[]> {
  const { house } = context
  const isSure = (at: number) => {
    const { apart, links } = words[at]!
    return (records[at] === 0 && apart.length === 0) || records[at]! > mostLookedAt || links.length > 0
  }
  if (words.every((_, at) => isSure(at))) return records.map((count) => count > 0)
  const readable = words.map((word, at) =>
    isSure(at)
      ? sql`${records[at]! > 0}::boolean`
      : sql`exists (
        select from catalogue.search_items x join catalogue.items i on i.house_id = ${house.id} and i.id = x.item_id
        where x.house_id = ${house.id} and ${hasWord(word)} and (not i.archived or exists (
          select from catalogue.lots l where l.house_id = ${house.id} and l.item_id = i.id and not l.archived)))`,
  )
  const rows = await executeBriefly<{ readable: boolean[] }>(
    context,
    sql`select array[${sql.join(readable)}] as readable`,
  )
  return rows[0]!.readable
}

/** Finds a page of matches. */
export async function findMatches(context: Timed, search: Search): Promise<Matches> {
  if (search.plan && search.facets.length === 0 && cannotMatch(search.plan, search.kind))
    return { page: [], count: 0, facets: null }
  const rows = await executeBriefly(context, matchesStatement(context, search))
  return rows[0]!
}

function executeBriefly<Row>({ db, until }: Timed, statement: RawBuilder<Row>): Promise<Row[]> {
  const rows = db.transaction().execute(async (tx) => {
    // Zero would be no limit.
    const left = Math.max(1, Math.ceil(until - performance.now()))
    await sendAhead(tx, sql`select set_config('statement_timeout', ${String(left)}, true)`)
    return sendLast(tx, statement.compile(tx))
  })
  return rows.catch((error: unknown) => {
    if (!isGivenUp(error)) throw error
    throw temporarilyUnavailable('The search was cut off: it took more than a second of the database.', 5)
  })
}
