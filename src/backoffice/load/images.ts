import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { newOriginal } from '../../media/keys.ts'
import type { MediaStore } from '../../media/store.ts'
import type { Database } from '../../db/pool.ts'
import type { Batch, Line } from './batch.ts'
import { messageOf } from './errors.ts'

/** The images of the batch that come with a file, and where it is; notes those whose file cannot be read. */
export async function findFiles(batch: Batch, directory: string): Promise<Map<Line<'image'>, string>> {
  const files = new Map<Line<'image'>, string>()
  for (const line of batch.of('image')) {
    if (line.record.file == null) continue
    const file = path.resolve(directory, line.record.file)
    try {
      if (!(await stat(file)).isFile()) throw new Error('it is not a file')
      await access(file, constants.R_OK)
      files.set(line, file)
    } catch (error) {
      batch.note(line, 'file', `cannot be read: ${messageOf(error)}`)
    }
  }
  return files
}

/**
 * Copies the files into the store and gives the key of each image's. Every key is in `copied` before its file is
 * there, so that whatever fails later can delete them all.
 */
export async function copyFiles(
  media: Pick<MediaStore, 'put'>,
  files: Map<Line<'image'>, string>,
  copied: string[],
): Promise<Map<Line, string>> {
  const originals = new Map<Line, string>()
  for (const [line, file] of files) {
    const key = newOriginal()
    copied.push(key)
    await media.put(key, file)
    originals.set(line, key)
  }
  return originals
}

/** Creates the transaction's table of the items that it has created. */
export async function createLoadedItems(tx: Database) {
  await sql`create temporary table loaded_items (id bigint primary key) on commit drop`.execute(tx)
}

/** Remembers the items of the batch, so that they are not taken for stored ones. */
export async function rememberItems(tx: Database, batch: Batch) {
  const items = batch.of('item').map((line) => line.id)
  if (items.length === 0) return
  await sql`insert into loaded_items (id) select id from unnest(${items}::bigint[]) id`.execute(tx)
}

/**
 * Locks the items to which the batch adds images and which were there before the load, in the order of their ids, and
 * gives those whose gallery grows. Every other writer of an item's images holds that lock too.
 */
export async function lockGalleries(tx: Database, batch: Batch): Promise<string[]> {
  const images = batch.of('image')
  if (images.length === 0) return []
  const items = new Set(images.map((line) => line.targets['item']!))
  const own = await sql<{ id: string }>`
    select id from loaded_items where id = any(${[...items]}::bigint[])`.execute(tx)
  for (const { id } of own.rows) items.delete(id)
  for (const { id } of batch.of('item')) items.delete(id)
  if (items.size === 0) return []
  await sql`
    select id from catalogue.items where house_id = ${batch.house.id} and id = any(${[...items]}::bigint[])
    order by id for update`.execute(tx)
  const grown = images.filter((line) => line.record.public === true).map((line) => line.targets['item']!)
  return grown.filter((item) => items.has(item))
}
