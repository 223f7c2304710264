import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { allPermissions, permissions, type House } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { inTransaction } from '../writes/transaction.ts'
import { hashKey } from '../http/access/authentication.ts'
import { findHouse, listHouses } from '../houses/locks.ts'
import { findKnown } from '../reads/names.ts'
import { printId } from '../values/ids.ts'
import { createKey, findKeysByHash } from '../houses/api-keys.ts'
import type { MediaStore } from '../media/store.ts'
import type { Keyrings } from '../settings/secret.ts'
import { loadWithin } from '../load/loader.ts'
import { programName } from '../values/program.ts'
import { lockDemo } from './statements.ts'
import { queuePictures } from './pictures.ts'
import { resolveTime } from './times.ts'

const demo = path.join(import.meta.dirname, '../../demo')

/** The records of the demo house for a load at `now`, the house first. Its images name the pictures to draw. */
export async function readHouse(now: Date): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path.join(demo, 'house.ndjson'), 'utf8')).trimEnd().split('\n')
  const resolve = (field: string, value: unknown) => {
    return typeof value === 'string' && /(^|_)at$/.test(field) ? resolveTime(value, now).toISOString() : value
  }
  return lines.map((line) => JSON.parse(line, resolve) as Record<string, unknown>)
}

/** Whether the database has the demo house and no other. */
export async function isDemo(db: Database): Promise<boolean> {
  const [demo] = await readHouse(new Date())
  const houses = await listHouses(db)
  return houses.length === 1 && houses[0]!.slug === demo!['slug']
}

// The records are loaded first: the service shows them at once, and its worker draws the pictures later.
function openRecords(records: Record<string, unknown>[]) {
  const lines = records.map(({ file, ...record }) => (file === undefined ? record : { ...record, processing: true }))
  const stream = Readable.from(lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)))
  return { name: 'the demo house', stream, directory: demo }
}

/** The reference of the session in the saleroom, where a clerk records results. */
export const saleroom = 'veiling-113-zaal'

/** A key of the demo house for its staff, and the session of the clerk. */
export type DemoStaff = { key: string; session: string }

/**
 * What a start shows of the demo house: a key, and that of its staff. `noKey`: why there is no key to show, and what to
 * do.
 */
export type Demo = { house?: House; key?: string; staff?: DemoStaff; noKey?: string }

async function findKey(db: Database, keys: readonly string[], now: Date): Promise<string | undefined> {
  for (const key of keys) if ((await findKeysByHash(db, [hashKey(key)], now))[0]) return key
  return undefined
}

async function findStaff(
  db: Database,
  house: House,
  keys: readonly string[],
  now: Date,
): Promise<DemoStaff | undefined> {
  const key = await findKey(db, keys, now)
  const [session] = await findKnown(
    { db, house },
    'session',
    { key: 'external_reference', byTitle: false, archived: true },
    { uuids: [], names: [saleroom] },
  )
  return key === undefined || !session?.uuid ? undefined : { key, session: printId('session', session.uuid) }
}

/**
 * Loads the demo house with its keys into an empty database, all of it or nothing. Of several concurrent starts one
 * loads it, and the others wait. Jobs draw its pictures later. Its keys are derived from the secret, and are the same at
 * every start.
 */
export async function loadDemo({
  db,
  media,
  keyrings,
}: {
  db: Database
  media: MediaStore
  keyrings: Keyrings
}): Promise<Demo> {
  const now = new Date()
  const keysOf = (use: 'demo' | 'demo-staff') => keyrings[use].map((key) => `ack_${key}`)
  const [keys, staffKeys] = [keysOf('demo'), keysOf('demo-staff')]
  const records = await readHouse(now)
  const slug = records[0]!['slug'] as string
  await inTransaction({ db, media, now }, async (tx) => {
    await lockDemo(tx.db)
    if ((await listHouses(tx.db)).length > 0) return
    await loadWithin(tx, openRecords(records))
    const house = (await findHouse(tx.db, slug))!
    await createKey(tx.db, house, [...permissions], 'demo', now, {}, keys[0])
    await createKey(tx.db, house, [...allPermissions], 'demo clerk', now, {}, staffKeys[0])
    await queuePictures({ db: tx.db, house }, records)
  })
  const house = await findHouse(db, slug)
  if (!house)
    return { noKey: 'the database has other houses, so the demo house is not loaded; it needs an empty DATA_DIR' }
  const key = await findKey(db, keys, now)
  if (key !== undefined) {
    const staff = await findStaff(db, house, staffKeys, now)
    return { house, key, ...(staff && { staff }) }
  }
  return {
    house,
    noKey: `the key of the demo house was made with another SECRET, or is revoked; issue a new one: ${programName} keys create --house ${slug} --all`,
  }
}
