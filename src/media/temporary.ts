import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const prefix = 'catalogue-media-'
const abandonedAfterMilliseconds = 24 * 60 * 60 * 1000

/** Gives `work` a folder of its own for large files on their way; it is deleted when the work ends, however it ends. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), prefix))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Deletes the folders that processes of this user left here which were killed at least a day ago. */
export async function removeAbandonedFolders(now: Date): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(tmpdir(), name)
    const found = await lstat(folder).catch(() => undefined)
    // Another user's stays, as does what cannot be removed.
    if (found?.uid === process.getuid?.() && now.getTime() - found!.mtimeMs > abandonedAfterMilliseconds)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
