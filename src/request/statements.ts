import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

/**
 * Counts requests of a key in its window of a minute, by the database's clock, which all instances share. If the window has
 * ended, begins a new one; also if its end is too far away, because that clock was set back. `ttl`: milliseconds to its end.
 */
export async function countInWindow(
  db: Database,
  key: string,
  requests: number,
): Promise<{ used: number; ttl: number }> {
  const isCurrent = sql`w.ends_at > now() and w.ends_at < now() + interval '2 minutes'`
  const { rows } = await sql<{ used: number; ttl: number }>`
    insert into catalogue.rate_windows as w (api_key, ends_at, used)
    values (${key}, now() + interval '1 minute', ${requests})
    on conflict (api_key) do update set
      used = case when ${isCurrent} then w.used else 0 end + excluded.used,
      ends_at = case when ${isCurrent} then w.ends_at else excluded.ends_at end
    returning used, extract(epoch from ends_at - now())::float8 * 1000 as ttl`.execute(db)
  return rows[0]!
}
