import { mkdir, open, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Makes a folder that only its owner may enter, and its missing parents. An existing folder keeps its mode. Node's
 * recursive `mkdir` never returns where the system allows no folders, such as below /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(folder))) throw error
  }
}

/** Whether there is a folder of this name. */
export async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** The result of work on a file or folder; undefined if it is missing. */
export async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

/** Flushes a file or folder to the disk, so that it survives a power failure. */
export async function sync(location: string): Promise<void> {
  await using handle = await open(location)
  await handle.sync()
}

const reasons: Record<string, string> = {
  EEXIST: 'it is not a directory',
  ENOTDIR: 'it is not a directory',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}

/** Whether the error is one of a folder that cannot be used as it is. */
export const isFolderFault = (error: unknown): boolean =>
  Object.hasOwn(reasons, (error as NodeJS.ErrnoException | undefined)?.code ?? '')

/** The reason why a folder or its contents cannot be used, in one line. */
export function describeFolderError(folder: string, error: unknown): string {
  const { code = '', path: place } = error as NodeJS.ErrnoException
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  const where = place !== undefined && path.resolve(folder) !== place ? ` (${place})` : ''
  return `${reason}${where}`.replaceAll('\n', ' ')
}
