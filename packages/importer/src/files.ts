import { constants } from 'node:fs'
import { mkdtemp, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unusable } from './misfit.ts'

// Windows lacks `O_NOFOLLOW` and `O_NONBLOCK`.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_APPEND, O_CREAT } = constants as Partial<typeof constants>
const flags = { read: O_RDONLY!, add: O_RDWR! | O_APPEND! | O_CREAT! }

/**
 * Opens a file beside a source, and refuses a link: a foreign source may bring links that lead out of its folder.
 * @throws Unusable, or ENOENT
 */
export async function openBeside(path: string, purpose: keyof typeof flags): Promise<FileHandle> {
  // Without `O_NONBLOCK`, opening a pipe would wait for its other end.
  const file = await open(path, flags[purpose] | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error
    throw new Unusable(error.code === 'ELOOP' ? `${path} is a link: remove it` : error.message)
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Unusable(`${path} is not a file: remove it`)
}

/**
 * Writes a file beside a source, whole or not at all. The file replaces a link of its name, and does not follow it.
 * @throws Unusable
 */
export async function replaceBeside(path: string, text: string | Buffer | Iterable<string>): Promise<void> {
  const fresh = `${path}.new`
  try {
    await rm(fresh, { force: true })
    await writeFile(fresh, text, { flag: 'wx' })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined)
    throw new Unusable(`${path} cannot be written: ${(error as Error).message}`)
  }
}

/** A temporary file with random access. */
export type Scratch = { file: FileHandle; close(): Promise<void> }

/** Opens a temporary file, for data that does not fit into memory. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-import-'))
  const file = await open(join(folder, 'scratch'), 'wx+')
  // Where the system can remove an open file, a killed run leaves nothing behind.
  await rm(folder, { recursive: true }).catch(() => undefined)
  return {
    file,
    async close() {
      await file.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
