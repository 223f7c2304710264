import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

/** Counts requests of a key in its window. If that has ended by `now`, begins a new one that ends at `end`. */
export async function countInWindow(
  db: Database,
  key: string,
  requests: number,
  now: Date,
  end: Date,
): Promise<{ used: number; ends_at: Date }> {
  const { rows } = await sql<{ used: number; ends_at: Date }>`
    insert into catalogue.rate_windows as w (api_key, ends_at, used)
    values (${key}, ${end}, ${requests})
    on conflict (api_key) do update set
      used = case when w.ends_at <= ${now} then 0 else w.used end + excluded.used,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning used, ends_at`.execute(db)
  return rows[0]!
}
