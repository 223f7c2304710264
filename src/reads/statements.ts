import { sql, type RawBuilder } from 'kysely'
import { behind, inOrder, type Keyset } from './keyset.ts'
import { refuse } from '../db/refusal.ts'
import { compile } from '../db/compile.ts'
import { shareText, type ListSelection, type PageRequest, type Selection } from './selections.ts'

/** A statement for several calls at once. Its parameters are constants, or columns with a value of each call. */
export type Statement = { text: string; parameters: readonly unknown[] }

/** A parameter for a column of values, one of each call. */
export class Column {
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
}

function toStatement(fragment: RawBuilder<unknown>): Statement {
  const { text, parameters } = compile(fragment)
  return { text: shareText(text).text, parameters }
}

/** Whether the selected records have an order. */
export const isList = (selection: Selection): selection is ListSelection => 'order' in selection

/** SQL like that of a selection, with a value in the place of each name: of `$house`, or of `asked.name`. */
export function fillIn(text: string, values: Record<string, unknown>): RawBuilder<unknown> {
  const [name, ...others] = Object.keys(values)
  if (name === undefined) return sql.raw(text)
  const { [name]: value, ...rest } = values
  return sql.join(
    text.split(name).map((part) => (others.length > 0 ? fillIn(part, rest) : sql.raw(part))),
    sql`${value}`,
  )
}

const insertHouse = (text: string, { documents: { house } }: Selection) => fillIn(text, { $house: house })

/** The condition on the rows of a selection's table. The statement must have a row `asked` with the values as text. */
export function conditionOn(selection: Selection): RawBuilder<unknown> {
  const { documents, where } = selection
  return sql`${sql.ref(documents.as)}.house_id = ${documents.house} and ${insertHouse(where, selection)}`
}

const nothing = sql``

// One row for each call, with its number and its values.
function askers(selection: Selection, columns: string[]): RawBuilder<unknown> {
  const all = [...columns, 'known']
  const arrays = all.map((_, at) => sql`${new Column(at)}::text[]`)
  return sql`unnest(${sql.join(arrays)}) with ordinality asked (${sql.raw([...all, 'n'].join(', '))})
    ${selection.parents === undefined ? nothing : insertHouse(selection.parents, selection)}`
}

// A page of documents with a size ends with the row that brings it to this many bytes.
const mostBytes = 6 * 1024 * 1024

const parentsOf = ({ documents, parents }: Selection) =>
  parents === undefined ? (documents.parents ?? nothing) : nothing

// The rows of one call, found before anything is joined to them; for a page with their position in its order.
function foundRows(selection: Selection, page: PageRequest | undefined): RawBuilder<unknown> {
  const { documents } = selection
  const name = sql.ref(documents.as)
  const rows = (more: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
      select ${name}.* ${more} from ${documents.table} ${name} where ${conditionOn(selection)} ${end}`
  if (!page || !isList(selection)) return sql`(${rows(nothing, sql`offset 0`)}) ${name}`
  const { order } = selection
  const found = sql`(${rows(
    sql`, ${order.sort} as sort, ${order.id} as position_id${order.tie ? sql`, ${order.tie.column} as tie, ${order.tie.uuid} as position_tie` : nothing}`,
    sql`${behind(order, page.after)} ${inOrder(order, page.limit + 1)}`,
  )}) ${name}`
  return documents.size === undefined ? found : cutPage(found, selection, documents.size, page.limit)
}

// Keeps the rows of the page, whose number is `page_limit`, and the one after it.
function cutPage(
  found: RawBuilder<unknown>,
  { documents, order }: ListSelection,
  size: RawBuilder<unknown>,
  limit: number,
) {
  const name = sql.ref(documents.as)
  const sum = (last: string) =>
    sql`coalesce(sum(${size}) over (${orderOf(order, name)} rows between unbounded preceding and ${sql.raw(last)}), 0)`
  return sql`(
      select ${name}.*, least(count(*) filter (where ${name}.bytes_before < ${sql.lit(mostBytes)}) over (), ${sql.lit(limit)}) as page_limit
      from (select ${name}.*, ${sum('1 preceding')} as bytes_before, ${sum('2 preceding')} as bytes_earlier from ${found}) ${name}
      where ${name}.bytes_earlier < ${sql.lit(mostBytes)}) ${name}`
}

function orderOf({ direction, tie }: Keyset, name: RawBuilder<unknown>): RawBuilder<unknown> {
  const last = tie ? sql`, ${name}.tie ${sql.raw(direction)}` : nothing
  return sql`order by ${name}.sort ${sql.raw(direction)}, ${name}.position_id ${sql.raw(direction)}${last}`
}

/** Finds the present tags of each call's records, without building a document. */
export function checkStatement(selection: Selection, columns: string[], page: PageRequest | undefined): Statement {
  const { as, tag } = selection.documents
  const inOrder = page && isList(selection) ? orderOf(selection.order, sql.ref(as)) : nothing
  return toStatement(sql`
    select asked.n::int as n, found.tag
    from ${askers(selection, columns)}
    cross join lateral (
      select string_agg(${tag}, ' ' ${inOrder}) as tag from ${foundRows(selection, page)} ${parentsOf(selection)}
    ) found`)
}

/**
 * Reads each call's records, with the documents that it does not know. One row after the page shows that more follow.
 */
export function buildStatement(selection: Selection, columns: string[], page: PageRequest | undefined): Statement {
  const { as, tag, joins, store, size } = selection.documents
  const name = sql.ref(as)
  const limit = size === undefined ? sql.lit(page?.limit) : sql`${name}.page_limit`
  const list = page && isList(selection) && { limit, order: orderOf(selection.order, name) }
  const isTied = isList(selection) && selection.order.tie !== undefined
  const position = (column: string) =>
    list ? sql`case when ${name}.page_place = ${list.limit} then ${name}.${sql.ref(column)}::text end` : sql`null`
  return toStatement(sql`
    select asked.n::int as n, ${name}.page_place::int as place, ${tag} as tag, document.json, document.defect, document.unready,
      ${position('sort')} as sort, ${position('position_id')} as position_id${isTied ? sql`, ${position('position_tie')} as position_tie` : nothing}
    from ${askers(selection, columns)}
    cross join lateral (
      select ${name}.*, ${list ? sql`row_number() over (${list.order})` : sql`1`} as page_place from ${foundRows(selection, page)}
    ) ${name} ${parentsOf(selection)}
    left join lateral (
      select document.json::text as json, document.defect, ${store ? sql`document.unready` : sql`null`} as unready
      from (select) one ${joins}
      where strpos(asked.known, ' ' || ${tag} || ' ') = 0 ${list ? sql`and ${name}.page_place <= ${list.limit}` : nothing}
      offset 0
    ) document on true`)
}

/** Reads the records of one call, whose columns are single values. */
export function readStatement(selection: Selection, columns: string[]): Statement {
  return toStatement(readOfOne(selection, columns))
}

function readOfOne(selection: Selection, columns: string[]): RawBuilder<unknown> {
  const values = columns.map((name, at) => sql`${new Column(at)}::text as ${sql.ref(name)}`)
  return sql`
    select ${selection.documents.tag} as tag, document.json::text as json, document.defect
    from (select ${sql.join(values)}) asked
      ${selection.parents === undefined ? nothing : insertHouse(selection.parents, selection)}
    cross join lateral ${foundRows(selection, undefined)} ${parentsOf(selection)} ${selection.documents.joins}`
}

/** Reads one record. If it finds another number of records or a defect, the statement fails, and COMMIT with it. */
export function lastStatement(selection: Selection, columns: string[]): Statement {
  return toStatement(sql`
    select min(tag) as tag, min(json) as json,
      case when count(*) <> 1 then ${refuse(sql`count(*)`)} when count(defect) > 0 then ${refuse(sql`min(defect)`)} end as refused
    from (${readOfOne(selection, columns)}) written`)
}
