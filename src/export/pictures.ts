import { createWriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { recognise } from '../media/formats.ts'
import type { MediaStore } from '../media/store.ts'

/** The folder that gets the originals, and its path in the `file` of images. */
export type PictureFolder = { folder: string; path: string }

/**
 * Copies an original into the folder, under this name and with the ending of its format. Returns the `file` of its
 * image; undefined if the store does not have it.
 */
export async function copyOriginal(
  media: Pick<MediaStore, 'read'>,
  key: string,
  { folder, path: shown }: PictureFolder,
  name: string,
): Promise<string | undefined> {
  const stored = await media.read(key)
  if (!stored) return undefined
  const file = path.join(folder, name)
  await pipeline(stored.stream, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
  await using copy = await open(file)
  const format = await recognise(copy)
  if (format === undefined) return `${shown}/${name}`
  await rename(file, `${file}.${format}`)
  return `${shown}/${name}.${format}`
}
