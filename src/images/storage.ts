import { lockWork } from '../writes/locks.ts'
import type { Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { sortHouses, type Away } from '../houses/reach.ts'
import { Problem } from '../problems.ts'
import { findStorageLimit, findStorageLimits, sumBytes } from './file-statements.ts'

/**
 * What a house stores, in bytes: its originals, the files that were made from them, and its limit (0: none). `files` is
 * undefined if the worker of Citus that has the house is away.
 */
type Storage = { slug: string; files: { originals: number; renditions: number } | undefined; limit: number }

/** The storage of every house by slug, and the workers that are away. */
export async function listStorage(db: Database): Promise<{ storage: Storage[]; away: Away[] }> {
  const { reached, away } = await sortHouses(db)
  const storage: Storage[] = []
  for (const { id, slug, limit } of await findStorageLimits(db)) {
    const files = reached.some((house) => house.id === id) ? await sumBytes({ db, house: { id } }) : undefined
    storage.push({ slug, files, limit: Number(limit) })
  }
  return { storage, away }
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
