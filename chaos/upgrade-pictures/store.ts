import assert from 'node:assert/strict'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { newFolder, newOriginal } from '../../src/media/object-keys.ts'
import { openDatabase, type Database } from '../../src/db/pool.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { until } from '../../test/support/pictures.ts'
import { findPort, type programOf } from '../../test/support/process.ts'

const slug = 'upgrade'

// The last is private.
const imagesPerItem = 5

// The pictures that the version before makes; the others are copies of theirs. A multiple of the sizes and of the places.
const drawn = 30

const sizes = [
  [120, 160],
  [240, 160],
  [490, 300],
] as const

/** A JPEG with noise, which takes as much work as a photograph of its size. */
export function drawPicture(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const
  return sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

type Settings = Record<string, string>
type Program = ReturnType<typeof programOf>

/** Fills a folder with so many pictures and their renditions, by the program of a checkout. Returns a key of their house. */
export async function makeStore(program: Program, settings: Settings, pictures: number): Promise<string> {
  const source = path.join(settings['DATA_DIR']!, '../source')
  await mkdir(source, { recursive: true })
  for (const [at, [width, height]] of sizes.entries())
    await writeFile(path.join(source, `${at}.jpg`), await drawPicture(width, height))
  const item = (number: number) => `itm_${uuid(number + 1)}`
  const lines = [
    houseLine(slug),
    ...Array.from({ length: Math.ceil(pictures / imagesPerItem) }, (_, at) => ({
      type: 'item',
      id: item(at),
      external_reference: `I-${at}`,
      title: `Item ${at}`,
    })),
    ...Array.from({ length: pictures }, (_, at) => ({
      type: 'image',
      id: `img_${uuid(at + 1)}`,
      item: item(Math.floor(at / imagesPerItem)),
      external_reference: `P-${at}`,
      ...(at < drawn && { file: `${at % sizes.length}.jpg` }),
      ...(at % imagesPerItem < imagesPerItem - 1 && { public: true, position: at % imagesPerItem }),
    })),
  ]
  const file = path.join(source, 'catalogue.ndjson')
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const loaded = await program.runCommand(settings, 'load', file)
  assert.equal(loaded.code, 0, loaded.stderr)
  const issued = await program.runCommand(settings, 'keys', 'create', '--house', slug, '--all', '--json')
  const { key } = JSON.parse(issued.stdout) as { key: string }
  const service = await program.startProcess({ ...settings, PORT: String(await findPort()) })
  await withRows(settings, async (db) => {
    await until(async () => (await countProcessing(db)) === 0)
    await copyPictures(db, path.join(settings['DATA_DIR']!, 'media'))
  })
  assert.equal(await service.stop(), 0)
  return key
}

/** Works on the database of a service that runs on this folder. */
export async function withRows<T>(settings: Settings, work: (db: Database) => Promise<T>): Promise<T> {
  const host = path.join(settings['DATA_DIR']!, 'postgres')
  const { db, pool } = openDatabase({ host, user: 'catalogue', database: 'catalogue' }, 2)
  try {
    return await work(db)
  } finally {
    await pool.end()
  }
}

type Row = { id: string; original: string | null; renditions: string | null }

/** Gives each image without files copies of those of an image of the same size and place. */
async function copyPictures(db: Database, media: string): Promise<void> {
  const { rows } = await sql<Row>`
    select id, original, renditions from catalogue.images order by public_id`.execute(db)
  const copies = rows.slice(drawn).map(({ id }, at) => {
    const model = rows[at % drawn]!
    return { id, model, original: newOriginal(), renditions: newFolder(model.renditions!.startsWith('public/')) }
  })
  for (const { model, original, renditions } of copies)
    await Promise.all([
      cp(path.join(media, model.original!), path.join(media, original)),
      cp(path.join(media, model.renditions!), path.join(media, renditions), { recursive: true }),
    ])
  const made = JSON.stringify(copies.map(({ model, ...copy }) => ({ ...copy, model: model.id })))
  await sql`
    update catalogue.images image set original = made.original, renditions = made.renditions,
      original_type = model.original_type, original_bytes = model.original_bytes, renditions_bytes = model.renditions_bytes
    from jsonb_to_recordset(${made}::jsonb) as made (id bigint, model bigint, original text, renditions text),
      catalogue.images model
    where image.id = made.id and model.house_id = image.house_id and model.id = made.model`.execute(db)
}

async function countProcessing(db: Database): Promise<number> {
  await sleep(500)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from catalogue.images where processing`.execute(db)
  return rows[0]!.count
}
