import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { form, picture, storedFiles, unsigned, until, workOff } from '../../test/support/pictures.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { publicUrl, startService, type TestService } from '../../test/support/service.ts'
import { load } from '../load/loader.ts'
import { openDatabase } from '../db/pool.ts'
import { listJobs, retryJob } from '../jobs/jobs.ts'
import { enqueue } from '../jobs/queue.ts'
import { mediaFolder } from '../media/file-store.ts'
import { newFolder, newOriginal, renditionKey } from '../media/object-keys.ts'
import { mediaRoutes } from '../media/routes.ts'
import { signatureLifetime } from '../media/signatures.ts'
import { cleanStore } from './clean-store.ts'
import type { MediaStore } from '../media/store.ts'
import { areFilesHeld, holdFiles } from './file-statements.ts'
import { deriveImage } from './tasks.ts'

let service: TestService
let key: string
let items = 0
let now = new Date()

before(async () => {
  service = await startService({ records: [houseLine('noord')] })
  await service.app.register(mediaRoutes, {
    dataDir: service.dataDir,
    keyring: service.keyrings.addresses,
    clock: () => now,
  })
  key = await service.issueKey('noord')
  // A failed job runs again only when a test says so, however long its run takes.
  await sql`create function postpone() returns trigger language plpgsql as
    $$ begin new.run_at := new.run_at + interval '1 day'; return new; end $$`.execute(service.db)
  await sql`create trigger postpone before update on graphile_worker._private_jobs for each row
    when (old.locked_by is not null and new.locked_by is null) execute function postpone()`.execute(service.db)
})
after(() => service.close())

type Addresses = {
  url: string | null
  preview_url: string | null
  thumbnail_url: string | null
  mini_url: string | null
  width: number | null
  height: number | null
  placeholder: string | null
  sources: { url: string; width: number; height: number; type: string }[]
}
type Image = Addresses & {
  id: string
  public: boolean
  processing: boolean
  processing_failure: { code: string; at: string } | null
  original_url: string
  updated_at: string
}

async function newItem(): Promise<string> {
  const id = uuid(++items)
  await service.load([houseLine('noord'), { type: 'item', id, translations: { nl: { title: 'Vaas' } } }])
  return `/api/v2/items/itm_${id}`
}

/** Uploads a picture. Returns the path of its image. */
async function upload(item: string, options: { visible?: boolean; bytes?: Buffer } = {}): Promise<string> {
  const bytes = options.bytes ?? (await picture())
  const visible = String(options.visible ?? true)
  const { headers, body } = form(
    ['external_reference', crypto.randomUUID()],
    ['public', visible],
    ['file', bytes, 'a.jpg'],
  )
  const response = await service.request({ method: 'POST', url: `${item}/images`, key, headers, body })
  assert.equal(response.statusCode, 201, response.body)
  return String(response.headers.location)
}

const read = async (image: string) => (await service.get(image, key)).json<{ data: Image }>().data
const gallery = async (item: string) =>
  (await service.get(`${item}?expand[]=images`, key)).json<{ data: { images: Addresses[] } }>().data.images
const addresses = ({ url, preview_url, thumbnail_url, mini_url, sources }: Addresses) => [
  url,
  preview_url,
  thumbnail_url,
  mini_url,
  ...sources.map((source) => source.url),
]
const fetchFile = (address: string) => service.request({ url: address.slice(publicUrl.length) })

async function rowOf(image: string) {
  const { rows } = await sql<{ id: string; house_id: string; original: string; renditions: string; item: string }>`
    select g.id, g.house_id, g.original, g.renditions, i.revision as item from catalogue.images g
    join catalogue.items i on i.house_id = g.house_id and i.id = g.item_id where g.public_id = ${image.slice(-36)}`.execute(
    service.db,
  )
  return rows[0]!
}

/** Checks that a row names every file, and that every file named by a row exists. */
async function assertConsistent() {
  const { rows } = await sql<{
    original: string | null
    renditions: string | null
    widths: number[] | null
  }>`select original, renditions, source_widths as widths from catalogue.images`.execute(service.db)
  const named = rows.flatMap(({ original, renditions, widths }) => [
    ...(original === null ? [] : [original]),
    ...(renditions === null
      ? []
      : (['image', 'preview', 'thumbnail', 'mini', ...widths!] as const).map((name) => renditionKey(renditions, name))),
  ])
  assert.deepEqual(await storedFiles(service.media), named.toSorted())
}

test('a public picture gets permanent addresses of renditions and sources, all of the sizes that are said', async () => {
  const item = await newItem()
  const image = await upload(item, { bytes: await picture('#336699', 1200, 800) })
  const uploaded = await rowOf(image)
  await workOff(service)
  const record = await read(image)
  assert.deepEqual([record.processing, record.processing_failure], [false, null])
  const { sources, placeholder, width, height } = record
  assert.deepEqual([width, height, Buffer.from(placeholder!, 'base64').toString('base64')], [1200, 800, placeholder])
  const [shown] = await gallery(item)
  assert.deepEqual(addresses(shown!), addresses(record))
  assert.deepEqual({ ...shown!, ...record }, { ...record, ...shown! }, 'both documents say the same')
  const sizes = []
  for (const address of addresses(record)) {
    const file = await fetchFile(address!)
    assert.deepEqual([file.statusCode, file.headers['content-type']], [200, 'image/webp'])
    assert.match(String(file.headers['cache-control']), /^public, .*immutable$/)
    const { width, height } = await sharp(file.rawPayload).metadata()
    sizes.push(`${width}x${height}`)
  }
  const ofSources = sources.map((source) => `${source.width}x${source.height}`)
  assert.deepEqual(ofSources, ['480x320', '960x640', '1200x800'])
  assert.deepEqual(sizes, ['900x600', '250x167', '250x250', '70x70', ...ofSources])
  assert.ok(sources.every(({ type }) => type === 'image/webp'))
  assert.ok((await rowOf(image)).item > uploaded.item, 'the item has another revision')
  await assertConsistent()
})

test('a private picture and every original have signed addresses that expire', async () => {
  const image = await upload(await newItem(), { visible: false })
  await workOff(service)
  const record = await read(image)
  now = new Date()
  for (const address of [...addresses(record), record.original_url]) {
    assert.equal((await fetchFile(address!)).statusCode, 200)
    assert.equal((await fetchFile(address!.split('?')[0]!)).statusCode, 403)
    assert.equal((await fetchFile(address!.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).statusCode, 403)
    now = new Date(Date.now() + (signatureLifetime + 5) * 1000)
    assert.equal((await fetchFile(address!)).statusCode, 403)
    now = new Date()
  }
})

test('renditions move when a picture becomes private or public; until then it has no addresses', async () => {
  const item = await newItem()
  const image = await upload(item)
  await workOff(service)
  const shown = await read(image)
  const replace = (images: string[]) =>
    service.request({ method: 'PATCH', url: `${item}/gallery`, key, body: { images } })

  await replace([])
  assert.deepEqual(addresses(await read(image)), [null, null, null, null])
  assert.deepEqual([(await read(image)).placeholder, (await read(image)).width], [shown.placeholder, 40])
  await workOff(service)
  const hidden = await read(image)
  assert.match(hidden.url!, /\/media\/private\/[0-9a-f]{32}\/image\.webp\?expires=/)
  assert.equal((await fetchFile(hidden.url!)).statusCode, 200)
  assert.equal((await fetchFile(shown.url!)).statusCode, 404)
  await assertConsistent()

  await replace([image.slice(-40)])
  assert.deepEqual(addresses((await gallery(item))[0]!), [null, null, null, null])
  assert.deepEqual(addresses(await read(image)), [null, null, null, null])
  const before = await rowOf(image)
  await workOff(service)
  const again = await read(image)
  assert.deepEqual(addresses((await gallery(item))[0]!), addresses(again))
  assert.notEqual(again.url, shown.url)
  assert.equal((await fetchFile(again.url!)).statusCode, 200)
  assert.ok((await rowOf(image)).item > before.item)
  await assertConsistent()

  await replace([])
  await replace([image.slice(-40)])
  assert.deepEqual(await read(image).then(addresses), addresses(again), 'there and back before the move')
  await workOff(service)
  assert.deepEqual(await read(image).then(addresses), addresses(again))
})

test('every failed attempt is recorded; after the fifth the image is no longer processing; success clears the failure', async () => {
  const image = await upload(await newItem())
  const { original } = await rowOf(image)
  const file = path.join(mediaFolder(service.dataDir), original)
  await writeFile(file, 'no picture any more')
  const job = async () =>
    (await listJobs(service.db, { failed: false })).find((each) => each.task === 'derive_renditions')!
  const seen = []
  for (let attempt = 1; attempt <= 5; attempt++) {
    await sql`select graphile_worker.reschedule_jobs(array[${(await job()).id}::bigint], run_at => now())`.execute(
      service.db,
    )
    const worker = workOff(service)
    await until(async () => {
      const { attempts, state } = await job()
      return attempts === attempt && state !== 'running'
    })
    await worker
    const { processing, processing_failure } = await read(image)
    seen.push([processing, processing_failure?.code, (await job()).state])
  }
  const code = 'derivative_processing_failed'
  assert.deepEqual(seen, [...Array.from({ length: 4 }, () => [true, code, 'retrying']), [false, code, 'failed']])
  const [failed] = await listJobs(service.db, { failed: true })
  assert.deepEqual(
    [failed!.state, failed!.attempts, failed!.last_error],
    ['failed', 5, 'The file is not a JPEG, PNG, WebP, AVIF, TIFF or GIF.'],
  )

  await writeFile(file, await picture('#ff0000'))
  assert.equal((await retryJob(service.db, failed!.id)).state, 'waiting')
  await workOff(service)
  const { processing, processing_failure, url } = await read(image)
  assert.deepEqual([processing, processing_failure], [false, null])
  assert.notEqual(url, null)
  await assertConsistent()
})

test("an outage of the store, however long, does not use up a picture's last attempts", async () => {
  const image = await upload(await newItem())
  const unavailable = () => Promise.reject(new Error('the store is away'))
  const media: MediaStore = { ...service.media, download: unavailable }
  for (let attempt = 1; attempt <= 5; attempt++) {
    await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
      where task_identifier = 'derive_renditions'`.execute(service.db)
    await workOff({ ...service, media })
    const { processing, processing_failure } = await read(image)
    assert.deepEqual([processing, processing_failure?.code], [true, 'derivative_processing_failed'])
    const [job] = await listJobs(service.db, { failed: true })
    assert.deepEqual(
      [job!.state, job!.attempts, job!.last_error],
      ['retrying', Math.min(attempt, 3), 'the store is away'],
    )
  }
  await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where task_identifier = 'derive_renditions'`.execute(service.db)
  await workOff(service)
  const { processing, processing_failure } = await read(image)
  assert.deepEqual([processing, processing_failure], [false, null])
})

test('a picture that failed its last attempt can be processed again', async () => {
  const image = await upload(await newItem())
  const { original, id, house_id } = await rowOf(image)
  await rm(path.join(mediaFolder(service.dataDir), original))
  const context = { db: service.db, media: service.media, clock: () => new Date(), isLastAttempt: true }
  await assert.rejects(deriveImage(context, { house: house_id, image: id }))
  assert.equal((await read(image)).processing, false)
  await service.media.put(original, await picture())
  const response = await service.request({ method: 'POST', url: `${image}/reprocess`, key, body: {} })
  assert.equal(response.statusCode, 202)
  await workOff(service)
  const { processing, processing_failure } = await read(image)
  assert.deepEqual([processing, processing_failure], [false, null])
})

test('an image that is deleted during its processing leaves no files, and the job ends without an error', async () => {
  const item = await newItem()
  const image = await upload(item)
  const { id, house_id } = await rowOf(image)
  let deleted: Promise<number> | undefined
  const media = {
    ...service.media,
    async put(name: string, source: string | Buffer) {
      deleted ??= service.request({ method: 'DELETE', url: image, key }).then((response) => response.statusCode)
      assert.equal(await deleted, 204)
      await service.media.put(name, source)
    },
  }
  const context = { db: service.db, media, clock: () => new Date(), isLastAttempt: false }
  await deriveImage(context, { house: house_id, image: id })
  await workOff(service)
  assert.deepEqual(await listJobs(service.db, { failed: true }), [])
  await assertConsistent()
})

test('a store that fails in the middle keeps no new files and all old ones', async () => {
  const image = await upload(await newItem())
  await workOff(service)
  const before = await read(image)
  const { id, house_id } = await rowOf(image)
  let puts = 0
  const media = {
    ...service.media,
    async put(name: string, source: string | Buffer) {
      if (++puts === 3) throw new Error('the disk is full')
      await service.media.put(name, source)
    },
  }
  const context = { db: service.db, media, clock: () => new Date(), isLastAttempt: false }
  await assert.rejects(deriveImage(context, { house: house_id, image: id }), /the disk is full/)
  const after = await read(image)
  assert.deepEqual(addresses(after), addresses(before))
  assert.deepEqual([after.processing, after.processing_failure?.code], [true, 'derivative_processing_failed'])
  await assertConsistent()
})

test('a loaded image with a file gets renditions, which clear its loaded failure', async () => {
  const item = await newItem()
  await writeFile(path.join(service.dataDir, 'photo.jpg'), await picture())
  const id = uuid(700_001)
  await service.load([
    houseLine('noord'),
    {
      type: 'image',
      id,
      item: item.slice(-36),
      file: 'photo.jpg',
      public: true,
      processing_failure: { code: 'derivative_processing_failed', at: '2020-01-01T00:00:00Z' },
    },
  ])
  const image = `${item}/images/img_${id}`
  assert.equal((await read(image)).processing, true)
  await workOff(service)
  const record = await read(image)
  assert.deepEqual([record.processing, record.processing_failure], [false, null])
  assert.equal((await fetchFile(record.url!)).statusCode, 200)
})

test('the clean-up deletes only old files that no image names', async () => {
  const image = await upload(await newItem())
  await workOff(service)
  const stray = [newOriginal(), renditionKey(newFolder(true), 'image'), renditionKey(newFolder(false), 'mini')]
  const unfinished = [
    `${(await rowOf(image)).original}.0b9a`,
    `${renditionKey((await rowOf(image)).renditions, 'image')}.77`,
  ]
  const young = newOriginal()
  const kept = await storedFiles(service.media)
  for (const name of [...stray, ...unfinished, young]) await service.media.put(name, Buffer.from('x'))
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const name of [...kept, ...stray, ...unfinished])
    await utimes(path.join(mediaFolder(service.dataDir), name), old, old)
  const context = { db: service.db, media: service.media, clock: () => new Date(), isLastAttempt: false }
  await cleanStore(context)
  assert.deepEqual(await storedFiles(service.media), [...kept, young].toSorted())
  const next = (await listJobs(service.db, { failed: false })).filter((job) => job.task === 'clean_store')
  assert.equal(next.length, 1)
  assert.ok(Date.parse(next[0]!.run_at) > Date.now() + 23 * 60 * 60 * 1000)
})

test('files that a backup may need are deleted after it: those of a deleted image, and those that no image names', async () => {
  const item = await newItem()
  const image = await upload(item)
  await workOff(service)
  const files = await storedFiles(service.media)
  const left = path.join(mediaFolder(service.dataDir), newOriginal())
  await writeFile(left, 'left by a crash')
  await utimes(left, new Date(0), new Date(0))

  const { db: backup, pool } = openDatabase(service.connection, 1)
  await holdFiles(backup)
  const begun = Date.now()
  assert.equal((await service.request({ method: 'DELETE', url: image, key })).statusCode, 204)
  await workOff(service)
  await cleanStore({ db: service.db, media: service.media, clock: () => new Date(), isLastAttempt: false })
  assert.ok(files.every((file) => existsSync(path.join(mediaFolder(service.dataDir), file))))
  assert.ok(existsSync(left))
  const jobs = await listJobs(service.db, { failed: false })
  const waiting = jobs.filter(({ task }) => ['clean_store', 'delete_media'].includes(task))
  assert.deepEqual(waiting.map(({ task, state }) => `${task} ${state}`).toSorted(), [
    'clean_store waiting',
    'delete_media waiting',
  ])
  const [first, second] = waiting.map(({ run_at }) => Date.parse(run_at)).toSorted((a, b) => a - b) as [number, number]
  for (const [at, minutes] of [
    [first, 1],
    [second, 60],
  ] as const)
    assert.ok(at >= begun + minutes * 60_000 && at <= Date.now() + minutes * 60_000, new Date(at).toISOString())

  await pool.end()
  // The server frees the lock a moment after the connection has ended.
  await until(async () => !(await areFilesHeld(service.db)))
  for (const { id } of waiting) await retryJob(service.db, id)
  await workOff(service)
  assert.ok(!existsSync(left))
  assert.equal((await storedFiles(service.media)).length, files.length - 6)
})

test('the clean-up keeps files of a transaction that is still open, however old they are', async () => {
  const item = await newItem()
  await writeFile(path.join(service.dataDir, 'late.jpg'), await picture())
  const id = uuid(700_002)
  const copied = Promise.withResolvers<void>()
  const media: MediaStore = {
    ...service.media,
    async put(name, source) {
      await service.media.put(name, source)
      copied.resolve()
    },
  }
  const cleaned = Promise.withResolvers<void>()
  async function* lines() {
    const image = { type: 'image', id, item: item.slice(-36), file: 'late.jpg' }
    // The second house has the lines of the first inserted.
    for (const line of [houseLine('noord'), image, houseLine('oost')]) yield Buffer.from(`${JSON.stringify(line)}\n`)
    await cleaned.promise
  }
  const source = { name: 'test', stream: Readable.from(lines()), directory: service.dataDir }
  const loading = load({ db: service.db, media, now: new Date() }, source)
  await copied.promise
  const now = () => new Date(Date.now() + 25 * 60 * 60 * 1000)
  await cleanStore({ db: service.db, media: service.media, clock: now, isLastAttempt: false })
  cleaned.resolve()
  await loading
  await workOff(service)
  assert.deepEqual(
    (({ processing, processing_failure }) => [processing, processing_failure])(await read(`${item}/images/img_${id}`)),
    [false, null],
  )
})

test('a job that runs twice at the same time does no harm', async () => {
  const image = await upload(await newItem())
  const { id, house_id } = await rowOf(image)
  await Promise.all([
    ...[1, 2, 3].map(() =>
      deriveImage(
        { db: service.db, media: service.media, clock: () => new Date(), isLastAttempt: false },
        { house: house_id, image: id },
      ),
    ),
    enqueue(service.db, 'move_renditions', { house: house_id, image: id }),
  ])
  await service.media.delete(newOriginal())
  await workOff(service)
  assert.equal((await read(image)).processing, false)
  const folder = (await rowOf(image)).renditions
  assert.equal((await storedFiles(service.media)).filter((name) => name.startsWith(folder)).length, 5)
})

test('a run that fails after another has succeeded reverts nothing', async () => {
  const image = await upload(await newItem())
  const { id, house_id } = await rowOf(image)
  const job = { house: house_id, image: id }
  const { promise: cutOff, reject: fail } = Promise.withResolvers<never>()
  const begun = Promise.withResolvers<void>()
  const away: MediaStore = {
    ...service.media,
    download() {
      begun.resolve()
      return cutOff
    },
  }
  const context = { db: service.db, media: service.media, clock: () => new Date(), isLastAttempt: false }
  const late = deriveImage({ ...context, media: away }, job)
  await begun.promise
  await deriveImage(context, job)
  const done = await read(image)
  fail(new Error('the store went away'))
  await late
  assert.deepEqual(unsigned(await read(image)), unsigned(done))
  assert.equal(done.processing, false)
  await workOff(service)
})

test('updated_at never goes back, however far ahead of the clock it is', async () => {
  const image = await upload(await newItem())
  await workOff(service)
  const ahead = '2099-01-01T00:00:00.000Z'
  await sql`update catalogue.images set updated_at = ${ahead}, revision = revision + 1 where public_id = ${image.slice(-36)}`.execute(
    service.db,
  )
  const changed = async () => (await service.get(image, key)).json<{ data: { updated_at: string } }>().data.updated_at
  const reply = await service.request({ method: 'POST', url: `${image}/reprocess`, key, body: {} })
  assert.equal(reply.statusCode, 202, reply.body)
  const requested = await changed()
  assert.ok(requested > ahead)
  await workOff(service)
  assert.ok((await changed()) > requested)
})
