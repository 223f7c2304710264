import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import { kinds } from '../kinds.ts'
import { lastUuid } from '../values/ids.ts'
import { countFacets, passes, type FacetValue } from './facets.ts'
import { filterOf, isOpen, listConditions, type Facet, type Filters } from './filters.ts'
import type { Plan, Word } from './plan.ts'
import { hashKeys } from './statements.ts'

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

/** The most matches that are counted and ranked. */
export const mostMatches = 10_000

/** The orders of a search. */
export const orders = ['relevance', 'estimate', 'created_at', 'lot_number', 'closes_at', 'current_bid'] as const

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
  /** Whether the names of categories count. */
  categories: boolean
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

const tables: Record<SearchedKind, (house: Context['house'], search: Search) => RawBuilder<unknown>> = {
  lot: (house, { sorting }) => sql`catalogue.lots l
        join catalogue.sessions z on z.house_id = ${house.id} and z.id = l.session_id
        ${sorting?.by === 'estimate' ? sql`join catalogue.items e on e.house_id = ${house.id} and e.id = l.item_id` : nothing}`,
  item: () => sql`catalogue.items i`,
}

// The columns of every row of `matches`. The indexes of the lists have the same expressions.
const columns = {
  lot: sql`l.id, l.item_id, coalesce(l.created_at, '-infinity') as created, coalesce(l.lot_number, 2147483648) as place,
        coalesce(l.public_id, ${sql.lit(lastUuid)}) as uuid, l.lot_number, l.session_id, l.result_state`,
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

// An index of arrays compares every match with every key that is looked for. So many links find their items one by one.
const mostCompared = 32

// The keys of a plan, hashed once. `e`, `f`, `p`: exact keys, forms and parts of a word. `le`, `lp`: the links of makers and
// categories whose names have them. `any`: all of these. `linked`: the items of links that are too many for `any`.
function asked(house: Context['house'], { words, phrases, without }: Plan, categories: boolean): RawBuilder<unknown> {
  const named = (condition: RawBuilder<unknown>) => sql`array(
        select n.link from catalogue.search_names n where n.house_id = ${house.id} and ${condition}
          ${categories ? nothing : sql`and n.kind <> ${sql.lit(kinds.category.number)}`})`
  const hashed = (keys: readonly string[]) => hashKeys(sql`${keys}`, house)
  const laterals = words.map(({ exact, forms, parts: others }, at) => {
    const [w, x] = [sql.ref(`w${at}`), sql.ref(`x${at}`)]
    return sql`
      cross join lateral (select ${hashed(exact)} as e, ${hashed(forms)} as f, ${hashed(others)} as p offset 0) ${w}
      cross join lateral (select ${named(sql`n.keys && ${w}.e`)} as le, ${named(sql`n.keys && (${w}.f || ${w}.p)`)} as lp offset 0) ${x}`
  })
  const ofPhrases = phrases.map(({ keys, pattern }, at) => {
    const [v, y] = [sql.ref(`v${at}`), sql.ref(`y${at}`)]
    return sql`
      cross join lateral (select ${hashed(keys)} as k offset 0) ${v}
      cross join lateral (select ${named(sql`n.keys && ${v}.k and n.words ~ ${pattern}`)} as l offset 0) ${y}`
  })
  const gone = hashed(without.keys)
  const pattern = without.patterns.length === 0 ? nothing : sql`or n.words ~ ${without.patterns.join('|')}`
  const selected = [
    ...words.flatMap((_, at) => {
      const of = (table: string, column: string) => sql.ref(`${table}${at}.${column}`)
      const words = sql`${of('w', 'e')} || ${of('w', 'f')} || ${of('w', 'p')}`
      const links = sql`${of('x', 'le')} || ${of('x', 'lp')}`
      const isMany = sql`cardinality(${links}) > ${sql.lit(mostCompared)}`
      const all = sql`case when ${isMany} then ${words} else ${words} || ${links} end`
      const linked = sql`array(select o.item_id from unnest(case when ${isMany} then ${links} end) each (link)
        cross join lateral (
          select o.item_id from catalogue.search_items o where o.house_id = ${house.id} and o.keys @> array[each.link] offset 0) o)`
      return [
        sql`${of('w', 'e')} as ${sql.ref(`e${at}`)}, ${of('w', 'f')} as ${sql.ref(`f${at}`)}, ${of('w', 'p')} as ${sql.ref(`p${at}`)}, ${of('x', 'le')} as ${sql.ref(`le${at}`)}, ${all} as ${sql.ref(`any${at}`)}, ${linked} as ${sql.ref(`linked${at}`)}`,
      ]
    }),
    ...phrases.map(
      (_, at) =>
        sql`${sql.ref(`v${at}.k`)} || ${sql.ref(`y${at}.l`)} as ${sql.ref(`phrase${at}`)}, ${sql.ref(`y${at}.l`)} as ${sql.ref(`named${at}`)}`,
    ),
    sql`g.k || ${named(sql`(n.keys && g.k ${pattern})`)} as gone`,
  ]
  return sql`asked as materialized (
      select ${sql.join(selected)} from (select ${gone} as k offset 0) g ${sql.join([...laterals, ...ofPhrases], sql` `)})`
}

const ask = (name: string) => sql`(select ${sql.ref(name)} from asked)`

// The conditions on the index `x` of a record: every word but one, every phrase, and nothing that is taken away.
function isFound({ words, phrases, without }: Plan, except?: number): RawBuilder<unknown>[] {
  return [
    ...words.flatMap((_, at) =>
      at === except ? [] : [sql`(x.keys && ${ask(`any${at}`)} or x.item_id = any(${ask(`linked${at}`)}::bigint[]))`],
    ),
    ...phrases.map(
      ({ pattern }, at) =>
        sql`x.keys && ${ask(`phrase${at}`)} and (x.words ~ ${pattern} or x.keys && ${ask(`named${at}`)})`,
    ),
    ...(hasWithout({ without })
      ? [
          sql`not x.keys && ${ask('gone')}`,
          ...(without.patterns.length > 0 ? [sql`x.words !~ ${without.patterns.join('|')}`] : []),
        ]
      : []),
  ]
}

const hasWithout = ({ without }: Pick<Plan, 'without'>) => without.keys.length + without.patterns.length > 0

// Ranks by the best way in which each word is found, then by words that stand beside each other.
function scoreOf({ words, number, reference }: Plan, kind: SearchedKind, house: Context['house']): RawBuilder<unknown> {
  // Comparing two arrays takes the product of their lengths, for each of 10,000 records.
  const few = (name: string) => sql`cardinality(${ask(name)}) <= ${sql.lit(mostCompared)}`
  const ofWord = ({ weight }: Word, at: number) => sql`coalesce(${weight}::int * case
          when x.title_keys && ${ask(`e${at}`)} or ${few(`le${at}`)} and x.keys && ${ask(`le${at}`)} then 12 when x.keys && ${ask(`e${at}`)} then 8
          when x.title_keys && ${ask(`f${at}`)} then 6 when x.keys && ${ask(`f${at}`)} then 5
          when ${few(`p${at}`)} and x.title_keys && ${ask(`p${at}`)} then 3 else 2 end, 0)`
  const near = words.slice(1).map((word, at) => {
    const [one, other] = [`|${words[at]!.exact[0]}|`, `|${word.exact[0]}|`]
    return sql`coalesce(case when strpos(x.words, ${`${one} ${other}`}) > 0 then 40
          when strpos(x.words, ${one}) > 0 and strpos(x.words, ${other}) > 0
            and abs(strpos(x.words, ${one}) - strpos(x.words, ${other})) < 60 then 15 end, 0)`
  })
  const referred = sql`case when n.item_id = (
          select id from catalogue.items where house_id = ${house.id} and external_reference = ${reference}) then 1000000 else 0 end`
  const numbered =
    kind === 'lot' && number !== null
      ? [sql`case when n.lot_number::text = ${number} then case when n.is_open then 300000 else 200000 end else 0 end`]
      : []
  return sql.join([...words.map(ofWord), ...near, referred, ...numbered], sql` + `)
}

/**
 * The statement that finds a page of the matches. It evaluates the filters on the records themselves, so the index says
 * nothing but which texts have which words.
 */
function matchesStatement({ house, now }: Shown, search: Search): RawBuilder<Matches> {
  const { kind, plan, filters, sorting, facets, after, limit, categories } = search
  const conditions = listConditions({ house, now }, kind, filters)
  const deferred = facets.filter((facet) => conditions.has(filterOf[facet]))
  const flags = deferred.map((facet) => sql`, ${conditions.get(filterOf[facet])!} as ${passes(facet)}`)
  for (const facet of deferred) conditions.delete(filterOf[facet])
  const isRanked = sorting?.by === 'relevance'
  const open = kind === 'lot' ? sql`, ${isOpen({ house, now })} as is_open` : nothing
  const rank = sorting && !isRanked ? sql`, ${rankOf(kind, sorting)} as rank` : nothing
  const name = sql.ref(shortOf[kind])
  const where = [sql`${name}.house_id = ${house.id}`, sql`not ${name}.archived`, ...conditions.values()]
  const isIndexed = plan !== undefined && plan.words.length + plan.phrases.length > 0
  const index = sql`catalogue.search_items x on x.house_id = ${house.id} and x.item_id = ${itemOf[kind]}`
  const row = sql`select ${columns[kind]} ${open} ${rank} ${sql.join(flags, sql` `)}`
  const from = tables[kind](house, search)
  const rows = (more: RawBuilder<unknown>, found: RawBuilder<unknown>[]) =>
    sql`${row} from ${from} ${more} where ${sql.join([...where, ...found], sql` and `)}`
  const branches: RawBuilder<unknown>[] = []
  if (plan === undefined) branches.push(rows(nothing, []))
  else if (isIndexed) branches.push(rows(sql`join ${index}`, isFound(plan)))
  else
    branches.push(
      rows(nothing, [
        sql`not exists (select from catalogue.search_items x where x.house_id = ${house.id} and x.item_id = ${itemOf[kind]}
          and not (${sql.join(isFound(plan), sql` and `)}))`,
      ]),
    )
  if (plan?.numbered && kind === 'lot') {
    const number = sql`coalesce(l.lot_number, 2147483648) = ${plan.numbered.number}::bigint`
    const others = isFound(plan, plan.numbered.at)
    branches.push(rows(others.length > 0 ? sql`join ${index}` : nothing, [number, ...others]))
  }
  const isAll = plan === undefined && facets.length === 0
  const passed = sql.join([sql`true`, ...deferred.map(passes)], sql` and `)
  const newest = isRanked || facets.length > 0 ? sql`order by created desc, id desc` : nothing
  const scored = isRanked
    ? sql`, scored as materialized (
      select n.*, -(${scoreOf(plan!, kind, house)}) as rank
      from (select * from newest order by created desc, id desc limit ${sql.lit(mostMatches)}) n
      left join catalogue.search_items x on x.house_id = ${house.id} and x.item_id = n.item_id)`
    : nothing
  const { compare, direction } = listOrder[kind]
  const turned = isRanked && sorting.descending ? sql`rank desc,` : sorting ? sql`rank,` : nothing
  const rankCompare = isRanked && sorting.descending ? sql`<` : sql`>`
  const tie = after && sql`(place, uuid) ${compare} (${after.place}::${typeOfPlace[kind]}, ${after.id}::uuid)`
  const further = !after
    ? nothing
    : sorting
      ? sql`and (rank ${rankCompare} ${after.rank}::bigint or rank = ${after.rank}::bigint and ${tie})`
      : sql`and ${tie}`
  const source = isRanked ? sql`scored` : sql`matches`
  return sql<Matches>`
    with ${plan === undefined ? nothing : sql`${asked(house, plan, categories)},`}
    matches as ${sql.raw(isAll ? 'not materialized' : 'materialized')} (${sql.join(branches, sql` union `)}),
    newest as ${sql.raw(isRanked ? 'materialized' : 'not materialized')} (
      select * from matches where ${passed} ${newest} limit ${sql.lit(mostMatches + 1)})
    ${scored}
    select (select count(*)::int from newest) as count,
      ${facets.length === 0 ? sql`null` : countFacets({ house }, facets, deferred, filters)} as facets,
      (select coalesce(json_agg(json_build_object('row', p.id::text, 'rank', ${sorting ? sql`p.rank::text` : sql`null`}, 'place', p.place::text, 'id', p.uuid)
          order by ${sorting ? sql`p.` : nothing}${turned} p.place ${direction}, p.uuid ${direction}), '[]')
        from (select * from ${source} where ${passed} ${further}
          order by ${turned} place ${direction}, uuid ${direction} limit ${sql.lit(limit + 1)}) p) as page`
}

// More records than these are not all archived, mostly. Looking at each word would take time.
const mostLookedAt = 1_000

/**
 * Which words of a plan stand in a record that can be read: an item, perhaps an archived one of a lot, or the name of a
 * maker or a category. A word of many records does. `records`: of each word, archived ones too.
 */
export async function findReadable(
  context: Timed,
  plan: Plan,
  records: readonly number[],
  categories: boolean,
): Promise<boolean[]> {
  const { house } = context
  const isSure = (count: number) => count === 0 || count > mostLookedAt
  if (records.every(isSure)) return records.map((count) => count > 0)
  const readable = records.map((count, at) =>
    isSure(count)
      ? sql`${count > 0}::boolean`
      : sql`(cardinality(${ask(`le${at}`)}) > 0 or exists (
        select from catalogue.search_items x join catalogue.items i on i.house_id = ${house.id} and i.id = x.item_id
        where x.house_id = ${house.id} and (x.keys && ${ask(`any${at}`)} or x.item_id = any(${ask(`linked${at}`)}::bigint[]))
          and (not i.archived or exists (
            select from catalogue.lots l where l.house_id = ${house.id} and l.item_id = i.id and not l.archived))))`,
  )
  const { rows } = await executeBriefly<{ readable: boolean[] }>(
    context,
    sql`with ${asked(house, { ...plan, phrases: [], without: { keys: [], patterns: [] } }, categories)}
    select array[${sql.join(readable)}] as readable`,
  )
  return rows[0]!.readable
}

/** Finds a page of matches. */
export async function findMatches(context: Timed, search: Search): Promise<Matches> {
  const { rows } = await executeBriefly(context, matchesStatement(context, search))
  return rows[0]!
}

function executeBriefly<Row>({ db, until }: Timed, statement: RawBuilder<Row>) {
  return db.transaction().execute(async (tx) => {
    // Zero would be no limit.
    const left = Math.max(1, Math.ceil(until - performance.now()))
    await sendAhead(tx, sql`select set_config('statement_timeout', ${String(left)}, true)`)
    return statement.execute(tx)
  })
}
