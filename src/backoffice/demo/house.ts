import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { permissions, type House } from '../../context.ts'
import type { Database } from '../../db/pool.ts'
import { hashKey } from '../../request/authentication.ts'
import { findHouse, listHouses } from '../../houses/houses.ts'
import { createKey, findKey } from '../../houses/api-keys.ts'
import type { MediaStore } from '../../media/store.ts'
import type { Keyrings } from '../../secret.ts'
import { load } from '../../load/loader.ts'
import { resolveTime } from './times.ts'

const demo = path.join(import.meta.dirname, '../../../demo')

/** The records of the demo house for a load at `now`, the house first. Its images name the rendered pictures. */
export async function readHouse(now: Date): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path.join(demo, 'house.ndjson'), 'utf8')).trimEnd().split('\n')
  const resolve = (field: string, value: unknown) => {
    if (typeof value !== 'string') return value
    if (field.endsWith('_at')) return resolveTime(value, now).toISOString()
    return field === 'file' ? value.replace(/\.svg$/, '.jpg') : value
  }
  return lines.map((line) => JSON.parse(line, resolve) as Record<string, unknown>)
}

/** Renders the pictures of the demo house into `pictures/` below the folder, as JPEGs. */
export async function renderPictures(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'pictures'))
  const queue = (await readdir(path.join(demo, 'pictures'))).values()
  const render = async () => {
    for (const name of queue)
      await sharp(path.join(demo, 'pictures', name))
        .jpeg({ quality: 80 })
        .toFile(path.join(folder, 'pictures', name.replace(/\.svg$/, '.jpg')))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, render))
}

/** Whether the database has the demo house and no other. */
export async function isDemo(db: Database): Promise<boolean> {
  const [demo] = await readHouse(new Date())
  const houses = await listHouses(db)
  return houses.length === 1 && houses[0]!.slug === demo!['slug']
}

async function loadHouse(db: Database, media: MediaStore, records: Record<string, unknown>[], now: Date) {
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-demo-'))
  try {
    await renderPictures(folder)
    const stream = Readable.from(records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`)))
    await load({ db, media, now }, { name: 'the demo house', stream, directory: folder })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Loads the demo house into an empty database. Gives its key, which is derived from the secret and thus the same at every
 * start; or, as `noKey`, why there is none to show and what to do.
 */
export async function loadDemo({
  db,
  media,
  keyrings,
}: {
  db: Database
  media: MediaStore
  keyrings: Keyrings
}): Promise<{ house?: House; key?: string; noKey?: string }> {
  const now = new Date()
  const keys = keyrings.demo.map((key) => `ack_${key}`)
  const records = await readHouse(now)
  const slug = records[0]!['slug'] as string
  if ((await listHouses(db)).length === 0) {
    await loadHouse(db, media, records, now)
    await createKey(db, (await findHouse(db, slug))!, [...permissions], 'demo', now, {}, keys[0])
  }
  const house = await findHouse(db, slug)
  for (const key of keys) if (await findKey(db, hashKey(key), now)) return { key, ...(house && { house }) }
  if (house)
    return {
      house,
      noKey: `the key of the demo house was made with another SECRET, or is revoked; issue a new one: bin/catalogue keys create --house ${slug} --all`,
    }
  return { noKey: 'the database has other houses, so the demo house is not loaded; it needs an empty DATA_DIR' }
}
