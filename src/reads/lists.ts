import { sql, type RawBuilder } from 'kysely'
import type { ListSelection } from './selections.ts'
import { conditionOn } from './statements.ts'
import type { Context } from '../context.ts'

// Chooses and orders the records as the interface lists them, on one page.
export function inOrderOf(selection: ListSelection, more: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const { asked, order } = selection
  const values = Object.entries(asked).map(
    ([name, value]) => sql`${value === undefined ? null : String(value)}::text as ${sql.ref(name)}`,
  )
  const direction = sql.raw(order.direction)
  return sql`cross join (select ${sql.join(values)}) asked
    where ${conditionOn(selection)} and ${more} order by ${order.sort} ${direction}, ${order.id} ${direction}`
}

/** The documents that a selection chooses, in its order. */
export async function listDocuments(context: Context, selection: ListSelection): Promise<string[]> {
  const { table, as, parents = sql``, joins } = selection.documents
  const { rows } = await sql<{ json: string }>`
    select document.json::text as json from ${table} ${sql.ref(as)} ${parents} ${joins} ${inOrderOf(selection)}`.execute(
    context.db,
  )
  return rows.map(({ json }) => json)
}
