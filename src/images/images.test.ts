import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { form, picture, storedFiles, unsigned, until, workOff, type Part } from '../../test/support/pictures.ts'
import { lockRecord, whileLocked } from '../../test/support/locks.ts'
import { eur, houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { listJobs } from '../jobs/jobs.ts'

let service: TestService
let key: string
let jpeg: Buffer
let temporary: string
let items = 0

before(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'uploads-'))
  process.env.TMPDIR = temporary
  jpeg = await picture()
  service = await startService({ records: [houseLine('noord'), houseLine('zuid')] })
  key = await service.issueKey('noord')
})
after(async () => {
  await service.close()
  await rm(temporary, { recursive: true })
})

type Image = Record<string, unknown> & { id: string; url: string | null; gallery_position: number | null }

/** Creates an item, in a lot, in the house. Returns its path. */
async function newItem(fields: Record<string, unknown> = {}): Promise<string> {
  const id = uuid(++items)
  await service.load([
    houseLine('noord'),
    { type: 'item', id, translations: { nl: { title: 'Vaas' } }, updated_at: '2020-01-01T00:00:00Z', ...fields },
    { type: 'auction', ref: 'a', title: 'Sale' },
    { type: 'session', ref: 's', auction: 'a', titles: { nl: 'Zitting' }, kind: 'live', opens_at: null },
    { type: 'lot', session: 's', item: id, lot_number: 1, starting_bid: eur(1000), updated_at: '2020-01-01T00:00:00Z' },
  ])
  return `/api/v2/items/itm_${id}`
}

const send = (item: string, ...parts: Part[]) =>
  service.request({ method: 'POST', url: `${item}/images`, key, ...form(...parts) })

const upload = (item: string, reference: string, visible = 'true', bytes = jpeg) =>
  send(item, ['external_reference', reference], ['public', visible], ['file', bytes, 'photo.jpg'])

async function images(item: string): Promise<Image[]> {
  const response = await service.get(`${item}/images`, key)
  return response.json<{ data: Image[] }>().data
}

async function updatedAt(item: string): Promise<string[]> {
  const { rows } = await sql<{ item: Date; lot: Date; item_revision: string; lot_revision: string }>`
    select i.updated_at as item, l.updated_at as lot, i.revision as item_revision, l.revision as lot_revision
    from catalogue.items i join catalogue.lots l on l.house_id = i.house_id and l.item_id = i.id
    where i.public_id = ${item.slice(-36)}`.execute(service.db)
  const row = rows[0]!
  return [row.item.toISOString(), row.lot.toISOString(), row.item_revision, row.lot_revision]
}

const uploadsUnderWay = async () =>
  (await readdir(temporary)).filter((name) => name.startsWith('catalogue-media-')).length

/** What a refused request must not change. */
async function traces() {
  const rows = await sql`select id, revision from catalogue.images order by id`.execute(service.db)
  await until(async () => (await uploadsUnderWay()) === 0)
  const jobs = await listJobs(service.db, { failed: false })
  return { rows: rows.rows, files: await storedFiles(service.media), jobs }
}

test('an upload is answered with the processing image and its Location', async () => {
  const item = await newItem()
  const response = await upload(item, 'first')
  assert.equal(response.statusCode, 201)
  const image = response.json<{ data: Image }>().data
  assert.equal(response.headers.location, `${item}/images/${image.id}`)
  const { id, created_at, updated_at, original_url, ...rest } = image
  assert.match(id, /^img_/)
  assert.equal(created_at, updated_at)
  assert.match(
    String(original_url),
    /^https:\/\/catalogue\.test\/media\/originals\/[0-9a-f]{32}\?expires=\d+&signature=/,
  )
  assert.deepEqual(rest, {
    item: item.slice(-40),
    external_reference: 'first',
    public: true,
    featured: false,
    processing: true,
    processing_failure: null,
    gallery_position: 0,
    url: null,
    preview_url: null,
    thumbnail_url: null,
    mini_url: null,
    width: 40,
    height: 30,
    placeholder: null,
    sources: [],
    alt: null,
    alt_translations: {},
  })
  const read = await service.get(response.headers.location, key)
  assert.deepEqual(unsigned(read.json()), unsigned(response.json()))
  const second = (await send(item, ['file', jpeg, ''], ['external_reference', 'second'])).json<{ data: Image }>().data
  assert.equal(second.gallery_position, 1)
})

test('a public upload advances the item and its lot, a private one does not', async () => {
  const item = await newItem()
  const before = await updatedAt(item)
  assert.equal((await upload(item, 'hidden', 'false')).statusCode, 201)
  assert.deepEqual(await updatedAt(item), before)
  const { data } = (await upload(item, 'shown')).json<{ data: Image }>()
  assert.deepEqual(await updatedAt(item), [data.created_at, data.created_at, '2', '2'])
})

test('an upload comes after legacy images without a position', async () => {
  const item = await newItem()
  await service.load([
    houseLine('noord'),
    ...[null, 2147483647, 7].map((position) => ({ type: 'image', item: item.slice(-36), public: true, position })),
  ])
  assert.equal((await upload(item, 'last')).json<{ data: Image }>().data.gallery_position, 3)
})

test('a refused upload leaves no row, no file and no job', async () => {
  const item = await newItem()
  const other = await newItem({ archived: true })
  assert.equal((await upload(item, 'taken')).statusCode, 201)
  const before = await traces()
  const reference: Part = ['external_reference', 'new']
  const file: Part = ['file', jpeg, 'photo.jpg']
  const truncated = jpeg.subarray(0, jpeg.length / 2)
  const many = Array.from({ length: 30 }, (_, at): Part => [`field${at}`, 'x'])
  const refusals: [string, Part[], number, string?, string?][] = [
    [item, [['external_reference', 'taken'], file], 409],
    [item, [reference, ['file', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.jpg']], 415],
    [item, [reference, ['file', truncated, 'a.jpg']], 422, 'file', 'invalid'],
    [item, [reference, ['file', '', 'a.jpg']], 415],
    [item, [reference, ['file', 'no picture', 'a.jpg']], 415],
    [item, [reference], 422, 'file', 'required'],
    [item, [reference, ['file', 'text']], 422, 'file', 'wrong_type'],
    [item, [file], 422, 'external_reference', 'required'],
    [item, [['external_reference', ' \t'], file], 422, 'external_reference', 'blank'],
    [item, [['external_reference', 'a\0'], file], 422, 'external_reference', 'invalid'],
    [item, [['external_reference', Buffer.from([0x61, 0xff])], file], 422, 'external_reference', 'invalid'],
    [item, [['external_reference', 'é'.repeat(513)], file], 422, 'external_reference', 'too_long'],
    [item, [['external_reference', 'a'.repeat(100_000)], file], 422, 'external_reference', 'too_long'],
    [item, [['external_reference', jpeg, 'a.jpg'], file], 422, 'external_reference', 'wrong_type'],
    [item, [reference, file, ['public', 'yes']], 422, 'public', 'invalid'],
    [item, [reference, file, ['public', '']], 422, 'public', 'invalid'],
    [item, [reference, file, ['featured', 'true']], 422, 'featured', 'unknown_field'],
    [item, [reference, reference, file], 422, 'external_reference', 'duplicate'],
    [item, [reference, file, file], 422, 'file', 'duplicate'],
    [item, [reference, file, file, file], 413],
    [item, many, 413],
    [item, [reference, ['file', Buffer.alloc(50 * 1024 * 1024 + 1), 'a.jpg']], 413],
    [`/api/v2/items/itm_${uuid(9999)}`, [reference, file], 404],
    ['/api/v2/items/nonsense', [reference, file], 404],
    [other, [reference, file], 404],
  ]
  for (const [at, parts, status, field, code] of refusals) {
    const response = await send(at, ...parts)
    const names = parts.map(([name]) => name).join()
    assert.equal(response.statusCode, status, `${names}: ${response.body} ${JSON.stringify(service.logs.slice(-2))}`)
    if (field !== undefined) {
      const { errors } = response.json<{ errors: { field: string; code: string }[] }>()
      assert.deepEqual(
        errors.map((error) => [error.field, error.code]),
        [[field, code]],
        names,
      )
    }
  }
  assert.deepEqual(await traces(), before)
})

test('a form of 51 MiB is refused by its length, and a picture of 101 megapixels by its header', async () => {
  const item = await newItem()
  const before = await traces()
  const { headers, body } = form(['file', Buffer.alloc(52 * 1024 * 1024), 'a.jpg'])
  const large = await service.request({ method: 'POST', url: `${item}/images`, key, headers, body })
  assert.equal(large.statusCode, 413)
  const blank = await picture('#ffffff', 10_000, 16)
  blank.writeUInt16BE(10_100, blank.indexOf(Buffer.from([0xff, 0xc0])) + 5)
  assert.equal((await upload(item, 'bomb', 'true', blank)).statusCode, 413)
  assert.deepEqual(await traces(), before)
})

test('a body that is not a form is refused', async () => {
  const item = await newItem()
  const url = `${item}/images`
  const call = (headers: Record<string, string>, body?: unknown) =>
    service.request({ method: 'POST', url, key, headers, body })
  const json = await call({ 'content-type': 'application/json' }, { external_reference: 'a' })
  assert.equal(json.statusCode, 415)
  assert.equal(json.headers['accept-post'], 'multipart/form-data')
  assert.equal(json.json<{ detail: string }>().detail, 'Content-Type must be multipart/form-data.')
  assert.equal((await call({}, 'text')).statusCode, 415)
  assert.equal((await call({ 'content-type': 'image/jpeg' }, jpeg)).statusCode, 415)
  assert.equal((await call({})).statusCode, 400)
  const { headers, body } = form(['external_reference', 'a'], ['file', jpeg, 'a.jpg'])
  for (const broken of [body.subarray(0, body.length - 30), Buffer.from('nonsense'), body.subarray(0, 20)])
    assert.equal((await call(headers, broken)).statusCode, 400)
  assert.equal((await call({ 'content-type': 'multipart/form-data' }, body)).statusCode, 400)
  assert.equal((await service.request({ method: 'POST', url: `${url}?x=1`, key, headers, body })).statusCode, 400)
  const reader = await service.issueKey('noord', ['lots.read'])
  assert.equal((await service.request({ method: 'POST', url, key: reader, headers, body: 'x' })).statusCode, 403)
  const stranger = await service.issueKey('zuid')
  assert.equal((await service.request({ method: 'POST', url, key: stranger, headers, body })).statusCode, 404)
})

test('a client that disconnects during its upload leaves nothing', async () => {
  const item = await newItem()
  const before = await traces()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const { headers, body } = form(['external_reference', 'gone'], ['file', Buffer.alloc(4_000_000, 1), 'a.jpg'])
  for (const share of [0.001, 0.3, 0.999]) {
    const request = httpRequest({
      port,
      method: 'POST',
      path: `${item}/images`,
      headers: { ...headers, 'content-length': body.length, authorization: `Bearer ${key}` },
    })
    request.on('error', () => undefined)
    await new Promise((resolve) => request.write(body.subarray(0, Math.floor(body.length * share)), resolve))
    await until(async () => (await uploadsUnderWay()) > 0)
    request.destroy()
    assert.deepEqual(await traces(), before)
  }
})

test('an upload that the database refuses leaves no file', async () => {
  const item = await newItem()
  await sql`alter table catalogue.images add constraint refuse check (false) not valid`.execute(service.db)
  const before = await traces()
  assert.equal((await upload(item, 'a')).statusCode, 500)
  assert.deepEqual(await traces(), before)
  await sql`alter table catalogue.images drop constraint refuse`.execute(service.db)
})

test('of concurrent uploads with one reference, one is stored and the others are refused', async () => {
  const item = await newItem()
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(item, 'same')))
  assert.deepEqual(
    answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b),
    [201, 409, 409, 409, 409, 409],
  )
  assert.equal((await upload(await newItem(), 'same')).statusCode, 201)
})

test('a deletion removes the image with its files, and the others keep their order', async () => {
  const item = await newItem()
  for (const reference of ['a', 'b', 'c']) await upload(item, reference)
  await upload(item, 'hidden', 'false')
  await workOff(service)
  const [a, b, c, hidden] = (await images(item)) as [Image, Image, Image, Image]
  const files = await storedFiles(service.media)
  const before = await updatedAt(item)
  const remove = (image: Image) => service.request({ method: 'DELETE', url: `${item}/images/${image.id}`, key })
  const removed = await remove(hidden)
  assert.deepEqual([removed.statusCode, removed.body], [204, ''])
  assert.deepEqual(await updatedAt(item), before)
  assert.equal((await remove(a)).statusCode, 204)
  assert.notDeepEqual(await updatedAt(item), before)
  assert.equal((await remove(a)).statusCode, 404)
  assert.equal((await service.get(`${item}/images/${a.id}`, key)).statusCode, 404)
  const { data } = (await service.get(`${item}?expand[]=images`, key)).json<{ data: { images: Image[] } }>()
  assert.deepEqual(
    data.images.map(({ id, position }) => [id, position]),
    [
      [b.id, 0],
      [c.id, 1],
    ],
  )
  await workOff(service)
  assert.equal((await storedFiles(service.media)).length, files.length - 12)
})

test('deleting an image that another transaction holds is a conflict', async () => {
  const item = await newItem()
  const image = (await upload(item, 'a')).json<{ data: Image }>().data
  const url = `${item}/images/${image.id}`
  await service.db.transaction().execute(async (tx) => {
    await lockRecord(tx, 'images', image.id.slice(4))
    const response = await service.request({ method: 'DELETE', url, key })
    assert.equal(response.statusCode, 409)
    assert.match(response.json<{ type: string }>().type, /\/locked$/)
  })
  assert.equal((await service.request({ method: 'DELETE', url, key })).statusCode, 204)
})

test('an image is processed again from its original, once at a time', async () => {
  const item = await newItem()
  const { id } = (await upload(item, 'a')).json<{ data: Image }>().data
  const url = `${item}/images/${id}/reprocess`
  const reprocess = (body: unknown = {}) => service.request({ method: 'POST', url, key, body })
  assert.equal((await reprocess()).statusCode, 409)
  await workOff(service)
  const [before] = (await images(item)) as [Image]
  const item_before = await updatedAt(item)
  for (const [body, field, code] of [
    [{ a: 1 }, 'a', 'unknown_field'],
    [[], '', 'wrong_type'],
    [null, '', 'wrong_type'],
  ] as const) {
    const refused = await reprocess(body)
    assert.equal(refused.statusCode, 422)
    assert.deepEqual(
      refused.json<{ errors: { field: string; code: string }[] }>().errors.map((error) => [error.field, error.code]),
      [[field, code]],
    )
  }
  const answers = await Promise.all([reprocess(), reprocess(), reprocess()])
  assert.deepEqual(
    answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b),
    [202, 409, 409],
  )
  const accepted = answers.find((answer) => answer.statusCode === 202)!.json<{ data: Image }>().data
  assert.deepEqual([accepted.processing, accepted.url], [true, before.url])
  assert.deepEqual(await updatedAt(item), item_before)
  assert.equal(
    (await listJobs(service.db, { failed: false })).filter((job) => job.task === 'derive_renditions').length,
    1,
  )
  await workOff(service)
  const [after] = (await images(item)) as [Image]
  assert.equal(after.processing, false)
  assert.notEqual(after.url, before.url)
  assert.equal((await storedFiles(service.media)).filter((file) => after.url!.includes(file.split('/')[1]!)).length, 5)
  assert.equal((await storedFiles(service.media)).filter((file) => before.url!.includes(file.split('/')[1]!)).length, 0)
})

test('an image whose item is archived meanwhile is not processed again', async () => {
  const item = await newItem()
  const { id } = (await upload(item, 'a')).json<{ data: Image }>().data
  await workOff(service)
  const [outcome] = await whileLocked(
    service.db,
    (tx) => sql`update catalogue.items set archived = true where public_id = ${item.slice(-36)}`.execute(tx),
    () => service.request({ method: 'POST', url: `${item}/images/${id}/reprocess`, key, body: {} }),
  )
  assert.equal((outcome as PromiseFulfilledResult<{ statusCode: number }>).value.statusCode, 404)
})

test('an image without a stored file cannot be processed again', async () => {
  const item = await newItem()
  await service.load([houseLine('noord'), { type: 'image', item: item.slice(-36), id: uuid(900_001) }])
  const url = `${item}/images/${uuid(900_001)}/reprocess`
  assert.equal((await service.request({ method: 'POST', url, key, body: {} })).statusCode, 422)
})

test('the bytes of a picture decide its type, not its name', async () => {
  const item = await newItem()
  for (const format of ['png', 'webp', 'avif', 'tiff', 'gif'] as const)
    assert.equal(
      (await upload(item, format, 'true', await sharp(jpeg).toFormat(format).toBuffer())).statusCode,
      201,
      format,
    )
})

test("paths in answers have the service's form of the item's id, for every form in the request", async () => {
  const item = await newItem()
  const bare = item.slice(-36)
  const forms = [bare, bare.toUpperCase(), `itm_${bare.toUpperCase()}`, `%69tm_${bare}`]
  for (const [at, form] of forms.entries()) {
    const reply = await upload(`/api/v2/%69tems/${form}`, `form ${at}`)
    assert.equal(reply.statusCode, 201, reply.payload)
    assert.equal(reply.headers.location, `${item}/images/${reply.json<{ data: Image }>().data.id}`)
  }
  for (const form of [...forms, `itm_${bare}`]) {
    const page = await service.get(`/api/v2/items/${form}/images?limit=1`, key)
    const [, next] = /^<https:\/\/catalogue\.test(.*)>; rel="next"$/.exec(String(page.headers.link))!
    assert.ok(next!.startsWith(`${item}/images?limit=1&cursor=`), next)
    assert.equal((await service.get(next!, key)).statusCode, 200)
    const missing = await service.get(`/api/v2/items/${form}/images/${uuid(999)}`, key)
    assert.equal(missing.json<{ instance: string }>().instance, `/api/v2/items/${form}/images/${uuid(999)}`)
  }
})
