import { sql } from 'kysely'
import type { Context } from '../context.ts'

/**
 * The time by the clock of the database, which all instances share. It decides whether a lot takes bids or has closed:
 * read it while the lot is locked.
 */
export async function readDatabaseClock({ db, databaseClock }: Pick<Context, 'db' | 'databaseClock'>): Promise<Date> {
  if (databaseClock) return databaseClock()
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db)
  return rows[0]!.time
}
