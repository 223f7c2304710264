import type { Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../problems.ts'
import { findStorageLimit, findStorageLimits, lockStorage, sumBytes, sumBytesByHouse } from './statements.ts'

/** What the stored pictures of every house take, originals and renditions, and may take (0: any), in bytes; by slug. */
export async function listStorage(db: Database): Promise<{ slug: string; bytes: number; limit: number }[]> {
  const used = await sumBytesByHouse(db)
  const houses = await findStorageLimits(db)
  return houses.map(({ id, slug, limit }) => ({ slug, bytes: used.get(id) ?? 0, limit: Number(limit) }))
}

/**
 * Checks that a house has room for so many bytes more. With `lock` nobody else takes the room until the transaction
 * ends; whoever wants it has locked items and images already, and lots not yet.
 * @throws Problem payload-too-large
 */
export async function checkStorage(tx: Scope, more: number, { lock }: { lock: boolean }): Promise<void> {
  const limit = await findStorageLimit(tx)
  if (limit === 0) return
  if (lock) await lockStorage(tx)
  const used = await sumBytes(tx)
  if (used + more > limit)
    throw new Problem('payload-too-large', `The house may store ${limit} bytes of pictures, and has stored ${used}.`)
}
