import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { kinds } from '../kinds.ts'
import { idOf } from '../reads/documents.ts'
import { filterOf, type Facet, type Filters } from './filters.ts'

/** A value of a facet, and how many records have it. */
export type FacetValue = { value: string; name: string | null; count: number }

const mostValues = 50
const mostCounted = 10_000

type House = Context['house']
type Counted = (house: House, rows: RawBuilder<unknown>) => RawBuilder<unknown>

const nameIn = (column: string, { defaultLocale }: House) => sql`${sql.ref(column)} ->> ${defaultLocale}`

// Each selects `value`, `name`, `id` (the bare UUID of a record) and `count` of the rows.
const counts: Record<Facet, Counted> = {
  category: (house, rows) => sql`
      select ${idOf('category', 'c')} as value, ${nameIn('c.names', house)} as name, c.public_id::text as id, n.count
      from (
        select above.ancestor, count(distinct r.id)::int as count from ${rows} r
        join catalogue.item_categories link on link.house_id = ${house.id} and link.item_id = r.item_id
        join (
          with recursive up (id, ancestor) as (
            select id, id from catalogue.categories where house_id = ${house.id}
            union select up.id, p.parent_id from up
              join catalogue.categories p on p.house_id = ${house.id} and p.id = up.ancestor and p.parent_id is not null
          ) select * from up
        ) above on above.id = link.category_id group by 1
      ) n join catalogue.categories c on c.house_id = ${house.id} and c.id = n.ancestor`,
  maker: (house, rows) => sql`
      select ${idOf('maker', 'm')} as value, m.name, m.public_id::text as id, n.count
      from (
        select link.maker_id, count(distinct r.id)::int as count from ${rows} r
        join catalogue.item_makers link on link.house_id = ${house.id} and link.item_id = r.item_id group by 1
      ) n join catalogue.makers m on m.house_id = ${house.id} and m.id = n.maker_id`,
  session: (house, rows) => sql`
      select ${idOf('session', 's')} as value, ${nameIn('s.titles', house)} as name, s.public_id::text as id, n.count
      from (select session_id, count(*)::int as count from ${rows} r group by 1) n
      join catalogue.sessions s on s.house_id = ${house.id} and s.id = n.session_id`,
  result: (_, rows) => sql`
      select coalesce(r.result_state, 'none') as value, null::text as name, coalesce(r.result_state, 'none') as id, count(*)::int as count
      from ${rows} r group by r.result_state`,
  open: (_, rows) => sql`
      select r.is_open::text as value, null::text as name, r.is_open::text as id, count(*)::int as count
      from ${rows} r group by r.is_open`,
}

// The values that a filter names. They are shown even if no record has them, but then without their names, which the
// other filters may hide.
function listNamed(facet: Facet, values: string[]): RawBuilder<unknown> {
  const prefix = facet === 'result' || facet === 'open' ? '' : `${kinds[facet].prefix}_`
  return sql`
      select ${sql.lit(prefix)} || value as value, null::text as name, value as id, 0 as count from unnest(${values}::text[]) value`
}

/** The name of the column that says whether a match passes the filter of a facet. */
export const passes = (facet: Facet) => sql.ref(`passes_${facet}`)

/**
 * A JSON object of the facets, counted over the rows of `matches` that all filters leave but the facet's own. Beyond
 * 10,000 rows only those that were created last count.
 */
export function countFacets(
  { house }: Pick<Context, 'house'>,
  facets: readonly Facet[],
  deferred: readonly Facet[],
  filters: Filters,
): RawBuilder<unknown> {
  const parts = facets.map((facet) => {
    const others = deferred.filter((each) => each !== facet).map((each) => sql`and ${passes(each)}`)
    const rows = sql`(select * from matches where true ${sql.join(others, sql` `)} order by created desc, id desc limit ${sql.lit(mostCounted)})`
    const chosen = [filters[filterOf[facet]] ?? []].flat().map(String)
    const counted =
      chosen.length === 0
        ? counts[facet](house, rows)
        : sql`select value, max(name) as name, id, max(count)::int as count from (
      select * from (${counts[facet](house, rows)}) counted union all ${listNamed(facet, chosen)}) each group by value, id`
    return sql`${sql.lit(facet)}, (
    select coalesce(json_agg(json_build_object('value', value, 'name', name, 'count', count) order by count desc, value), '[]')
    from (select *, row_number() over (order by count desc, value) as place from (${counted}) counted where value is not null) ranked
    where place <= ${sql.lit(mostValues)} or id = any(${chosen}::text[]))`
  })
  return sql`json_build_object(${sql.join(parts)})`
}
