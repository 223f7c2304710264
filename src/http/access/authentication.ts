import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Permission, ServedHouse } from '../../context.ts'
import { Problem } from '../../problems.ts'
import { createSlots } from '../server/slots.ts'

/** The house, the permissions and the limits of a valid key. `key` is its public id, `name` what the key is for. */
export type Credentials = {
  key: string
  name: string | null
  house: ServedHouse
  permissions: readonly Permission[]
  /** Requests per minute. Null: the setting; 0: no limit. */
  rateLimit: number | null
  /** Whether a change of a record needs If-Match. */
  requiresIfMatch: boolean
}

// A revocation must take effect everywhere within a second. This is half of that.
const cacheMilliseconds = 500
const mostKeys = 10_000
// How many look-ups of unknown keys run at once, and how many wait. A client can send any number of random keys.
const mostLookUps = 4
const mostWaiting = 100

/** The hash under which a key is stored. The database never has the key itself. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

const keyIn = (header = '') => /^bearer +(\S+) *$/i.exec(header)?.[1]

/**
 * Reads `Authorization: Bearer …` headers. `findKey` looks up the hash of a key, and the result is kept for half a
 * second. A key is known if its last look-up found it. Unknown keys queue for their look-up, known keys do not.
 * `nameKey` gives the name of a known key.
 * @throws Problem unauthorized, temporarily-unavailable
 */
export function createAuthenticator(findKey: (hash: Buffer) => Promise<Credentials | undefined>) {
  const cache = new LRUCache<string, { at: number; found: Promise<Credentials | undefined> }>({ max: mostKeys })
  const known = new LRUCache<string, true>({ max: mostKeys })
  const strangers = createSlots(mostLookUps, mostWaiting)

  async function lookUp(hashed: Buffer, name: string) {
    const free = known.has(name) ? undefined : await strangers.take('')
    try {
      const found = await findKey(hashed)
      if (found) known.set(name, true)
      else known.delete(name)
      return found
    } finally {
      free?.()
    }
  }

  function find(key: string) {
    const hashed = hashKey(key)
    const name = hashed.toString('base64')
    const cached = cache.get(name)
    const now = performance.now()
    if (cached && now - cached.at < cacheMilliseconds) return cached.found
    const found = lookUp(hashed, name)
    cache.set(name, { at: now, found })
    found.catch(() => cache.delete(name))
    return found
  }

  async function authenticate(header: string | undefined): Promise<Credentials> {
    const key = keyIn(header)
    const credentials = key === undefined ? undefined : await find(key)
    if (!credentials) {
      throw new Problem(
        'unauthorized',
        header === undefined ? 'The request has no Authorization header.' : 'The API key is not valid.',
        {
          headers: { 'www-authenticate': 'Bearer' },
        },
      )
    }
    return credentials
  }

  const nameKey = (header: string): string | undefined => {
    const key = keyIn(header)
    const name = key === undefined ? '' : hashKey(key).toString('base64')
    return known.has(name) ? name : undefined
  }
  return { authenticate, nameKey }
}

/**
 * Refuses a key that lacks one of the permissions. The problem names the first missing one.
 * @throws Problem missing-permission
 */
export function requirePermissions(credentials: Credentials, needed: readonly Permission[]): void {
  const missing = needed.find((permission) => !credentials.permissions.includes(permission))
  if (missing === undefined) return
  throw new Problem('missing-permission', `The key lacks the permission ${missing}.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing}"` },
  })
}
