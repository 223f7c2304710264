import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { locks } from '../db/advisory-locks.ts'
import type { Database } from '../db/pool.ts'

/** Keeps other starts from loading the demo house until the transaction ends. */
export async function lockDemo(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.demo})`.execute(tx)
}

/** The internal ids of a house's images, by their references. */
export async function findImages({ db, house }: Scope): Promise<Map<string | null, string>> {
  const rows = await db
    .selectFrom('catalogue.images')
    .select(['id', 'external_reference'])
    .where('house_id', '=', house.id)
    .execute()
  return new Map(rows.map((row) => [row.external_reference, row.id]))
}

/** The number of a house's images, and of those whose renditions are still being made. */
export async function countImages({ db, house }: Scope): Promise<{ all: number; processing: number }> {
  const { rows } = await sql<{ all: number; processing: number }>`
    select count(*)::int as all, (count(*) filter (where processing))::int as processing
    from catalogue.images where house_id = ${house.id}`.execute(db)
  return rows[0]!
}
