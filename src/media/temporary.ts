import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const prefix = 'catalogue-media-'
const abandonedAfterMilliseconds = 24 * 60 * 60 * 1000

/** Runs `work` with a temporary folder for large files, and always deletes the folder afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), prefix))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Deletes day-old folders of this user that killed processes left here. */
export async function removeAbandonedFolders(now: Date): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(tmpdir(), name)
    const found = await lstat(folder).catch(() => undefined)
    // Folders of other users stay, and folders that cannot be removed.
    if (found?.uid === process.getuid?.() && now.getTime() - found!.mtimeMs > abandonedAfterMilliseconds)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
