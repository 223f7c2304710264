import { randomBytes, randomUUID } from 'node:crypto'
import type { Permission } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { hashKey, type Credentials } from '../http/access/authentication.ts'
import { wakeWaiting } from '../writes/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import { programName } from '../values/program.ts'
import { findKeys, findValidKeys, type StoredKey } from './queries.ts'
import { lockKey } from './statements.ts'
import { addKey, touchExpired, touchRevoked } from './touch.ts'

// A key as the command line lists it. The secret itself is not stored.
type KeySummary = {
  id: string
  house: string
  name: string | null
  permissions: Permission[]
  rate_limit: number | null
  require_if_match: boolean
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

/**
 * The terms of a key. `rate_limit`: requests per minute instead of the setting; 0 is no limit. `require_if_match`: each
 * change of a record needs an If-Match.
 */
export type KeyTerms = Pick<KeySummary, 'rate_limit' | 'require_if_match'>

/** A key that was just issued. `key` is its secret, which cannot be shown again. */
export type IssuedKey = { id: string; house: string; permissions: Permission[]; key: string }

const printKeyId = (uuid: string) => `key_${uuid}`

function parseKeyId(text: string): string | undefined {
  return /^(?:key_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(text)?.[1]?.toLowerCase()
}

/** The houses and permissions of the keys with these hashes; undefined for one that is unknown, revoked or expired at `now`. */
export async function findKeysByHash(db: Database, hashes: Buffer[], now: Date): Promise<(Credentials | undefined)[]> {
  const found = await findValidKeys(db, hashes, now)
  return hashes.map((hash) => {
    const valid = found.find(({ secret_hash }) => secret_hash.equals(hash))
    if (!valid) return undefined
    const { key_id, key_name: name, permissions, rate_limit, require_if_match, secret_hash: _, ...house } = valid
    return {
      key: printKeyId(key_id),
      name,
      permissions,
      rateLimit: rate_limit,
      requiresIfMatch: require_if_match,
      house,
    }
  })
}

/** Issues a key of the house. Stores only its hash. */
export async function createKey(
  db: Database,
  house: { id: string; slug: string },
  permissions: Permission[],
  name: string | null,
  now: Date,
  { rate_limit = null, require_if_match = false }: Partial<KeyTerms> = {},
  key = `ack_${randomBytes(32).toString('base64url')}`,
): Promise<IssuedKey> {
  const uuid = randomUUID()
  const secret_hash = hashKey(key)
  const terms = { rate_limit, require_if_match }
  await addKey(db, {
    public_id: uuid,
    house_id: house.id,
    secret_hash,
    name,
    permissions,
    ...terms,
    created_at: now,
  })
  return { id: printKeyId(uuid), house: house.slug, permissions, key }
}

/** The keys of one house, or of all, oldest first. */
export async function listKeys(db: Database, houseId?: string): Promise<KeySummary[]> {
  const rows = await findKeys(db, houseId)
  return rows.map((row) => ({
    id: printKeyId(row.public_id),
    house: row.slug,
    name: row.name,
    permissions: row.permissions,
    rate_limit: row.rate_limit,
    require_if_match: row.require_if_match,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }))
}

async function requireKey(db: Database, id: string): Promise<StoredKey> {
  const uuid = parseKeyId(id)
  const row = (await findKeys(db)).find((each) => each.public_id === uuid)
  if (!row) throw new Error(`there is no key ${id} (see: ${programName} keys list)`)
  return row
}

/** Revokes a key permanently. A revoked key stays as it is. */
export async function revokeKey(db: Database, id: string, now: Date): Promise<KeySummary> {
  return inTransaction({ db }, async ({ db: tx }) => {
    const key = await requireKey(tx, id)
    const { public_id: uuid, house_id } = key
    await touchRevoked(tx, key, now)
    await wakeWaiting(tx, house_id)
    return (await listKeys(tx, house_id)).find((each) => each.id === printKeyId(uuid))!
  })
}

/**
 * Issues a new key with the same name, permissions and terms. The old one works for `graceSeconds` more, but not beyond
 * its own expiry. `tx` is the caller's transaction.
 */
export async function rotateKey(tx: Database, id: string, graceSeconds: number, now: Date): Promise<IssuedKey> {
  await lockKey(tx, parseKeyId(id) ?? null)
  const row = await requireKey(tx, id)
  if (row.revoked_at) throw new Error(`the key ${id} is revoked`)
  if (row.expires_at && row.expires_at <= now) throw new Error(`the key ${id} has expired`)
  const graceEnds = new Date(now.getTime() + graceSeconds * 1000)
  await touchExpired(tx, row, graceEnds)
  return createKey(tx, { id: row.house_id, slug: row.slug }, row.permissions, row.name, now, row)
}
