import { sql } from 'kysely'
import type { Permission, Scope, ServedHouse } from '../context.ts'
import { generation } from '../db/generation.ts'
import type { Database } from '../db/pool.ts'
import { houseColumns } from './locks.ts'

// A valid key with its house, whose name is `name`.
type ValidKey = ServedHouse & { secret_hash: Buffer; key_id: string; key_name: string | null } & Pick<
    StoredKey,
    'permissions' | 'rate_limit' | 'require_if_match'
  >

/** The keys with these hashes that are neither revoked nor expired at `now`, with their houses. */
export async function findValidKeys(db: Database, hashes: Buffer[], now: Date): Promise<ValidKey[]> {
  const { rows } = await sql<ValidKey>`
    select k.secret_hash, k.public_id as key_id, k.name as key_name, k.permissions, k.rate_limit, k.require_if_match, ${houseColumns},
      ${generation} as generation
    from catalogue.api_keys k join catalogue.houses h on h.id = k.house_id
    where k.secret_hash = any(${hashes}::bytea[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`.execute(
    db,
  )
  return rows
}

/** A key as it is stored, with the slug of its house. */
export type StoredKey = {
  public_id: string
  house_id: string
  slug: string
  name: string | null
  permissions: Permission[]
  rate_limit: number | null
  require_if_match: boolean
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

/** The keys of one house, or of all, oldest first. */
export async function findKeys(db: Database, houseId?: string): Promise<StoredKey[]> {
  const ofHouse = houseId === undefined ? sql`` : sql`where k.house_id = ${houseId}`
  const { rows } = await sql<StoredKey>`
    select k.public_id, k.house_id, h.slug, k.name, k.permissions, k.rate_limit, k.require_if_match, k.created_at, k.expires_at, k.revoked_at
    from catalogue.api_keys k join catalogue.houses h on h.id = k.house_id ${ofHouse}
    order by k.created_at, k.id`.execute(db)
  return rows
}

/** Whether the journal of a house has a row about this record at this time. */
export async function isNoted({ db, house }: Scope, record: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from catalogue.journal where house_id = ${house.id} and record = ${record} and at = ${at}`.execute(db)
  return rows.length > 0
}
