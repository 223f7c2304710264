import { constants } from 'node:fs'
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Scope } from '../context.ts'
import { recognise } from '../media/formats.ts'
import { newOriginal } from '../media/object-keys.ts'
import type { MediaStore } from '../media/store.ts'
import type { Database } from '../db/pool.ts'
import { lockItems } from '../items/touch.ts'
import type { Batch, Line } from './batch.ts'
import { LoadError, messageOf } from './errors.ts'
import type { Row } from './rows.ts'
import { findLoadedItems, insertLoadedItems } from './statements.ts'

/** The files of images that become originals: those that begin as pictures do. */
export type Files = Map<Line<'image'>, ImageFile>

type ImageFile = { folder: string; name: string; bytes: number }

// What is opened is what was checked: between the two a name may come to stand for another file. Nothing but a file is
// opened, since a pipe would wait for a writer, and a device may do anything.
async function openFile({ folder, name }: Pick<ImageFile, 'folder' | 'name'>): Promise<FileHandle> {
  const file = await realpath(path.resolve(folder, name))
  const root = await realpath(folder)
  if (!file.startsWith(root.endsWith(path.sep) ? root : root + path.sep)) {
    throw new Error('it lies outside the folder of the catalogue file')
  }
  const found = await lstat(file)
  if (!found.isFile()) throw new Error('it is not a file')
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const { dev, ino } = await handle.stat()
  if (dev === found.dev && ino === found.ino && (await realpath(file)) === file) return handle
  await handle.close()
  throw new Error('it changes')
}

async function beginsAsPicture(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
  const format = recognise(buffer.subarray(0, bytesRead))
  return format !== undefined
}

/** Finds the files of the batch's images; notes those that cannot be read or lie outside `folder`. */
export async function findFiles(batch: Batch, folder: string): Promise<Files> {
  const files: Files = new Map()
  for (const line of batch.of('image')) {
    if (line.record.file == null) continue
    const place = { folder, name: line.record.file }
    try {
      await using handle = await openFile(place)
      if (await beginsAsPicture(handle)) files.set(line, { ...place, bytes: (await handle.stat()).size })
    } catch (error) {
      batch.note(line, 'file', `cannot be read: ${messageOf(error)}`)
    }
  }
  return files
}

/**
 * Copies the files into the store and gives what the row of each image says of its own. Every key is in `copied` before its file is
 * there, so that whatever fails later can delete them all.
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
    // The open file, whatever its name stands for by now.
    await media.put(key, `/dev/fd/${handle.fd}`)
    originals.set(line, { original: key, original_bytes: place.bytes })
  }
  return originals
}

/** Remembers the items of the batch, so that they are not taken for stored ones. */
export async function rememberItems(tx: Database, batch: Batch) {
  const items = batch.of('item').map((line) => line.id)
  if (items.length === 0) return
  await insertLoadedItems(tx, items)
}

/**
 * Locks the items to which the batch adds images and which were there before the load, in the order of their ids, and
 * gives those whose gallery grows. Every other writer of an item's images holds that lock too.
 */
export async function lockGalleries(tx: Scope, batch: Batch): Promise<string[]> {
  const images = batch.of('image')
  if (images.length === 0) return []
  const items = new Set(images.map((line) => line.targets['item']!))
  for (const id of await findLoadedItems(tx.db, [...items])) items.delete(id)
  for (const { id } of batch.of('item')) items.delete(id)
  if (items.size === 0) return []
  await lockItems(tx, [...items])
  const grown = images.filter((line) => line.record.public === true).map((line) => line.targets['item']!)
  return grown.filter((item) => items.has(item))
}
