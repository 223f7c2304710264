import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The secret that signs cursors and URLs: the setting, or one generated once into DATA_DIR. Of several processes
 * that start at once on an empty folder all get the same.
 */
export async function findSecret(dataDir: string, setting: string | undefined): Promise<string> {
  if (setting !== undefined) return setting
  const file = path.join(dataDir, 'secret')
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored) return stored
  await mkdir(dataDir, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  // A link is made whole or not at all, and only by the first.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return readFile(file, 'utf8')
}
