import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { describeFolderError, isFolder, sync } from '../settings/folders.ts'
import { terminal } from '../values/program.ts'

const partialOf = (name: string) => `${name}.partial-${randomUUID().slice(0, 8)}`

/**
 * The whole path of the folder in which a file or folder will be made.
 * @throws Error if there is no such folder
 */
export async function findParent(name: string): Promise<string> {
  const folder = path.dirname(path.resolve(name))
  if (await isFolder(folder)) return folder
  throw new Error(`${name} cannot be written: there is no folder ${folder}`)
}

/**
 * Writes a file that only its owner may read; `-` is standard output. Any failure leaves the file as it was, absent or
 * whole. Only a killed process leaves an unfinished file.
 */
export async function writeWhole<T>(file: string, write: (output: Writable) => Promise<T>): Promise<T> {
  if (file === '-') return write(terminal().stdout)
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw new Error(`${file} is a folder: name a file in it`)
  // The new file would take the place of a device or a pipe.
  if (found && !found.isFile()) throw new Error(`${file} is no file: write to standard output with -`)
  const folder = await findParent(file)
  const partial = partialOf(file)
  const remove = () => rmSync(partial, { force: true })
  process.once('exit', remove)
  const output = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
  let failure: unknown
  // The output also gets the error of a source that breaks.
  output.once('error', (error: NodeJS.ErrnoException) => {
    if (/^(open|write|fsync|close)$/.test(error.syscall ?? '')) failure = error
  })
  try {
    // A file that is still being opened would appear after it was removed.
    await once(output, 'open')
    const result = await write(output)
    await rename(partial, file)
    await sync(folder)
    return result
  } catch (error) {
    if (failure === undefined) throw error
    throw new Error(`${file} cannot be written: ${describeFolderError(partial, failure)}`, { cause: error })
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/**
 * Fills a new or empty folder that only its owner may enter. Any failure leaves it as it was. Only a killed process
 * leaves an unfinished folder.
 */
export async function fillWhole<T>(folder: string, fill: (partial: string) => Promise<T>): Promise<T> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Error(`${folder} cannot be written: ${describeFolderError(folder, error)}`, { cause: error })
  })
  if (found.length > 0) throw new Error(`${folder} is not empty: name a new folder`)
  const partial = partialOf(folder)
  const remove = () => rmSync(partial, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    await mkdir(partial, { mode: 0o700 })
    const result = await fill(partial)
    await rename(partial, folder)
    await sync(path.dirname(path.resolve(folder)))
    return result
  } finally {
    process.off('exit', remove)
    remove()
  }
}
