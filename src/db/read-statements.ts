import { sql, type RawBuilder } from 'kysely'
import { behind, inOrder, type Keyset } from './keyset.ts'
import { compile, shareText, type ListSelection, type PageRequest, type Selection } from './selections.ts'

/** A statement for several askers at once. Its parameters are constants, or the askers' values of a column. */
export type Statement = { text: string; parameters: readonly unknown[] }

/** A parameter that stands for a column of values, one of each asker. */
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

const isList = (selection: Selection): selection is ListSelection => 'order' in selection

/** The condition on the rows of a selection's table. The statement must have a row `asked` with the values as text. */
export function conditionOn({ documents, where }: Selection): RawBuilder<unknown> {
  const parts = where.split('$house')
  const condition = sql(parts as unknown as TemplateStringsArray, ...parts.slice(1).map(() => documents.house))
  return sql`${sql.ref(documents.as)}.house_id = ${documents.house} and ${condition}`
}

// The rows that each asker wants, found before anything is joined to them.
function foundRows(selection: Selection, columns: string[], page: PageRequest | undefined): RawBuilder<unknown> {
  const { documents } = selection
  const name = sql.ref(documents.as)
  const rows = (more: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
      select ${name}.* ${more} from ${documents.table} ${name} where ${conditionOn(selection)} ${end}`
  const all = [...columns, 'known']
  const arrays = all.map((_, at) => sql`${new Column(at)}::text[]`)
  return sql`(
    select asked.n::int as asked_n, asked.known as asked_known, page.*
    from unnest(${sql.join(arrays)}) with ordinality asked (${sql.raw([...all, 'n'].join(', '))})
    cross join lateral (${
      page && isList(selection)
        ? sql`
      select page.*, row_number() over (${orderOf(selection.order)}) as page_place from (${rows(
        sql`, ${selection.order.sort} as sort, ${selection.order.id} as position_id`,
        sql`${behind(selection.order, page.after)} ${inOrder(selection.order, page.limit + 1)}`,
      )}) page`
        : rows(sql`, 1 as page_place`, sql`offset 0`)
    }) page) ${name}`
}

function orderOf({ direction }: Keyset): RawBuilder<unknown> {
  return sql`order by page.sort ${sql.raw(direction)}, page.position_id ${sql.raw(direction)}`
}

const nothing = sql``

/** Finds the present tag of each asker's records, without building a document. */
export function checkStatement(selection: Selection, columns: string[], page: PageRequest | undefined): Statement {
  const { as, tag, parents = nothing } = selection.documents
  const name = sql.ref(as)
  return toStatement(sql`
    select ${name}.asked_n as n, string_agg(${tag}, ' ' order by ${name}.page_place) as tag
    from ${foundRows(selection, columns, page)} ${parents} group by ${name}.asked_n`)
}

/**
 * Reads each asker's records, with the documents that the asker does not know. The row after the last one only tells that
 * there is one.
 */
export function buildStatement(selection: Selection, columns: string[], page: PageRequest | undefined): Statement {
  const { as, tag, parents = nothing, joins, store } = selection.documents
  const name = sql.ref(as)
  const position = (column: string) =>
    page
      ? sql`case when ${name}.page_place = ${sql.lit(page.limit)} then ${name}.${sql.ref(column)}::text end`
      : sql`null`
  return toStatement(sql`
    select ${name}.asked_n as n, ${name}.page_place::int as place, ${tag} as tag, document.json, document.defect, document.unready,
      ${position('sort')} as sort, ${position('position_id')} as position_id
    from ${foundRows(selection, columns, page)} ${parents}
    left join lateral (
      select document.json::text as json, document.defect, ${store ? sql`document.unready` : sql`null`} as unready
      from (select) one ${joins}
      where strpos(${name}.asked_known, ' ' || ${tag} || ' ') = 0 ${page ? sql`and ${name}.page_place <= ${sql.lit(page.limit)}` : nothing}
      offset 0
    ) document on true`)
}
