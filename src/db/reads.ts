import { createQueryId, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'
import type { Context, House } from '../context.ts'
import { Problem } from '../problems.ts'
import { behind, inOrder, type Keyset, type Position } from './keyset.ts'
import type { Database } from './pool.ts'

/** Which part of a list is wanted: at most `limit` records behind a position. */
export type PageRequest = { limit: number; after: Position | undefined }

/** A page: the JSON text of each record, and where the next page begins, if there is one. */
export type Page = { documents: string[]; next: Position | undefined }

/** A table `as` a name, and what is joined to each of its rows: a lateral `document` with the columns json and defect. */
export type Documents = { table: RawBuilder<unknown>; as: string; joins: RawBuilder<unknown> }

/**
 * Makes the documents of a house with a set of expansions once, and flat: building and compiling them anew would be a
 * third of what a small read costs this process. Nothing of a request but its house and mediaBase may go into them.
 */
export function makeOnce<Expansion extends string>(
  make: (context: Context, expand: readonly Expansion[]) => Documents,
): (context: Context, expand?: readonly Expansion[]) => Documents {
  const made = new WeakMap<House, Map<string, Documents>>()
  return (context, expand = []) => {
    const ofHouse = made.get(context.house) ?? new Map<string, Documents>()
    made.set(context.house, ofHouse)
    const name = [context.mediaBase, ...[...new Set(expand)].toSorted()].join(' ')
    const known = ofHouse.get(name)
    if (known) return known
    const documents = make(context, expand)
    const flat = { ...documents, joins: flatten(documents.joins) }
    ofHouse.set(name, flat)
    return flat
  }
}

// The same text and parameters without the tree of fragments they came from.
function flatten(fragment: RawBuilder<unknown>): RawBuilder<unknown> {
  const compiled = new PostgresQueryCompiler().compileQuery(fragment.toOperationNode(), createQueryId())
  return sql(compiled.sql.split(/\$\d+/) as unknown as TemplateStringsArray, ...compiled.parameters)
}

type Row = { json: string; defect: string | null }

// The one place that decides it for all resources: a page or record with a defect is not shown at all.
function show(row: Row): string {
  if (row.defect !== null) throw new Problem('integrity-unavailable', `A record ${row.defect}.`)
  return row.json
}

/**
 * Reads one page in one statement: the rows first, by one walk along an index, then only their documents.
 * @throws Problem integrity-unavailable when a record of the page can't be shown truthfully
 */
export async function readPage(
  db: Database,
  { table, as, joins }: Documents,
  where: RawBuilder<unknown>,
  order: Keyset,
  page: PageRequest,
): Promise<Page> {
  const name = sql.ref(as)
  const { rows } = await sql<Row & { sort: string; position_id: string }>`
    select document.json::text as json, document.defect, ${name}.sort::text as sort, ${name}.position_id::text as position_id
    from (
      select ${name}.*, ${order.sort} as sort, ${order.id} as position_id from ${table} ${name}
      where ${where} ${behind(order, page.after)} ${inOrder(order, page.limit + 1)}
    ) ${name} ${joins}
    order by ${name}.sort ${sql.raw(order.direction)}, ${name}.position_id ${sql.raw(order.direction)}`.execute(db)
  const shown = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  return { documents: shown.map(show), next: last && { sort: last.sort, id: last.position_id } }
}

/**
 * Reads one record in one statement.
 * @throws Problem not-found, integrity-unavailable (also when several records share the identity)
 */
export async function readOne(
  db: Database,
  { table, as, joins }: Documents,
  where: RawBuilder<unknown>,
): Promise<string> {
  const { rows } = await sql<Row>`
    select document.json::text as json, document.defect from ${table} ${sql.ref(as)} ${joins} where ${where}`.execute(
    db,
  )
  if (rows.length > 1) throw new Problem('integrity-unavailable', 'Several records share this identity.')
  if (!rows[0]) throw new Problem('not-found', 'There is no such record.')
  return show(rows[0])
}
