import { hash } from 'node:crypto'
import type { House, Permission } from '../context.ts'
import { Problem } from '../problems.ts'

/** Whom a valid key speaks for. `key` is the key's public id. */
export type Credentials = { key: string; house: House; permissions: readonly Permission[] }

// Half of the second within which a revocation has to take effect everywhere.
const cacheMilliseconds = 500
const cacheSize = 10_000
const mostHouses = 200

/** The hash under which a key is stored; the key itself is stored nowhere. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/**
 * Reads `Authorization: Bearer …` headers; `findKey` looks a key's hash up. What it found holds for half a second.
 * @throws Problem unauthorized
 */
export function createAuthenticator(findKey: (hash: Buffer) => Promise<Credentials | undefined>) {
  const cache = new Map<string, { at: number; found: Promise<Credentials | undefined> }>()
  // One object a house while its settings stay, so that what was made for it is found again.
  const houses = new Map<string, House>()

  async function lookUp(hashed: Buffer) {
    const found = await findKey(hashed)
    if (!found) return undefined
    const settings = JSON.stringify(found.house)
    const house = houses.get(settings) ?? found.house
    houses.delete(settings)
    houses.set(settings, house)
    if (houses.size > mostHouses) houses.delete(houses.keys().next().value!)
    return { ...found, house }
  }

  function find(key: string) {
    const hashed = hashKey(key)
    const name = hashed.toString('base64')
    const cached = cache.get(name)
    const now = performance.now()
    if (cached && now - cached.at < cacheMilliseconds) return cached.found
    cache.delete(name)
    if (cache.size >= cacheSize) cache.delete(cache.keys().next().value!)
    const found = lookUp(hashed)
    cache.set(name, { at: now, found })
    found.catch(() => cache.delete(name))
    return found
  }

  return async function authenticate(header: string | undefined): Promise<Credentials> {
    const key = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
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
}

/**
 * Refuses a key that lacks one of the permissions, naming the first that is missing.
 * @throws Problem missing-permission
 */
export function requirePermissions(credentials: Credentials, needed: readonly Permission[]): void {
  const missing = needed.find((permission) => !credentials.permissions.includes(permission))
  if (missing === undefined) return
  throw new Problem('missing-permission', `The key lacks the permission ${missing}.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing}"` },
  })
}
