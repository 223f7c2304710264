import { sql } from 'kysely'
import type { Database } from './pool.ts'

/** See `readServer`. */
export type Server = { version: string; citus: string | null; name: string; now: Date }

/** The server's version, that of Citus if the database has it, the name of the database, and the server's clock. */
export async function readServer(db: Database): Promise<Server> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version, current_database() as name,
      (select extversion from pg_extension where extname = 'citus') as citus, clock_timestamp() as now`.execute(db)
  return rows[0]!
}
