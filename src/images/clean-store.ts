import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { enqueue, type TaskContext } from '../jobs/queue.ts'
import { areas, isKey, type Area } from '../media/object-keys.ts'

const dayInMilliseconds = 24 * 60 * 60 * 1000
const batchSize = 5_000

/** Has the store cleaned up once a day from now on, where that is not so already. */
export async function scheduleCleaning(db: Database): Promise<void> {
  await enqueue(db, 'clean_store', {}, { key: 'clean_store', keepTime: true })
}

type StoredFile = { key: string; bytes: number }

// A file is stored shortly before its transaction begins, or within it. The row of one that is still open, or whose
// COMMIT is still under way, is seen by nobody.
async function findOldestOpen(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ begun: Date | null }>`
    select min(xact_start) as begun from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db)
  return rows[0]!.begun
}

/**
 * Deletes files that no image names, which is what a crash leaves, notes the size of those that one names where an
 * earlier version has not, and comes back tomorrow. Files it looks at are a day old at least, and were so when the oldest
 * transaction began that is still open.
 */
export async function cleanStore({ db, media, now }: TaskContext): Promise<void> {
  const open = await findOldestOpen(db)
  const before = Math.min(now().getTime(), open?.getTime() ?? Infinity) - dayInMilliseconds
  for (const area of areas) {
    let batch: StoredFile[] = []
    const cleanBatch = async () => {
      for (const key of await compare(db, area, batch)) await media.delete(key)
      batch = []
    }
    for await (const { key, bytes, storedAt } of media.list(area)) {
      // The files of one folder are compared together.
      if (batch.length >= batchSize && folderOf(key) !== folderOf(batch.at(-1)!.key)) await cleanBatch()
      if (storedAt.getTime() < before) batch.push({ key, bytes })
    }
    await cleanBatch()
  }
  await enqueue(db, 'clean_store', {}, { key: 'clean_store', delay: dayInMilliseconds })
}

const folderOf = (key: string) => key.split('/').slice(0, 2).join('/')

/**
 * Notes what the named files of an area take. Gives the keys that no image of any house names; a name that is no key is
 * what a crash left of a file being written.
 */
async function compare(db: Database, area: Area, files: StoredFile[]): Promise<string[]> {
  if (files.length === 0) return []
  const sizes = new Map<string, number>()
  for (const { key, bytes } of files)
    sizes.set(folderOf(key), (sizes.get(folderOf(key)) ?? 0) + (isKey(key) ? bytes : 0))
  const column = area === 'originals' ? sql`original` : sql`renditions`
  const noted = area === 'originals' ? sql`original_bytes` : sql`renditions_bytes`
  const { rows } = await sql<{ house: string; id: string; name: string; bytes: string | null }>`
    select house_id as house, id, ${column} as name, ${noted} as bytes
    from catalogue.images where ${column} = any(${[...sizes.keys()]})`.execute(db)
  const differing = rows.filter(({ name, bytes }) => bytes === null || Number(bytes) !== sizes.get(name))
  for (const [house, images] of Map.groupBy(differing, (row) => row.house)) {
    const names = images.map((image) => image.name)
    await sql`update catalogue.images image set ${noted} = found.bytes
      from unnest(${images.map((image) => image.id)}::bigint[], ${names}::text[],
        ${names.map((name) => sizes.get(name))}::bigint[]) found (id, name, bytes)
      where image.house_id = ${house} and image.id = found.id and image.${column} = found.name`.execute(db)
  }
  const named = new Set(rows.map((row) => row.name))
  return files.flatMap(({ key }) => (isKey(key) && named.has(folderOf(key)) ? [] : [key]))
}
