import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Permission } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { hashKey, type Credentials } from '../request/authentication.ts'
import { houseColumns, type NamedHouse } from './houses.ts'

/** A key as the command line lists it; the secret itself is stored nowhere. */
export type KeySummary = {
  id: string
  house: string
  name: string | null
  permissions: Permission[]
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

/** A key just issued: `key` is shown this once. */
export type IssuedKey = { id: string; house: string; permissions: Permission[]; key: string }

type KeyRow = {
  public_id: string
  house_id: string
  slug: string
  name: string | null
  permissions: Permission[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

const printKeyId = (uuid: string) => `key_${uuid}`

function parseKeyId(text: string): string | undefined {
  return /^(?:key_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(text)?.[1]?.toLowerCase()
}

/** The house and permissions of the key with this hash; undefined when it is unknown, revoked or expired at `now`. */
export async function findKey(db: Database, hash: Buffer, now: Date): Promise<Credentials | undefined> {
  type Row = NamedHouse & { key_id: string; permissions: Permission[] }
  const { rows } = await sql<Row>`
    select k.public_id as key_id, k.permissions, ${houseColumns}
    from catalogue.api_keys k join catalogue.houses h on h.id = k.house_id
    where k.secret_hash = ${hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`.execute(
    db,
  )
  if (!rows[0]) return undefined
  const { key_id, permissions, ...house } = rows[0]
  return { key: printKeyId(key_id), permissions, house }
}

/** Issues a key of the house; only its hash is stored. */
export async function createKey(
  db: Database,
  house: { id: string; slug: string },
  permissions: Permission[],
  name: string | null,
  now: Date,
  key = `ack_${randomBytes(32).toString('base64url')}`,
): Promise<IssuedKey> {
  const uuid = randomUUID()
  await sql`
    insert into catalogue.api_keys (public_id, house_id, secret_hash, name, permissions, created_at)
    values (${uuid}, ${house.id}, ${hashKey(key)}, ${name}, ${permissions}, ${now})`.execute(db)
  return { id: printKeyId(uuid), house: house.slug, permissions, key }
}

async function selectKeys(db: Database, houseId: string | undefined): Promise<KeyRow[]> {
  const ofHouse = houseId === undefined ? sql`` : sql`where k.house_id = ${houseId}`
  const { rows } = await sql<KeyRow>`
    select k.public_id, k.house_id, h.slug, k.name, k.permissions, k.created_at, k.expires_at, k.revoked_at
    from catalogue.api_keys k join catalogue.houses h on h.id = k.house_id ${ofHouse}
    order by k.created_at, k.id`.execute(db)
  return rows
}

/** The keys of one house, or of all, oldest first. */
export async function listKeys(db: Database, houseId?: string): Promise<KeySummary[]> {
  const rows = await selectKeys(db, houseId)
  return rows.map((row) => ({
    id: printKeyId(row.public_id),
    house: row.slug,
    name: row.name,
    permissions: row.permissions,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }))
}

async function requireKey(db: Database, id: string): Promise<KeyRow> {
  const uuid = parseKeyId(id)
  const row = (await selectKeys(db, undefined)).find((each) => each.public_id === uuid)
  if (!row) throw new Error(`there is no key ${id}`)
  return row
}

/** Revokes a key for good; a revoked key stays as it is. */
export async function revokeKey(db: Database, id: string, now: Date): Promise<KeySummary> {
  const row = await requireKey(db, id)
  await sql`update catalogue.api_keys set revoked_at = ${now} where public_id = ${row.public_id} and revoked_at is null`.execute(
    db,
  )
  return (await listKeys(db, row.house_id)).find((each) => each.id === printKeyId(row.public_id))!
}

/**
 * Issues a new key with the same name and permissions; the old one works for `graceSeconds` more, never longer than
 * before. `tx` is the caller's transaction.
 */
export async function rotateKey(tx: Database, id: string, graceSeconds: number, now: Date): Promise<IssuedKey> {
  await sql`select from catalogue.api_keys where public_id = ${parseKeyId(id) ?? null} for update`.execute(tx)
  const row = await requireKey(tx, id)
  if (row.revoked_at) throw new Error(`the key ${id} is revoked`)
  if (row.expires_at && row.expires_at <= now) throw new Error(`the key ${id} has expired`)
  const graceEnds = new Date(now.getTime() + graceSeconds * 1000)
  await sql`update catalogue.api_keys set expires_at = least(expires_at, ${graceEnds}::timestamptz) where public_id = ${row.public_id}`.execute(
    tx,
  )
  return createKey(tx, { id: row.house_id, slug: row.slug }, row.permissions, row.name, now)
}
