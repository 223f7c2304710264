import { sql, type Insertable } from 'kysely'
import type { ResultsMode } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { Tables } from '../db/schema/tables.ts'

// A house to insert. Times are timestamps as text.
export type HouseRow = Omit<Insertable<Tables['catalogue.houses']>, 'id' | 'created_at' | 'updated_at'> & {
  created_at: string | null
  updated_at: string | null
}

/** Inserts a house. */
export async function insertHouse(db: Database, house: HouseRow): Promise<void> {
  await sql`
    insert into catalogue.houses (public_id, slug, name, default_locale, currency, time_zone, buyer_premium_percentage,
      extension_threshold_seconds, extension_seconds, group_size, interval_seconds, results, storage_limit, created_at, updated_at)
    values (${house.public_id}, ${house.slug}, ${house.name}, ${house.default_locale}, ${house.currency}, ${house.time_zone},
      ${house.buyer_premium_percentage}, ${house.extension_threshold_seconds}, ${house.extension_seconds},
      ${house.group_size}, ${house.interval_seconds}, ${house.results}, ${house.storage_limit}, ${house.created_at}, ${house.updated_at})`.execute(
    db,
  )
}

/** Settings of a house. The storage limit is in bytes, 0: none. A null time zone is none. An undefined one stays. */
export type HouseSettings = {
  storageLimit?: number | undefined
  timeZone?: string | null | undefined
  results?: ResultsMode | undefined
}

/** Locks a house, and reads its settings. */
export async function lockSettings(db: Database, slug: string) {
  return db
    .selectFrom('catalogue.houses')
    .select(['id', 'storage_limit', 'time_zone', 'results'])
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Writes these settings of a house; undefined ones stay. */
export async function writeSettings(
  db: Database,
  slug: string,
  { storageLimit, timeZone, results }: HouseSettings,
  now: Date,
): Promise<void> {
  await db
    .updateTable('catalogue.houses')
    .set({ storage_limit: storageLimit?.toString(), time_zone: timeZone, results, updated_at: now })
    .where('slug', '=', slug)
    .execute()
}

/** A key to insert. */
export type NewKey = Pick<
  Insertable<Tables['catalogue.api_keys']>,
  'public_id' | 'house_id' | 'secret_hash' | 'name' | 'permissions' | 'rate_limit' | 'require_if_match' | 'created_at'
> & { public_id: string }

/** Inserts a key. */
export async function insertKey(db: Database, key: NewKey): Promise<void> {
  await sql`
    insert into catalogue.api_keys (public_id, house_id, secret_hash, name, permissions, rate_limit, require_if_match, created_at)
    values (${key.public_id}, ${key.house_id}, ${key.secret_hash}, ${key.name}, ${key.permissions}, ${key.rate_limit},
      ${key.require_if_match}, ${key.created_at})`.execute(db)
}

/** Locks the key with this public id. */
export async function lockKey(tx: Database, uuid: string | null): Promise<void> {
  await tx.selectFrom('catalogue.api_keys').select('id').where('public_id', '=', uuid).forUpdate().execute()
}

/** Revokes a key that is not revoked. */
export async function endKey(db: Database, uuid: string, now: Date): Promise<void> {
  await sql`
    update catalogue.api_keys set revoked_at = ${now} where public_id = ${uuid} and revoked_at is null`.execute(db)
}

/** Lets a key expire at `time`, unless it expires earlier. */
export async function expireKey(db: Database, uuid: string, time: Date): Promise<void> {
  await sql`
    update catalogue.api_keys set expires_at = least(expires_at, ${time}::timestamptz) where public_id = ${uuid}`.execute(
    db,
  )
}
