import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { Problem } from '../problems.ts'

const bytes = sql`coalesce(sum(coalesce(original_bytes, 0) + coalesce(renditions_bytes, 0)), 0)::text as bytes`
const isStored = sql`(original is not null or renditions is not null)`

/** What the stored pictures of every house take, originals and renditions, and may take (0: any), in bytes; by slug. */
export async function listStorage(db: Database): Promise<{ slug: string; bytes: number; limit: number }[]> {
  const { rows: sums } = await sql<{ house: string; bytes: string }>`
    select house_id as house, ${bytes} from catalogue.images where ${isStored} group by house_id`.execute(db)
  const used = new Map(sums.map((sum) => [sum.house, Number(sum.bytes)]))
  const { rows: houses } = await sql<{ id: string; slug: string; limit: string }>`
    select id, slug, storage_limit as "limit" from catalogue.houses order by slug`.execute(db)
  return houses.map(({ id, slug, limit }) => ({ slug, bytes: used.get(id) ?? 0, limit: Number(limit) }))
}

/**
 * Checks that a house has room for so many bytes more. With `lock` nobody else takes the room until the transaction
 * ends; whoever wants it has locked items and images already, and lots not yet.
 * @throws Problem payload-too-large
 */
export async function checkStorage(
  tx: Database,
  house: string,
  more: number,
  { lock }: { lock: boolean },
): Promise<void> {
  const { rows: limits } = await sql<{ limit: string }>`
    select storage_limit as "limit" from catalogue.houses where id = ${house}`.execute(tx)
  const limit = Number(limits[0]!.limit)
  if (limit === 0) return
  if (lock) await sql`select pg_advisory_xact_lock(hashtextextended(${`storage ${house}`}, 0))`.execute(tx)
  const { rows: sums } = await sql<{ bytes: string }>`
    select ${bytes} from catalogue.images where house_id = ${house} and ${isStored}`.execute(tx)
  const used = Number(sums[0]!.bytes)
  if (used + more > limit)
    throw new Problem('payload-too-large', `The house may store ${limit} bytes of pictures, and has stored ${used}.`)
}
