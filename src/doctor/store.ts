import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../settings/config.ts'
import { describeFolderError, makeFolder } from '../settings/folders.ts'
import { mediaFolder, openFileStore } from '../media/file-store.ts'
import { newFolder, newOriginal, renditionKey } from '../media/object-keys.ts'
import { openMediaStore } from '../media/open.ts'
import type { MediaStore } from '../media/store.ts'

/** A part that was checked, and the finding. `unknown`: it could not be checked, because something else is wrong. */
export type Check = { check: string; state: 'ok' | 'wrong' | 'unknown'; says: string }

const probe = Buffer.from('a probe of catalogue doctor --installation, to be deleted')
const askMilliseconds = 10_000

/**
 * Writes, reads and deletes a probe in each area of the store, and checks which areas can be read without a
 * signature.
 */
export async function checkStore(config: Config): Promise<Check[]> {
  return config.media.store === 'file' ? checkFolder(config) : checkBucket(config)
}

async function checkFolder({ dataDir, publicUrl }: Config): Promise<Check[]> {
  const folder = mediaFolder(dataDir)
  const wrong = (says: string): Check[] => [{ check: 'store', state: 'wrong', says: `${folder}: ${says}` }]
  try {
    await makeFolder(folder)
    const { mode } = await stat(folder)
    if ((mode & 0o077) !== 0) return wrong('other users may enter it: the next start closes it')
    const found = await tryAreas(openFileStore({ dataDir, publicUrl, keyring: [''] }))
    return found === undefined ? [{ check: 'store', state: 'ok', says: `${folder}: can be written` }] : wrong(found)
  } catch (error) {
    return wrong(describeFolderError(folder, error))
  }
}

async function checkBucket({ media: place, ...options }: Config): Promise<Check[]> {
  if (place.store === 'file') return []
  const wrong = (says: string): Check => ({ check: 'store', state: 'wrong', says: `bucket ${place.bucket}: ${says}` })
  const media = await openMediaStore(place, { ...options, keyring: [''] })
  const found = await tryAreas(media).catch((error: Error) => `${error.name}: ${error.message}`)
  if (found !== undefined) return [wrong(`cannot be used: ${found}`)]
  const findings = await findReaders(media)
  if (findings.length > 0) return findings.map(wrong)
  const says = `bucket ${place.bucket}: can be written; anyone can read public/* and nothing else`
  return [{ check: 'store', state: 'ok', says }]
}

const keys = () => [renditionKey(newFolder(true), 'image'), renditionKey(newFolder(false), 'image'), newOriginal()]

/** Writes, reads and deletes a probe. Returns the difference if it reads something else. */
async function tryAreas(media: MediaStore): Promise<string | undefined> {
  for (const key of keys()) {
    await media.put(key, probe)
    try {
      const found = await media.read(key)
      if (!found || !(await buffer(found.stream)).equals(probe)) return `${key} is not read as it was written`
    } finally {
      await media.delete(key)
    }
  }
  return undefined
}

async function findReaders(media: MediaStore): Promise<string[]> {
  const findings: string[] = []
  for (const key of keys()) {
    const area = key.split('/')[0]!
    const address = `${media.publicBase}/${key}`
    await media.put(key, probe)
    try {
      const reply = await fetch(address, { signal: AbortSignal.timeout(askMilliseconds) })
      await reply.body?.cancel()
      if (area === 'public' && !reply.ok)
        findings.push(`${address} is ${reply.status} without a signature: a policy must let anyone read public/*`)
      if (area !== 'public' && reply.ok)
        findings.push(`anyone can read ${area}/*: a policy must open public/* and nothing else`)
    } catch (error) {
      if (area === 'public') findings.push(`${address} cannot be reached: ${(error as Error).message}`)
    } finally {
      await media.delete(key)
    }
  }
  return findings
}
