import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

/** Counts requests of keys in their windows. Where one has ended by `now`, a new one begins that ends at `end`. */
export async function countInWindows(
  db: Database,
  counted: readonly { key: string; requests: number }[],
  now: Date,
  end: Date,
): Promise<Map<string, { used: number; ends_at: Date }>> {
  const { rows } = await sql<{ api_key: string; used: number; ends_at: Date }>`
    insert into catalogue.rate_windows as w (api_key, ends_at, used)
    select c.api_key, ${end}, c.requests
    from unnest(${counted.map(({ key }) => key)}::text[], ${counted.map(({ requests }) => requests)}::integer[]) c (api_key, requests)
    order by c.api_key
    on conflict (api_key) do update set
      used = case when w.ends_at <= ${now} then 0 else w.used end + excluded.used,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning api_key, used, ends_at`.execute(db)
  return new Map(rows.map(({ api_key, ...window }) => [api_key, window]))
}
