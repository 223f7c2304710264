import { sql, type RawBuilder } from 'kysely'
import type { ListSelection, Selection } from './selections.ts'
import { conditionOn, isList } from './statements.ts'

/** Chooses the records as the interface does, and orders those of a list: the end of a statement on the selection's table. */
export function inOrderOf(selection: Selection, more: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const values = Object.entries(selection.asked).map(
    ([name, value]) => sql`${value === undefined ? null : String(value)}::text as ${sql.ref(name)}`,
  )
  const chosen = sql`cross join (select ${sql.join(values)}) asked where ${conditionOn(selection)} and ${more}`
  if (!isList(selection)) return chosen
  const { sort, id, direction } = selection.order
  return sql`${chosen} order by ${sort} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}`
}

/**
 * The documents of all records that a selection chooses, in its order, those too that cannot be shown truthfully, each
 * with further `columns`. Their SQL may name the tables of the documents.
 */
export async function listRecords<Row>(
  selection: Selection | ListSelection,
  columns: Record<string, RawBuilder<unknown>> = {},
): Promise<Row[]> {
  const { table, as, parents = sql``, joins } = selection.documents
  const more = Object.entries(columns).map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`)
  const { rows } = await sql<{ json: string }>`
    select document.json::text as json${sql.join(more, sql``)}
    from ${table} ${sql.ref(as)} ${parents} ${joins} ${inOrderOf(selection)}`.execute(selection.context.db)
  return rows.map(({ json, ...others }) => ({ ...(JSON.parse(json) as object), ...others }) as Row)
}
