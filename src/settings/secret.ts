import { hkdfSync, randomBytes } from 'node:crypto'
import { link, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError, leastSecret } from './config.ts'
import { sync, unlessMissing } from './folders.ts'

/** The key that signs, then the keys that are accepted too during a change of the secret. */
export type Keyring = readonly [current: string, ...previous: string[]]

/** A keyring for each use of the secret. A signature of one use is not valid for another. */
export type Keyrings = Record<(typeof uses)[number], Keyring>

const uses = ['cursors', 'addresses', 'etags', 'demo', 'demo-staff'] as const

/** Derives the keys (HKDF-SHA-256) from the secret and, during a change, from the previous secret. */
export function deriveKeyrings(secret: string, previous?: string): Keyrings {
  const derive = (from: string, use: string) =>
    Buffer.from(hkdfSync('sha256', from, '', `catalogue ${use}`, 32)).toString('base64url')
  const keyring = (use: string): Keyring =>
    previous === undefined ? [derive(secret, use)] : [derive(secret, use), derive(previous, use)]
  return Object.fromEntries(uses.map((use) => [use, keyring(use)])) as Keyrings
}

/**
 * The secret: the setting, or one that is generated once in DATA_DIR, which must exist. Processes that start at once
 * on an empty folder get the same secret.
 * @throws ConfigError if the file cannot be read or created, or its secret is too short
 */
export async function findSecret(dataDir: string, setting: string | undefined): Promise<string> {
  if (setting !== undefined) return setting
  const file = path.join(dataDir, 'secret')
  let secret
  try {
    secret = (await readSecret(file)) ?? (await createSecret(dataDir, file))
  } catch (error) {
    throw new ConfigError(`${file} cannot be used: ${(error as Error).message}`, { cause: error })
  }
  if (secret.length < leastSecret) {
    throw new ConfigError(`${file} holds fewer than ${leastSecret} characters: restore it, or remove it for a new one`)
  }
  return secret
}

async function readSecret(file: string): Promise<string | undefined> {
  const handle = await unlessMissing(open(file))
  if (!handle) return undefined
  await using opened = handle
  const { mode } = await opened.stat()
  if ((mode & 0o077) !== 0) await opened.chmod(0o600).catch(() => undefined)
  return (await opened.readFile('utf8')).trim()
}

// A draft is written, synced and linked. So after any failure the file is complete or absent, and only one process
// creates it.
async function createSecret(dataDir: string, file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writeSecret(dataDir, draft)
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  await sync(dataDir)
  return (await readSecret(file)) ?? ''
}

async function writeSecret(dataDir: string, file: string): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(randomBytes(32).toString('base64url'))
  // A file that root creates belongs to the owner of DATA_DIR.
  const { uid, gid } = await stat(dataDir)
  if (process.getuid?.() === 0) await handle.chown(uid, gid)
  await handle.sync()
}
