import { constants } from 'node:fs'
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Scope } from '../context.ts'
import { recognise } from '../media/formats.ts'
import { newOriginal } from '../media/object-keys.ts'
import type { MediaStore } from '../media/store.ts'
import type { Database } from '../db/pool.ts'
import { markChanged } from '../writes/touch.ts'
import type { Batch, Line } from './batch.ts'
import { LoadError, messageOf } from './errors.ts'
import type { Row } from './rows.ts'
import { findLoadedItems, insertLoadedItems } from './statements.ts'
import { lockItems } from '../items/locks.ts'

/** The files that become originals: those whose first bytes are those of a picture. */
type Files = Map<Line<'image'>, ImageFile>

type ImageFile = { folder: string; name: string; bytes: number }

// Checks and copies through one open file, because the file behind a name may change. Opens regular files only: a pipe
// would wait for a writer, and a device may do anything.
async function openFile({ folder, name }: Pick<ImageFile, 'folder' | 'name'>): Promise<FileHandle> {
  const file = await realpath(path.resolve(folder, name))
  const root = await realpath(folder)
  if (!file.startsWith(root.endsWith(path.sep) ? root : root + path.sep)) {
    throw new Error('it lies outside the folder of the catalogue file')
  }
  const found = await lstat(file)
  if (!found.isFile()) throw new Error('it is not a regular file')
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const { dev, ino } = await handle.stat()
  if (dev === found.dev && ino === found.ino && (await realpath(file)) === file) return handle
  await handle.close()
  throw new Error('another file has taken its name in the meantime')
}

/** Opens the files of the batch's images. Records a problem for each that cannot be read or lies outside `folder`. */
export async function findFiles(batch: Batch, folder: string): Promise<Files> {
  const files: Files = new Map()
  for (const line of batch.of('image')) {
    if (line.record.file == null) continue
    const place = { folder, name: line.record.file }
    try {
      await using handle = await openFile(place)
      if ((await recognise(handle)) !== undefined) files.set(line, { ...place, bytes: (await handle.stat()).size })
    } catch (error) {
      batch.note(line, 'file', `cannot be read: ${messageOf(error)}`)
    }
  }
  return files
}

/**
 * Copies the files into the store. Returns for each image the columns that describe its file. Adds a key to `copied`
 * before it stores the file, so that a later failure can delete all of them.
 */
export async function copyFiles(
  media: Pick<MediaStore, 'put'>,
  batch: Batch,
  files: Files,
  copied: string[],
): Promise<Map<Line, Row>> {
  const originals = new Map<Line, Row>()
  for (const [line, place] of files) {
    await using handle = await openFile(place).catch((error: unknown) => {
      throw new LoadError({ file: batch.file, line: line.number }, 'file', `cannot be read: ${messageOf(error)}`)
    })
    const key = newOriginal()
    copied.push(key)
    // Copies the open file, because the file behind its name may have changed.
    await media.put(key, `/dev/fd/${handle.fd}`)
    originals.set(line, { original: key, original_bytes: place.bytes })
  }
  return originals
}

/** Records that the load itself created the items of the batch. */
export async function rememberItems(tx: Database, batch: Batch) {
  const items = batch.of('item').map((line) => line.id)
  if (items.length === 0) return
  await insertLoadedItems(tx, items)
}

/**
 * Locks the items that were stored before the load and get images, in the order of their ids, and marks these images as
 * changed. Returns the items whose gallery grows. Every writer of an item's images takes this lock.
 */
export async function lockGalleries(tx: Scope, batch: Batch): Promise<string[]> {
  const images = batch.of('image')
  if (images.length === 0) return []
  const items = new Set(images.map((line) => line.targets['item']!))
  for (const id of await findLoadedItems(tx.db, [...items])) items.delete(id)
  for (const { id } of batch.of('item')) items.delete(id)
  if (items.size === 0) return []
  await lockItems(tx, [...items])
  const added = images.filter((line) => items.has(line.targets['item']!))
  await markChanged(
    tx,
    'image',
    added.map(({ id }) => id),
  )
  const grown = images.filter((line) => line.record.public === true).map((line) => line.targets['item']!)
  return grown.filter((item) => items.has(item))
}
