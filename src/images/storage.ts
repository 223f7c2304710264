import { lockWork } from '../writes/locks.ts'
import type { Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../problems.ts'
import { findStorageLimit, findStorageLimits, sumBytes } from './file-statements.ts'

/** What a house stores, in bytes: its originals, the files that were made from them, and its limit (0: none). */
export type Storage = { slug: string; originals: number; renditions: number; limit: number }

/** The storage of every house by slug. */
export async function listStorage(db: Database): Promise<Storage[]> {
  const storage: Storage[] = []
  for (const { id, slug, limit } of await findStorageLimits(db))
    storage.push({ slug, ...(await sumBytes({ db, house: { id } })), limit: Number(limit) })
  return storage
}

/**
 * Checks that a house has room for that many more bytes. With `lock`, no other transaction can take the room until this
 * one ends. Take this lock after those of items and images, and before those of lots.
 * @throws Problem payload-too-large
 */
export async function checkStorage(tx: Scope, more: number, { lock }: { lock: boolean }): Promise<void> {
  const limit = await findStorageLimit(tx)
  if (limit === 0) return
  if (lock) await lockWork(tx, 'storage')
  const { originals, renditions } = await sumBytes(tx)
  const used = originals + renditions
  if (used + more > limit)
    throw new Problem('payload-too-large', `The house may store ${limit} bytes of pictures, and has stored ${used}.`)
}
