import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { catalogueOf } from '../../test/support/lines.ts'
import { urlOf } from '../../test/support/address.ts'
import { runProcess } from '../../test/support/process.ts'
import { form, picture, storedFiles, unsigned, until, workOff } from '../../test/support/pictures.ts'
import { startService, type Json } from '../../test/support/service.ts'
import { numberAllChanges } from '../changes/numbering.ts'
import { listHouses } from '../houses/locks.ts'
import { isKey } from '../media/object-keys.ts'
import type { MediaStore } from '../media/store.ts'
import { cleanStore } from './clean-store.ts'
import { countMissing, deriveMissing } from './missing.ts'
import { listStorage } from './storage.ts'

const { slug, ids, lines } = catalogueOf(1)
const theirs = catalogueOf(2)
const service = await startService({ records: [...lines, ...theirs.lines] })
after(() => service.close())
const key = await service.issueKey(slug)
const item = `/api/v2/items/${ids.item}`

async function upload(visible: boolean, of = { key, item: ids.item }): Promise<string> {
  const file = form(
    ['external_reference', crypto.randomUUID()],
    ['public', String(visible)],
    ['file', await picture('#336699', 1200, 800), 'a.jpg'],
  )
  const reply = await service.request({ method: 'POST', url: `/api/v2/items/${of.item}/images`, key: of.key, ...file })
  assert.equal(reply.statusCode, 201, reply.payload)
  return String(reply.headers.location)
}

/** Makes all pictures those of an earlier version: no sources, in the store neither. */
async function forget(): Promise<void> {
  for (const name of await storedFiles(service.media)) if (/\/\d+\.webp$/.test(name)) await service.media.delete(name)
  await sql`update catalogue.images set width = null, height = null, placeholder = null, sources_folder = null,
    source_widths = null, source_heights = null, revision = revision + 1`.execute(service.db)
  await numberAllChanges(service)
  await cleanStore({ db: service.db, media: service.media, clock: tomorrow, isLastAttempt: false })
}

const tomorrow = () => new Date(Date.now() + 25 * 3_600_000)
const read = (image: string) => service.read<Json & { url: string; sources: { url: string }[] }>(image, key)
const etagOf = async (url: string) => (await service.get(url, key)).headers.etag
const houses = async () => (await listHouses(service.db)).filter((house) => house.slug === slug)
const derive = async (media: MediaStore = service.media) =>
  deriveMissing({ db: service.db, media }, await houses(), () => undefined)
const stored = async (image: string) => {
  const folder = new URL((await read(image)).url).pathname.split('/').at(-2)!
  return (await storedFiles(service.media)).filter((name) => name.includes(folder)).length
}

let shown: string
let hidden: string
before(async () => {
  shown = await upload(true)
  hidden = await upload(false)
  await workOff(service)
})

test('pictures get what they lack; addresses, timestamps and processing stay; ETags and feed change', async () => {
  const whole = await Promise.all([shown, hidden].map(read))
  const bytes = await listStorage(service.db)
  await forget()
  const lacking = await Promise.all([shown, hidden].map(read))
  assert.deepEqual(
    lacking.map(({ sources, placeholder, width }) => [sources, placeholder, width]),
    [1, 2].map(() => [[], null, null]),
  )
  const kept = ({ url, preview_url, thumbnail_url, mini_url, original_url, updated_at, processing }: Json) =>
    unsigned([url, preview_url, thumbnail_url, mini_url, original_url, updated_at, processing])
  const etags = await Promise.all([shown, hidden, item, `${item}?expand[]=images`].map(etagOf))
  const times = await service.read(item, key)
  const { next_cursor } = (await service.get('/api/v2/changes?types[]=image&types[]=item&limit=100', key)).json<Json>()
  assert.equal(await countMissing(service.db, await houses()), 2)

  assert.deepEqual(await derive(), { made: 2, left: [] })
  const made = await Promise.all([shown, hidden].map(read))
  assert.deepEqual(made.map(unsigned), whole.map(unsigned))
  assert.deepEqual(made.map(kept), lacking.map(kept))
  assert.equal((await service.read(item, key))['updated_at'], times['updated_at'])
  const now = await Promise.all([shown, hidden, item, `${item}?expand[]=images`].map(etagOf))
  assert.ok(now.every((etag, at) => etag !== etags[at]))
  const changes = await service.get(`/api/v2/changes?types[]=image&types[]=item&after=${String(next_cursor)}`, key)
  const changed = changes.json<{ data: { id: string }[] }>().data.map(({ id }) => id)
  assert.deepEqual(new Set(changed), new Set([shown.slice(-40), hidden.slice(-40), ids.item]))
  assert.deepEqual(await listStorage(service.db), bytes)
  assert.equal(await countMissing(service.db, await houses()), 0)
})

test('a run that ends in the middle leaves whole pictures, and the next one makes the others only', async () => {
  await forget()
  let puts = 0
  const failing: MediaStore = {
    ...service.media,
    put: async (name, source) => {
      if (++puts === 5) throw new Error('the store is full')
      return service.media.put(name, source)
    },
  }
  await assert.rejects(derive(failing), /the store is full/)
  const numbers = (await Promise.all([shown, hidden].map(read))).map(({ sources }) => sources.length)
  assert.ok(numbers.every((each) => each === 0 || each === 3) && numbers.includes(0), numbers.join())
  const { made } = await derive()
  assert.equal(made, numbers.filter((each) => each === 0).length)
  for (const image of [shown, hidden]) {
    for (const { url } of (await read(image)).sources) {
      const name = new URL(url).pathname.slice('/media/'.length)
      assert.ok(isKey(name) && (await service.media.read(name).then((file) => file?.stream.destroy())), name)
    }
  }
})

test('a picture that cannot be decoded, or has no original, is named and stays as it is', async () => {
  await forget()
  const whole = await sql<{ original: string }>`
    select original from catalogue.images where public_id = ${shown.slice(-36)}`.execute(service.db)
  const rows = await sql<{ original: string }>`
    update catalogue.images set original = case when public_id = ${shown.slice(-36)} then null else original end
    where public_id = any(${[shown, hidden].map((each) => each.slice(-36))}) returning original`.execute(service.db)
  const [original] = rows.rows.flatMap((row) => row.original ?? [])
  const bytes = await picture('#336699', 1200, 800)
  await service.media.put(original!, Buffer.from('no picture any more'))
  const before = unsigned(await Promise.all([shown, hidden].map(read)))
  const { made, left } = await derive()
  assert.equal(made, 0)
  assert.deepEqual(
    left.map(({ image, reason }) => `${image} ${reason}`).toSorted(),
    [
      `${shown.slice(-40)} has no stored original`,
      `${hidden.slice(-40)} The file is not a JPEG, PNG, WebP, AVIF, TIFF or GIF.`,
    ].toSorted(),
  )
  assert.deepEqual(unsigned(await Promise.all([shown, hidden].map(read))), before)
  await service.media.put(original!, bytes)
  await sql`update catalogue.images set original = ${whole.rows[0]!.original}
    where public_id = ${shown.slice(-36)}`.execute(service.db)
  assert.deepEqual(await derive(), { made: 2, left: [] })
})

test('a picture that is moved or deleted meanwhile leaves no stray file, and is made by the next run', async () => {
  const [moved, deleted] = [await upload(true), await upload(true)]
  await workOff(service)
  await forget()
  let isChanged = false
  const meddling: MediaStore = {
    ...service.media,
    put: async (name, source) => {
      if (!isChanged) {
        isChanged = true
        assert.equal((await service.request({ method: 'DELETE', url: deleted, key })).statusCode, 204)
        const body = { images: [] }
        assert.equal((await service.request({ method: 'PATCH', url: `${item}/gallery`, key, body })).statusCode, 200)
        await workOff(service)
      }
      return service.media.put(name, source)
    },
  }
  await derive(meddling)
  await derive()
  await workOff(service)
  assert.equal((await read(moved)).sources.length, 3)
  assert.equal(await stored(moved), 7)
  const files = await storedFiles(service.media)
  await cleanStore({ db: service.db, media: service.media, clock: tomorrow, isLastAttempt: false })
  assert.deepEqual(await storedFiles(service.media), files, 'no file is stray')
})

test('two runs at once make each picture whole', async () => {
  await forget()
  await Promise.all([derive(), derive()])
  assert.equal((await read(hidden)).sources.length, 3)
  assert.equal(await stored(hidden), 7)
})

test('a run of one house leaves those of another, and waits while a job makes renditions', async () => {
  const other = { key: await service.issueKey(theirs.slug), item: theirs.ids.item }
  const foreign = await upload(true, other)
  await workOff(service)
  await forget()
  await sql`insert into graphile_worker._private_tasks (identifier) values ('derive_renditions') on conflict do nothing`.execute(
    service.db,
  )
  await sql`select graphile_worker.add_job('derive_renditions', '{"house":"0","image":"0"}'::json)`.execute(service.db)
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'another worker'`.execute(
    service.db,
  )
  service.statements.length = 0
  let isDone = false
  const run = derive().then(() => (isDone = true))
  await until(async () => service.statements.filter(({ text }) => text.includes('as busy')).length > 2)
  assert.equal(isDone, false)
  await sql`delete from graphile_worker._private_jobs where locked_by = 'another worker'`.execute(service.db)
  await run
  assert.equal((await read(hidden)).sources.length, 3)
  assert.deepEqual((await service.read(foreign, other.key))['sources'], [])
})

test('the command makes what lacks, says how far it is and what is left, and needs to be told what', async () => {
  await forget()
  const lost = hidden.slice(-36)
  await sql`update catalogue.images set original = null where public_id = ${lost}`.execute(service.db)
  const settings = { DATABASE_URL: urlOf(service.connection), DATA_DIR: service.dataDir, SECRET: service.secret }
  // It lowers the priority of its process.
  const run = (...words: string[]) => runProcess(settings, 'images', 'derive', ...words)
  const done = await run('--missing', '--house', slug)
  const reason = `left: img_${lost} of ${ids.item} (${slug}): has no stored original`
  assert.deepEqual([done.code, done.stderr], [1, `derived ${slug}: 2 of 3 images, 1 left\n`])
  assert.equal(done.stdout, `made the sources of 2 images\n${reason}\n`)
  const again = await run('--missing', '--house', slug, '--json')
  const { made, left } = JSON.parse(again.stdout) as { made: number; left: unknown[] }
  assert.deepEqual([again.code, made, left.length], [1, 0, 1])
})
