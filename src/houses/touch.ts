import type { Context, Scope } from '../context.ts'
import { isCitus } from '../db/citus.ts'
import type { Database } from '../db/pool.ts'
import { enqueue } from '../jobs/queue.ts'
import { noteChange, originOfCommand, type Terms, type Values } from '../writes/journal.ts'
import { findHouse, type NamedHouse } from './locks.ts'
import type { StoredKey } from './queries.ts'
import {
  endKey,
  expireKey,
  insertHouse,
  insertKey,
  lockSettings,
  writeSettings,
  type HouseRow,
  type HouseSettings,
  type NewKey,
} from './statements.ts'

type Key = { house_id: string; public_id: string }

const noteKey = (db: Database, { house_id: id, public_id: uuid }: Key, before: Values, after: Values, terms?: Terms) =>
  noteChange({ db, house: { id } }, { kind: 'key', uuid }, before, after, terms)

/** Inserts a key, and notes it for the journal. */
export async function addKey(db: Database, key: NewKey): Promise<void> {
  await insertKey(db, key)
  const { name, permissions, rate_limit, require_if_match } = key
  noteKey(db, key, {}, { name, permissions, rate_limit, require_if_match })
}

/** Revokes a key at `now`, unless it is revoked, and notes it for the journal. */
export async function touchRevoked(db: Database, key: StoredKey, now: Date): Promise<void> {
  const { house_id: house, public_id: uuid, revoked_at } = key
  if (revoked_at !== null) return
  await endKey(db, uuid, now)
  // The journal is on the house's worker, which may be away.
  if (await isCitus(db))
    await enqueue(db, 'note_revocation', { house, key: uuid, at: now.toISOString(), origin: originOfCommand() })
  else noteKey(db, key, {}, { revoked_at: now })
}

/** Notes for the journal that a key was revoked earlier, at that time. */
export const noteRevoked = (tx: Scope & Pick<Context, 'origin'>, uuid: string, revoked_at: Date): void =>
  noteChange(tx, { kind: 'key', uuid }, {}, { revoked_at }, { at: revoked_at })

/** Lets a key expire at `time`, unless it expires earlier, and notes it for the journal. */
export async function touchExpired(db: Database, key: StoredKey, time: Date): Promise<void> {
  await expireKey(db, key.public_id, time)
  noteKey(db, key, { expires_at: key.expires_at }, { expires_at: time })
}

/** Inserts a house, and notes it for the journal. */
export async function addHouse(db: Database, row: HouseRow): Promise<NamedHouse> {
  const { slug, name, default_locale: locale, currency } = row
  await insertHouse(db, row)
  const house = (await findHouse(db, slug))!
  noteChange({ db, house }, { kind: 'house', uuid: null }, {}, { slug, name, locale, currency })
  return house
}

/** Changes settings of a house, which must exist, and notes for the journal what differs. Undefined ones stay. */
export async function touchHouse(db: Database, slug: string, settings: HouseSettings, now: Date): Promise<void> {
  const house = await lockSettings(db, slug)
  await writeSettings(db, slug, settings, now)
  noteChange({ db, house }, { kind: 'house', uuid: null }, house, await lockSettings(db, slug))
}
