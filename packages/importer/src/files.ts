import { constants } from 'node:fs'
import { mkdtemp, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unusable } from './misfit.ts'

// Windows lacks the first two.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_APPEND, O_CREAT } = constants as Partial<typeof constants>
const flags = { read: O_RDONLY!, add: O_RDWR! | O_APPEND! | O_CREAT! }

/**
 * Opens a file beside a source. A source may come from others, with links in its folder that lead elsewhere: they are refused.
 * @throws Unusable, or ENOENT
 */
export async function openBeside(path: string, purpose: keyof typeof flags): Promise<FileHandle> {
  // A pipe would otherwise be waited for.
  const file = await open(path, flags[purpose] | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error
    throw new Unusable(error.code === 'ELOOP' ? `${path} is a link: remove it` : error.message)
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Unusable(`${path} is no file: remove it`)
}

/**
 * Writes a text, or the pieces of one, into a file beside a source, whole or not at all. It takes the place of a link of that name, and follows none.
 * @throws Unusable
 */
export async function replaceBeside(path: string, text: string | Iterable<string>): Promise<void> {
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

/** A temporary file that is read and written by positions. */
export type Scratch = { file: FileHandle; close(): Promise<void> }

/** Opens a temporary file, for what would not fit into memory. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-import-'))
  const file = await open(join(folder, 'scratch'), 'wx+')
  // Where an open file can be removed, a run that is killed leaves nothing behind.
  await rm(folder, { recursive: true }).catch(() => undefined)
  return {
    file,
    async close() {
      await file.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
