import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { newOriginal } from '../../media/keys.ts'
import type { MediaStore } from '../../media/store.ts'
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
