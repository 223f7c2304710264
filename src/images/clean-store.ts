import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { enqueue, type TaskContext } from '../jobs/queue.ts'
import { areas, isKey } from '../media/keys.ts'

const dayInMilliseconds = 24 * 60 * 60 * 1000
const batchSize = 5_000

/** Has the store cleaned up once a day from now on, where that is not so already. */
export async function scheduleCleaning(db: Database): Promise<void> {
  await enqueue(db, 'clean_store', {}, { key: 'clean_store', keepTime: true })
}

// A file is stored shortly before its transaction begins, or within it. The row of one that is still open, or whose
// COMMIT is still under way, is seen by nobody.
async function findOldestOpen(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ begun: Date | null }>`
    select min(xact_start) as begun from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db)
  return rows[0]!.begun
}

/**
 * Deletes files that no image names, which is what a crash leaves, and comes back tomorrow. They are a day old at least,
 * and were so when the oldest transaction began that is still open.
 */
export async function cleanStore({ db, media, now }: TaskContext): Promise<void> {
  const open = await findOldestOpen(db)
  const before = Math.min(now().getTime(), open?.getTime() ?? Infinity) - dayInMilliseconds
  for (const area of areas) {
    let batch: string[] = []
    const deleteUnused = async () => {
      for (const key of await findUnused(db, batch)) await media.delete(key)
      batch = []
    }
    for await (const { key, storedAt } of media.list(area)) {
      if (storedAt.getTime() < before) batch.push(key)
      if (batch.length === batchSize) await deleteUnused()
    }
    await deleteUnused()
  }
  await enqueue(db, 'clean_store', {}, { key: 'clean_store', delay: dayInMilliseconds })
}

const folderOf = (key: string) => key.split('/').slice(0, 2).join('/')

/** The keys that no image of any house names; a name that is no key is what a crash left of a file being written. */
async function findUnused(db: Database, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const names = [...new Set(keys.map(folderOf))]
  const { rows } = await sql<{ name: string }>`
    select original as name from catalogue.images where original = any(${names})
    union select renditions from catalogue.images where renditions = any(${names})`.execute(db)
  const named = new Set(rows.map((row) => row.name))
  return keys.filter((key) => !isKey(key) || !named.has(folderOf(key)))
}
