import assert from 'node:assert/strict'
import { utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { form, picture, storedFiles, workOff } from '../../test/support/pictures.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { changeHouse } from '../houses/houses.ts'
import { mediaFolder } from '../media/file-store.ts'
import { cleanStore } from './clean-store.ts'
import { listStorage } from './storage.ts'

let service: TestService
let jpeg: Buffer
const keys: Record<string, string> = {}
const items = { noord: uuid(1), zuid: uuid(2) } as const
type Slug = keyof typeof items

before(async () => {
  jpeg = await picture('#336699', 300, 300)
  service = await startService({
    records: Object.entries(items).flatMap(([slug, id]) => [
      houseLine(slug),
      { type: 'item', id, translations: { nl: { title: 'Vaas' } } },
    ]),
  })
  for (const slug of Object.keys(items)) keys[slug] = await service.issueKey(slug)
})
after(() => service.close())

const send = (slug: Slug, method: 'POST' | 'DELETE', at: string, body?: ReturnType<typeof form>) =>
  service.request({ method, url: `/api/v2/items/${items[slug]}/images${at}`, key: keys[slug]!, ...body })
const upload = (slug: Slug) =>
  send(slug, 'POST', '', form(['external_reference', crypto.randomUUID()], ['file', jpeg, 'a.jpg']))
const limit = (slug: Slug, bytes: number) => changeHouse(service.db, slug, { storageLimit: bytes }, new Date())
async function used(slug: Slug): Promise<number> {
  const { storage } = await listStorage(service.db)
  const { originals, renditions } = storage.find((house) => house.slug === slug)!.files!
  return originals + renditions
}

async function loadImages(slug: Slug, count: number) {
  await writeFile(path.join(service.dataDir, 'photo.jpg'), jpeg)
  const image = { type: 'image', item: items[slug], file: 'photo.jpg' }
  return service.load([houseLine(slug), ...Array.from({ length: count }, () => image)])
}

async function bytesOfFiles(): Promise<number> {
  let sum = 0
  for (const area of ['public', 'private', 'originals'] as const)
    for await (const { bytes } of service.media.list(area)) sum += bytes
  return sum
}

test('the storage of a house is the bytes of its originals and renditions, until they are deleted', async () => {
  const created = (await upload('noord')).json<{ data: { id: string } }>().data
  assert.equal(await used('noord'), jpeg.length)
  await workOff(service)
  assert.equal(await used('noord'), await bytesOfFiles())
  await loadImages('noord', 2)
  await workOff(service)
  assert.equal(await used('noord'), await bytesOfFiles())
  assert.equal(await used('zuid'), 0)
  assert.equal((await send('noord', 'DELETE', `/${created.id}`)).statusCode, 204)
  await workOff(service)
  assert.equal(await used('noord'), await bytesOfFiles())
})

test('of concurrent uploads only those are stored that fit the limit of the house', async () => {
  const before = await storedFiles(service.media)
  await limit('zuid', 3 * jpeg.length)
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload('zuid')))
  assert.deepEqual(
    answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b),
    [201, 201, 201, 413, 413, 413, 413, 413],
  )
  assert.equal(await used('zuid'), 3 * jpeg.length)
  assert.equal((await storedFiles(service.media)).length, before.length + 3)
  const refused = answers.find((answer) => answer.statusCode === 413)!.json<{ type: string; detail: string }>()
  assert.match(refused.type, /\/payload-too-large$/)
  assert.match(refused.detail, new RegExp(`may store ${3 * jpeg.length} bytes`))
  const stored = answers.find((answer) => answer.statusCode === 201)!.json<{ data: { id: string } }>().data
  assert.equal((await send('zuid', 'DELETE', `/${stored.id}`)).statusCode, 204)
  assert.equal((await upload('zuid')).statusCode, 201)
  assert.equal((await upload('noord')).statusCode, 201)
})

test('a load beyond the limit of its house stores nothing', async () => {
  const before = await storedFiles(service.media)
  const bytes = await used('zuid')
  await limit('zuid', bytes + 2 * jpeg.length)
  await assert.rejects(loadImages('zuid', 3), /test:2: file: .*may store/)
  assert.deepEqual(await storedFiles(service.media), before)
  await loadImages('zuid', 2)
  assert.equal(await used('zuid'), bytes + 2 * jpeg.length)
  await limit('zuid', 0)
  assert.equal((await upload('zuid')).statusCode, 201)
})

test('the clean-up stores the sizes of files from an earlier version', async () => {
  await workOff(service)
  const bytes = await used('noord')
  await sql`update catalogue.images set original_bytes = null, renditions_bytes = null`.execute(service.db)
  assert.equal(await used('noord'), 0)
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const file of await storedFiles(service.media))
    await utimes(path.join(mediaFolder(service.dataDir), file), old, old)
  await cleanStore({ db: service.db, media: service.media, clock: () => new Date(), isLastAttempt: false })
  assert.equal(await used('noord'), bytes)
  assert.equal((await used('noord')) + (await used('zuid')), await bytesOfFiles())
})

test('the many pictures of one house do not delay the single picture of another', async () => {
  await loadImages('noord', 12)
  await upload('zuid')
  // In the order in which workers take them. They end in any order, for instance while a second decoder starts.
  const { rows } = await sql<{ slug: string }>`
      select h.slug from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      join catalogue.houses h on h.id::text = j.payload ->> 'house'
      where t.identifier = 'derive_renditions' order by j.priority, j.run_at, j.id`.execute(service.db)
  assert.equal(rows.length, 13)
  assert.ok(rows.slice(0, 2).some(({ slug }) => slug === 'zuid'))
  await workOff(service)
})
