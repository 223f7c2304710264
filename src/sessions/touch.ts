import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { touched } from '../db/touched.ts'

/**
 * Writes a change of a session that a reader sees as one: advances its timestamp and revision in the same statement.
 * `assignments` (each ends with a comma) changes columns.
 */
export async function touchSession(
  { db, house, now }: Pick<Context, 'db' | 'house' | 'now'>,
  session: string,
  assignments: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update catalogue.sessions set ${assignments} ${touched(now)}
    where house_id = ${house.id} and id = ${session}`.execute(db)
}
