import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Catalogue, type ManagedImage } from '@auction-catalogue/client'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import { listStorage } from '../../src/images/storage.ts'
import { isKey } from '../../src/media/object-keys.ts'
import { uuid } from '../../test/support/lines.ts'
import { checkout, createDataDir, findPort, programOf, spawnCommand, startProcess } from '../../test/support/process.ts'
import { createRandom } from '../fuzz/random.ts'
import { assertReadable, assertWhole, keptOf, readVersions } from './shown.ts'
import { drawPicture, makeStore, withRows } from './store.ts'

// The command waits for uploads, and all of them share the processors. In milliseconds.
const readerRest = 250
const uploaderRest = 5_000

const signals = ['SIGKILL', 'SIGINT'] as const

/**
 * Upgrades a store of so many pictures, and kills the command so many times.
 * @param before a checkout of the version before; without it, this version makes the store and its sources are removed
 * @throws AssertionError for a picture that changes its address, is shown half or is not made, and for wrong sums
 */
export async function upgradePictures({
  pictures,
  kills,
  before,
  tell,
}: {
  pictures: number
  kills: number
  before?: string | undefined
  tell: (text: string) => void
}) {
  const folder = await createDataDir()
  const settings = { DATA_DIR: folder.dataDir, RATE_LIMIT_PER_MINUTE: '0' }
  const key = await makeStore(programOf(before ?? checkout), settings, pictures)
  tell(`${pictures} pictures are there`)
  const media = path.join(folder.dataDir, 'media')
  const PORT = String(await findPort())
  const service = await startProcess({ ...settings, PORT })
  const catalogue = new Catalogue({ url: `http://127.0.0.1:${PORT}`, key })
  try {
    return await withRows(settings, async (db) => {
      if (before === undefined) await forget(db, media)
      const damaged = await damage(db, media)
      const stored = new Map<string, ManagedImage>()
      for await (const image of catalogue.images.listAll()) stored.set(image.id, image)
      assert.equal(stored.size, pictures)
      assert.ok([...stored.values()].every(({ sources, placeholder }) => !placeholder && sources.length === 0))
      const versions = await readVersions(catalogue)
      const alone = await uploadUntil(catalogue, 'alone', async (uploads) => uploads >= 5)
      const traffic = new AbortController()
      const isOver = async () => traffic.signal.aborted
      const reading = Promise.all([1, 2].map((seed) => read(catalogue, stored, damaged, seed, isOver)))
      const uploading = uploadUntil(catalogue, 'beside', isOver)
      const deriving = derive(db, settings, kills, tell).finally(() => traffic.abort())
      const [addresses, beside, { outcome, seconds }] = await Promise.all([reading, uploading, deriving])

      assert.deepEqual(new Set(outcome.left.map(({ image }) => image)), damaged)
      const again = await run(settings)
      assert.deepEqual([again.code, again.outcome?.made, again.outcome?.left.length], [1, 0, damaged.size])
      for await (const image of catalogue.images.listAll()) {
        assertWhole(image)
        assert.equal(image.sources.length === 0, damaged.has(image.id), image.id)
        const earlier = stored.get(image.id)
        if (earlier !== undefined) assert.equal(keptOf(image), keptOf(earlier))
      }
      for (const [id, version] of await readVersions(catalogue))
        assert.equal(version === versions.get(id), damaged.has(id), id)
      const files = (await listStorage(db)).storage[0]!.files!
      assert.deepEqual([files.originals, files.renditions], await sumFiles(media))
      return {
        seconds: Math.round(seconds),
        addresses: addresses[0]! + addresses[1]!,
        uploadsAlone: describe(alone),
        uploadsBeside: describe(beside),
        bytes: files.renditions,
      }
    })
  } finally {
    await service.stop()
    await folder.remove()
  }
}

/** Makes all pictures those of the version before: no sources, in the store neither. */
async function forget(db: Database, media: string): Promise<void> {
  for (const name of await readdir(media, { recursive: true }))
    if (/\/\d+\.webp$/.test(name)) await rm(path.join(media, name))
  await sql`update catalogue.images set width = null, height = null, placeholder = null, sources_folder = null,
    source_widths = null, source_heights = null, revision = revision + 1`.execute(db)
  for (const { id, bytes } of await sizesOfFolders(db, media))
    await sql`update catalogue.images set renditions_bytes = ${bytes} where id = ${id}`.execute(db)
}

async function sizesOfFolders(db: Database, media: string): Promise<{ id: string; bytes: number }[]> {
  const { rows } = await sql<{ id: string; renditions: string }>`select id, renditions from catalogue.images`.execute(
    db,
  )
  return Promise.all(
    rows.map(async ({ id, renditions }) => {
      const names = await readdir(path.join(media, renditions))
      const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(media, renditions, name))).size))
      return { id, bytes: sizes.reduce((sum, size) => sum + size, 0) }
    }),
  )
}

/** Makes the originals of two images unreadable, and as large as they were. Returns the ids of the images. */
async function damage(db: Database, media: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string; original: string; bytes: string }>`
    select 'img_' || public_id as id, original, original_bytes as bytes from catalogue.images order by id limit 2`.execute(
    db,
  )
  for (const { original, bytes } of rows) await writeFile(path.join(media, original), Buffer.alloc(Number(bytes)))
  return new Set(rows.map(({ id }) => id))
}

/** The bytes of the files of the store: originals, and what was made from them. */
async function sumFiles(media: string): Promise<[number, number]> {
  const sums: [number, number] = [0, 0]
  for (const name of await readdir(media, { recursive: true }))
    if (isKey(name)) sums[name.startsWith('originals/') ? 0 : 1] += (await stat(path.join(media, name))).size
  return sums
}

/** Reads pictures at random: each is whole, has its old addresses, and all its addresses lead to whole pictures. */
async function read(
  catalogue: Catalogue,
  stored: Map<string, ManagedImage>,
  damaged: Set<string>,
  seed: number,
  isOver: () => Promise<boolean>,
): Promise<number> {
  const all = [...stored.values()]
  let addresses = 0
  for (let round = 0; !(await isOver()); round++) {
    const { id, item } = createRandom(seed, round).pick(all)
    const image = await catalogue.images.get(item, id)
    assertWhole(image)
    assert.equal(keptOf(image), keptOf(stored.get(id)!))
    addresses += await assertReadable(image, damaged.has(id))
    for (const each of (await catalogue.items.get(item, { expand: ['images'] })).images) assertWhole(each)
    await sleep(readerRest)
  }
  return addresses
}

type Upload = { answered: number; made: number }

/** Uploads one picture after the other. Returns the seconds until the answer to each, and until it was made. */
async function uploadUntil(
  catalogue: Catalogue,
  name: string,
  isOver: (uploads: number) => Promise<boolean>,
): Promise<Upload[]> {
  const uploads: Upload[] = []
  const item = `itm_${uuid(1)}` as const
  while (!(await isOver(uploads.length))) {
    const file = new Uint8Array(await drawPicture(1_200, 800))
    const began = performance.now()
    const passed = () => (performance.now() - began) / 1000
    const reference = `${name}-${uploads.length}`
    const { id } = await catalogue.images.upload(item, {
      file: new Blob([file]),
      external_reference: reference,
      public: false,
    })
    const answered = passed()
    const image = await catalogue.images.settled(item, id)
    uploads.push({ answered, made: passed() })
    assert.equal(image.sources.length, 3)
    await sleep(uploaderRest)
  }
  return uploads
}

function describe(uploads: Upload[]) {
  const median = (of: keyof Upload) =>
    uploads.map((upload) => upload[of]).toSorted((a, b) => a - b)[Math.floor(uploads.length / 2)]
  return { uploads: uploads.length, answered: median('answered'), made: median('made') }
}

type Outcome = { made: number; left: { image: string; reason: string }[] }

/** Runs the command to its end. `begun` receives its process. The outcome is that of a run that completes, with code 1 if images are left. */
async function run(settings: Record<string, string>, begun?: (kill: (signal: NodeJS.Signals) => void) => void) {
  const child = spawnCommand(settings, ['images', 'derive', '--missing', '--json'])
  let [printed, complaints] = ['', '']
  child.stdout!.on('data', (text) => (printed += text))
  child.stderr!.on('data', (text) => (complaints += text))
  begun?.((signal) => child.kill(signal))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, complaints, outcome: printed === '' ? undefined : (JSON.parse(printed) as Outcome) }
}

async function countLacking(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from catalogue.images
    where sources_folder is distinct from renditions and renditions is not null`.execute(db)
  return rows[0]!.count
}

/** Lets the command wait for the last image that lacks sources, so that it is not over before the end of the work. */
async function whileLastWaits(db: Database, work: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select from catalogue.images where id = (
      select max(id) from catalogue.images where sources_folder is distinct from renditions and renditions is not null)
      for update`.execute(tx)
    await work()
  })
}

/** Runs the command until it completes, and ends it at equal shares of the work. Its time is that of all runs. */
async function derive(
  db: Database,
  settings: Record<string, string>,
  kills: number,
  tell: (text: string) => void,
): Promise<{ outcome: Outcome; seconds: number }> {
  const began = performance.now()
  const all = await countLacking(db)
  for (let kill = 1; kill <= kills; kill++) {
    const goal = all * (1 - kill / (kills + 1))
    const signal = signals[kill % signals.length]!
    const ended = new AbortController()
    let end: (signal: NodeJS.Signals) => void
    const running = run(settings, (kill) => (end = kill)).finally(() => ended.abort())
    await whileLastWaits(db, async () => {
      while (!ended.signal.aborted && (await countLacking(db)) > goal) await sleep(20)
      end!(signal)
    })
    const { complaints, outcome } = await running
    assert.equal(outcome, undefined, 'the command was not over')
    tell(`${signal}: ${await countLacking(db)} of ${all} are left ${complaints.trim().split('\n').at(-1)}`)
  }
  const { code, complaints, outcome } = await run(settings)
  assert.equal(code, 1, complaints)
  return { outcome: outcome!, seconds: (performance.now() - began) / 1000 }
}
