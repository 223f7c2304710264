import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { permissions } from '../../context.ts'
import type { Database } from '../../db/pool.ts'
import { hashKey } from '../../http/authentication.ts'
import { findHouse, listHouses } from '../../houses/houses.ts'
import { createKey, findKey } from '../../houses/keys.ts'
import type { MediaStore } from '../../media/store.ts'
import { load } from '../load/load.ts'
import { drawPictures } from './drawings.ts'
import { demoRecords, demoSlug } from './house.ts'

async function loadRecords(db: Database, media: MediaStore, now: Date): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-demo-'))
  try {
    await drawPictures(folder)
    const lines = demoRecords(now, '.')
    const stream = Readable.from(lines.map((record) => Buffer.from(`${JSON.stringify(record)}\n`)))
    await load({ db, media, now }, { name: 'the demo house', stream, directory: folder })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Loads the demo house into an empty database. Gives a key of the demo house, the same at every start (it is derived
 * from the secret), or undefined where the database holds other houses or the key was revoked.
 */
export async function loadDemo({
  db,
  media,
  secret,
}: {
  db: Database
  media: MediaStore
  secret: string
}): Promise<{ key: string } | undefined> {
  const now = new Date()
  const key = `ack_${createHmac('sha256', secret).update('key of the demo house').digest('base64url')}`
  if ((await listHouses(db)).length === 0) {
    await loadRecords(db, media, now)
    const house = await findHouse(db, demoSlug)
    await createKey(db, house!, [...permissions], 'demo', now, key)
  }
  return (await findKey(db, hashKey(key), now)) && { key }
}
