import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, open, opendir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sync, unlessMissing } from '../settings/folders.ts'
import type { Keyring } from '../settings/secret.ts'
import { isPublic } from './object-keys.ts'
import { signedPath } from './signatures.ts'
import type { MediaStore } from './store.ts'

/** The folder of the file store in `DATA_DIR`. */
export const mediaFolder = (dataDir: string) => path.join(dataDir, 'media')

// Some files are private originals. Clients get files from the service, never from the folder.
const privateFolder = 0o700
const privateFile = 0o600

/**
 * Closes a store that an earlier version, or a copy, left open to other users. Closing the top folder closes
 * everything below it.
 */
export async function closeFileStore(dataDir: string): Promise<void> {
  const root = mediaFolder(dataDir)
  const found = await unlessMissing(stat(root))
  if (found && (found.mode & 0o777) !== privateFolder) await chmod(root, privateFolder)
}

/** A media store in a folder. The service serves it under `/media`. */
export function openFileStore(options: { dataDir: string; publicUrl: string; keyring: Keyring }): MediaStore {
  const root = mediaFolder(options.dataDir)
  const publicBase = `${options.publicUrl}/media`

  function locate(key: string): string {
    const location = path.join(root, key)
    if (!location.startsWith(root + path.sep)) throw new TypeError(`not a key of the store: ${JSON.stringify(key)}`)
    return location
  }

  // After this, neither the bytes nor the name are lost in a power failure. An unfinished file has a temporary name
  // next to the target, where the clean-up finds it.
  async function put(key: string, source: string | Buffer): Promise<void> {
    const target = locate(key)
    const unfinished = `${target}.${randomUUID()}`
    const folder = path.dirname(target)
    await mkdir(folder, { recursive: true, mode: privateFolder })
    try {
      if (typeof source === 'string') await copyPrivately(source, unfinished)
      else await writeFile(unfinished, source, { mode: privateFile })
      await sync(unfinished)
      await rename(unfinished, target)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await sync(folder)
    await sync(path.dirname(folder))
  }

  return {
    publicBase,
    put,
    copy: (from, to) => put(to, locate(from)),
    async download(key, to) {
      const from = locate(key)
      const found = (await unlessMissing(stat(from))) !== undefined
      if (found) await copyPrivately(from, to)
      return found
    },
    async read(key) {
      const handle = await unlessMissing(open(locate(key)))
      return handle && { bytes: (await handle.stat()).size, stream: handle.createReadStream() }
    },
    async delete(key) {
      const location = locate(key)
      await unlessMissing(rm(location))
      const folder = path.dirname(location)
      if (path.dirname(folder) === root) return
      await unlessMissing(rmdir(folder)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY') throw error
      })
    },
    async url(key, now) {
      return isPublic(key) ? `${publicBase}/${key}` : options.publicUrl + signedPath(options.keyring, key, now)
    },
    async *list(area) {
      for await (const location of files(path.join(root, area))) {
        const found = await unlessMissing(stat(location))
        if (found)
          yield {
            key: path.relative(root, location).replaceAll(path.sep, '/'),
            bytes: found.size,
            storedAt: found.mtime,
          }
      }
    },
  }
}

// A copy has the mode of its source.
async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await chmod(to, privateFile)
}

// Files and folders may disappear at any time, because other processes use the same store.
async function* files(folder: string): AsyncGenerator<string> {
  for await (const entry of (await unlessMissing(opendir(folder))) ?? []) {
    const location = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* files(location)
    else yield location
  }
}
