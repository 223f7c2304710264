import { sql } from 'kysely'
import type { Database } from '../../db/pool.ts'

/**
 * Counts requests of keys in their windows of a minute, by the database's clock, which all instances share. Begins a
 * new window if the last one has ended, or if its end is too far away because the clock was set back. `ttl`:
 * milliseconds to the end.
 */
export async function countInWindows(
  db: Database,
  counted: readonly { key: string; requests: number }[],
): Promise<Map<string, { used: number; ttl: number }>> {
  const isCurrent = sql`w.ends_at > now() and w.ends_at < now() + interval '2 minutes'`
  const { rows } = await sql<{ api_key: string; used: number; ttl: number }>`
    insert into catalogue.rate_windows as w (api_key, ends_at, used)
    select c.api_key, now() + interval '1 minute', c.requests
    from unnest(${counted.map(({ key }) => key)}::text[], ${counted.map(({ requests }) => requests)}::integer[]) c (api_key, requests)
    order by c.api_key
    on conflict (api_key) do update set
      used = case when ${isCurrent} then w.used else 0 end + excluded.used,
      ends_at = case when ${isCurrent} then w.ends_at else excluded.ends_at end
    returning api_key, used, extract(epoch from ends_at - now())::float8 * 1000 as ttl`.execute(db)
  return new Map(rows.map(({ api_key, ...window }) => [api_key, window]))
}
