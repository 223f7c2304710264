import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { kinds } from '../kinds.ts'

/** Whether an item or a session of the house, archived or not, has this external reference. */
export async function hasReference(
  { db, house }: Scope,
  kind: 'item' | 'session',
  reference: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(`catalogue.${kinds[kind].plural}`)}
    where house_id = ${house.id} and external_reference = ${reference}`.execute(db)
  return rows.length > 0
}
