import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import type { Clause, Question } from './questions.ts'

/** A value of a facet. */
export type FacetValue = { value: string; name: string | null; count: number }

/** What a search must find. Ids are bare, in the order that the question asks for; by relevance their order is open. */
export type Answer = { ids: string[]; facets: Record<string, FacetValue[]> }

const texts = ['title', 'description', 'condition', 'dimensions'] as const
const columns = (as: string, names: readonly string[] = texts) =>
  sql.raw(names.map((name) => `${as}.${name}`).join(', '))

// Plain SQL about the whole house, in which each record has a column for each filter.
const records = (kind: Question['kind'], house: string, isStaff: boolean, now: Date) => sql`
  with recursive above as (
    select id, id as above from catalogue.categories where house_id = ${house}
    union
    select above.id, parent_id from above join catalogue.categories c on c.id = above.above and c.house_id = ${house}
    where parent_id is not null),
  item as (
    select i.*, coalesce(estimate_low, estimate_high) as low, coalesce(estimate_high, estimate_low) as high,
      exists (select from catalogue.images p where p.item_id = i.id and p.house_id = ${house} and p.public) as images,
      array(select distinct m.public_id from catalogue.item_makers link join catalogue.makers m on m.id = link.maker_id
        where link.item_id = i.id and link.house_id = ${house} and m.house_id = ${house}) as maker,
      array(select distinct c.public_id from catalogue.item_categories link join above on above.id = link.category_id
        join catalogue.categories c on c.id = above.above
        where link.item_id = i.id and link.house_id = ${house} and c.house_id = ${house}) as category,
      (select public_id from catalogue.sellers s where s.id = i.seller_id and s.house_id = ${house}) as seller,
      (select public_id from catalogue.consignments c where c.id = i.consignment_id and c.house_id = ${house}) as consignment,
      (select case when count(*) = 0 then 'never' when bool_or(result_state is null) then 'open'
          when bool_or(result_state = 'sold') then 'sold' else 'unsold' end
        from catalogue.lots l where l.item_id = i.id and l.house_id = ${house} and not l.archived) as offered,
      case when concat(${columns('i', [...texts, 'weight'])}) > '' then array['nl'] else '{}' end || array(
        select locale from catalogue.item_translations t
        where t.item_id = i.id and t.house_id = ${house} and concat(${columns('t', [...texts, 'weight'])}) > '') as languages,
      lower(concat_ws(' | ', '', ${columns('i')}, external_reference,
        (select string_agg(concat_ws(' | ', ${columns('t')}), ' | ')
          from catalogue.item_translations t where t.item_id = i.id and t.house_id = ${house}),
        (select string_agg(m.name, ' | ') from catalogue.item_makers link join catalogue.makers m on m.id = link.maker_id
          where link.item_id = i.id and link.house_id = ${house} and m.house_id = ${house}),
        (select string_agg(name, ' | ') from catalogue.item_categories link
          join catalogue.categories c on c.id = link.category_id cross join jsonb_each_text(c.names) names (locale, name)
          where link.item_id = i.id and link.house_id = ${house} and c.house_id = ${house} and ${sql.lit(isStaff)}), '')) as words
    from catalogue.items i where house_id = ${house}),
  record as materialized (
    ${
      kind === 'items'
        ? sql`select public_id as id, created_at, low, high, images, maker, category, seller, consignment, offered, languages, words
    from item where not archived`
        : sql`
    select l.public_id as id, l.lot_number, coalesce(l.active, false) as active, l.held, l.current_bid, l.created_at,
      coalesce(l.result_state, 'none') as result, s.public_id as session, a.public_id as auction,
      s.published and not s.hidden and a.published as published, closing.closes_at,
      coalesce(l.active and l.result_state is null and not s.finished and closing.closes_at > ${now}, false) as open,
      item.low, item.high, item.images, item.maker, item.category, item.seller, item.consignment,
      concat(item.words, '| ', l.lot_number, ' |') as words
    from catalogue.lots l
    join item on item.id = l.item_id
    join catalogue.sessions s on s.id = l.session_id and s.house_id = ${house}
    join catalogue.auctions a on a.id = s.auction_id and a.house_id = ${house}
    cross join lateral (select case when s.kind = 'live' then s.live_closes_at else l.closes_at end) closing (closes_at)
    where l.house_id = ${house} and not l.archived`
    })`

const column = (name: string) => sql.ref(name.replace('[]', ''))

function conditionOf(name: string, value: string | string[]): RawBuilder<unknown> {
  const own = column(name)
  if (Array.isArray(value)) return sql`${own} && ${value}::uuid[]`
  if (name === 'estimate_from') return sql`high >= ${value}::bigint`
  if (name === 'estimate_to') return sql`low <= ${value}::bigint`
  // Lots without a number are the last ones.
  if (name === 'number_from') return sql`coalesce(lot_number >= ${value}::int, true)`
  if (name === 'number_to') return sql`lot_number <= ${value}::int`
  if (name === 'bids') return sql`(current_bid is not null) = ${value}::boolean`
  if (name === 'without' && value === 'image') return sql`not images`
  if (name === 'without' && value === 'estimate') return sql`low is null`
  if (name === 'without') return sql`${value} <> all(languages)`
  return sql`${own}::text = ${value}`
}

const matchOf = ({ how, text }: Clause) => {
  if (how === 'without') return sql`strpos(words, ${` ${text} `}) = 0`
  return sql`strpos(words, ${how === 'beginning' ? ` ${text}` : ` ${text} `}) > 0`
}

const allOf = (conditions: RawBuilder<unknown>[]) => sql.join([sql`true`, ...conditions], sql` and `)

function orderOf({ kind, sort }: Question): RawBuilder<unknown> {
  const list = kind === 'items' ? sql`created_at desc, id desc` : sql`lot_number nulls last, id`
  if (sort === undefined) return list
  const by = sort.replace('-', '')
  return sql`${column(by === 'estimate' ? 'low' : by)} ${sql.raw(sort.startsWith('-') ? 'desc' : '')} nulls last, ${list}`
}

const names: Record<string, RawBuilder<unknown>> = {
  maker: sql`(select name from catalogue.makers r where r.public_id = value)`,
  category: sql`(select names ->> 'nl' from catalogue.categories r where r.public_id = value)`,
  session: sql`(select titles ->> 'nl' from catalogue.sessions r where r.public_id = value)`,
}
const prefixes: Record<string, string> = { maker: 'mkr_', category: 'cat_', session: 'ses_' }

function countFacet(facet: string, others: RawBuilder<unknown>): RawBuilder<unknown> {
  const values =
    facet === 'maker' || facet === 'category' ? sql`unnest(${column(facet)})` : sql`lateral (select ${column(facet)})`
  return sql`(select coalesce(json_agg(json_build_object('value', value::text, 'name', ${names[facet] ?? sql`null`}, 'count', count)
      order by count desc, value::text), '[]')
    from (select value, count(*) from record cross join ${values} each (value) where ${others} group by value) counted)`
}

/** What plain SQL answers to a question about a house, at a moment. It shares nothing with the search. */
export async function answer(db: Database, house: string, question: Question, now: Date): Promise<Answer> {
  const { kind, isStaff, clauses, filters, facets } = question
  const words = clauses.map(matchOf)
  const conditions = Object.entries(filters).map(([name, value]) => ({ name, is: conditionOf(name, value) }))
  const all = allOf([...words, ...conditions.map(({ is }) => is)])
  const counts = facets.map((facet) => {
    const others = conditions.filter(({ name }) => name.replace('[]', '') !== facet).map(({ is }) => is)
    return sql`${sql.lit(facet)}, ${countFacet(facet, allOf([...words, ...others]))}`
  })
  const { rows } = await sql<{ ids: string[]; facets: Record<string, FacetValue[]> }>`
    ${records(kind, house, isStaff, now)}
    select array(select id::text from record where ${all} order by ${orderOf(question)}) as ids,
      json_build_object(${sql.join(counts)}) as facets`.execute(db)
  const shown = facets.map((facet) => {
    const chosen = [filters[facet] ?? filters[`${facet}[]`] ?? []].flat()
    const counted: FacetValue[] = rows[0]!.facets[facet]!
    const absent = chosen.filter((id) => !counted.some(({ value }) => value === id)).toSorted()
    const values = [...counted, ...absent.map((value) => ({ value, name: null, count: 0 }))]
    const most = values.filter(({ value }, at) => at < 50 || chosen.includes(value))
    return [facet, most.map((each) => ({ ...each, value: `${prefixes[facet] ?? ''}${each.value}` }))]
  })
  return { ids: rows[0]!.ids, facets: Object.fromEntries(shown) as Answer['facets'] }
}
