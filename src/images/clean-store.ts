import type { Database } from '../db/pool.ts'
import { listHouses } from '../houses/locks.ts'
import { enqueueRepeated, type TaskContext } from '../jobs/queue.ts'
import { areas, isKey, type Area } from '../media/object-keys.ts'
import { areFilesHeld, findNaming, findOldestTransaction, noteBytes } from './file-statements.ts'

const hourInMilliseconds = 60 * 60 * 1000
const dayInMilliseconds = 24 * hourInMilliseconds
const batchSize = 5_000

type StoredFile = { key: string; bytes: number }

/**
 * Deletes files that no image names, such as those of a crash, and stores the sizes of files from an earlier version.
 * Queues itself again for tomorrow, or in an hour if a backup holds files. It only looks at files that were at least a
 * day old when the oldest open transaction began.
 */
export async function cleanStore({ db, media, clock }: TaskContext): Promise<void> {
  // A file is stored shortly before its transaction begins, or within it. Until that transaction has committed, no
  // query shows its row.
  const open = await findOldestTransaction(db)
  const before = Math.min(clock().getTime(), open?.getTime() ?? Infinity) - dayInMilliseconds
  let isHeld = false
  for (const area of areas) {
    let batch: StoredFile[] = []
    const cleanBatch = async () => {
      const unnamed = await compare(db, area, batch)
      batch = []
      isHeld ||= await areFilesHeld(db)
      if (!isHeld) for (const key of unnamed) await media.delete(key)
    }
    for await (const { key, bytes, storedAt } of media.list(area)) {
      // The files of one folder are compared together.
      if (batch.length >= batchSize && folderOf(key) !== folderOf(batch.at(-1)!.key)) await cleanBatch()
      if (storedAt.getTime() < before) batch.push({ key, bytes })
    }
    await cleanBatch()
  }
  await enqueueRepeated(db, 'clean_store', { delay: isHeld ? hourInMilliseconds : dayInMilliseconds })
}

const folderOf = (key: string) => key.split('/').slice(0, 2).join('/')

/**
 * Stores the sizes of an area's files in the rows that name them. Returns the keys that no image of any house names. A
 * name that is not a key belongs to a file whose write a crash interrupted.
 */
async function compare(db: Database, area: Area, files: StoredFile[]): Promise<string[]> {
  if (files.length === 0) return []
  const sizes = new Map<string, number>()
  for (const { key, bytes } of files)
    sizes.set(folderOf(key), (sizes.get(folderOf(key)) ?? 0) + (isKey(key) ? bytes : 0))
  const column = area === 'originals' ? 'original' : 'renditions'
  const named = new Set<string>()
  for (const { id: house } of await listHouses(db)) {
    const scope = { db, house: { id: house } }
    const images = await findNaming(scope, column, [...sizes.keys()])
    const differing = images.flatMap(({ id, name, bytes }) => {
      const size = sizes.get(name)!
      return bytes !== null && Number(bytes) === size ? [] : [{ id, name, bytes: size }]
    })
    if (differing.length > 0) await noteBytes(scope, column, differing)
    for (const { name } of images) named.add(name)
  }
  return files.flatMap(({ key }) => (isKey(key) && named.has(folderOf(key)) ? [] : [key]))
}
