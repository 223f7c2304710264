import { sql } from 'kysely'
import type { Database } from './pool.ts'

/** The server's version, the name of the database, and the server's clock. */
export async function readServer(db: Database): Promise<{ version: string; name: string; now: Date }> {
  const { rows } = await sql<{ version: string; name: string; now: Date }>`
    select current_setting('server_version') as version, current_database() as name, clock_timestamp() as now`.execute(
    db,
  )
  return rows[0]!
}
