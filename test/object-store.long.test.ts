// The service on an S3 server that checks signatures and policies, behind a proxy that can be cut, slow or silent.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cleanStore } from '../src/images/clean-store.ts'
import { listJobs } from '../src/jobs/jobs.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { newFolder, newOriginal, renditionKey } from '../src/media/object-keys.ts'
import { openMediaStore } from '../src/media/open.ts'
import { tasks } from './support/jobs.ts'
import { credentials, startCeph, withoutCeph as skip } from './support/ceph.ts'
import { houseLine, uuid } from './support/lines.ts'
import { form, picture, storedFiles, until, workOff } from './support/pictures.ts'
import { findPort } from './support/process.ts'
import { startService, type TestService } from './support/service.ts'
import { openRelay } from './support/tunnel.ts'

type Image = { id: string; url: string | null; original_url: string; processing: boolean; processing_failure: unknown }

const item = `/api/v2/items/itm_${uuid(1)}`
let ceph: Awaited<ReturnType<typeof startCeph>>
let relay: Awaited<ReturnType<typeof openRelay>>
let service: TestService
let key: string
let endpoint: string
let delay = 0
let silent = false

before(async () => {
  if (skip) return
  process.env['AWS_ACCESS_KEY_ID'] = credentials.accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = credentials.secretAccessKey
  ceph = await startCeph()
  const port = await findPort()
  endpoint = `http://127.0.0.1:${port}`
  relay = await openRelay({ port, host: '127.0.0.1' }, { port: ceph.port, host: '127.0.0.1' }, (near, far) => {
    near.on('data', (piece) => setTimeout(() => silent || far.write(piece), delay))
    near.on('close', () => far.destroy())
    far.pipe(near)
  })
  const config = { store: 's3', bucket: 'pictures', endpoint, region: 'eu-west-1' } as const
  const media = await openMediaStore(config, { dataDir: '', publicUrl: 'http://unused', keyring: [''] })
  const records = [houseLine('noord'), { type: 'item', id: uuid(1), translations: { nl: { title: 'Vaas' } } }]
  service = await startService({ media, records })
  key = await service.issueKey('noord')
})
after(async () => {
  if (skip) return
  await service.close()
  relay.close()
  await ceph.stop()
})

async function upload(bytes?: Buffer) {
  const reference = crypto.randomUUID()
  const reply = await service.request({
    method: 'POST',
    url: `${item}/images`,
    key,
    ...form(['external_reference', reference], ['file', bytes ?? (await picture()), 'a.jpg']),
  })
  return { status: reply.statusCode, retryAfter: Number(reply.headers['retry-after']), reference, reply }
}
const uploaded = async (bytes?: Buffer) => (await upload(bytes)).reply.json<{ data: Image }>().data.id
const read = async (id: string) => (await service.get(`${item}/images/${id}`, key)).json<{ data: Image }>().data
const find = async (reference: string) =>
  (await service.get(`${item}/images?external_reference=${reference}`, key)).json<{ data: Image[] }>().data
const status = async (address: string, init?: RequestInit) => (await fetch(address, init)).status
const replaceGallery = (images: string[]) =>
  service.request({ method: 'PATCH', url: `${item}/gallery`, key, body: { images } })

/** An upload is refused, can be repeated later, and has left neither record nor file. */
async function assertRefused(bytes?: Buffer): Promise<void> {
  const { status, retryAfter, reference, reply } = await upload(bytes)
  assert.deepEqual([status, retryAfter], [503, 5], reply.payload)
  assert.equal(reply.json<{ detail: string }>().detail, 'The file store cannot be reached, or is full.')
  assert.deepEqual(await find(reference), [])
}

test('pictures are uploaded, derived, moved there and back, and deleted', { skip }, async () => {
  const id = await uploaded(await picture('#336699', 1200, 800))
  await workOff(service)
  const shown = await read(id)
  assert.deepEqual([await status(shown.url!), await status(shown.original_url)], [200, 200])
  assert.equal((await replaceGallery([])).statusCode, 200)
  await workOff(service)
  const hidden = await read(id)
  assert.deepEqual([await status(hidden.url!), await status(hidden.url!.split('?')[0]!)], [200, 403])
  assert.equal(await status(shown.url!), 403)
  assert.equal((await replaceGallery([id])).statusCode, 200)
  await workOff(service)
  assert.equal(await status((await read(id)).url!), 200)
  // The original, four renditions, and sources of 480, 960 and 1200 pixels.
  assert.equal((await storedFiles(service.media)).length, 8)
  await service.request({ method: 'DELETE', url: `${item}/images/${id}`, key })
  await workOff(service)
  assert.deepEqual(await storedFiles(service.media), [])
})

test(
  'a signed URL works only unchanged, and anonymous clients may read public files and nothing else',
  { skip },
  async () => {
    const [id, other] = [await uploaded(), await uploaded()]
    await workOff(service)
    await replaceGallery([other])
    await workOff(service)
    const [{ url, original_url: original }, shown] = [await read(id), await read(other)]
    const address = new URL(url!)
    const change = (name: string, value: string) => {
      const changed = new URL(address)
      changed.searchParams.set(name, value)
      return changed.href
    }
    const signature = address.searchParams.get('X-Amz-Signature')!
    const attempts = [
      change(
        'X-Amz-Signature',
        signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      change('X-Amz-Expires', '604800'),
      change('X-Amz-Credential', address.searchParams.get('X-Amz-Credential')!.replace('catalogue', 'root')),
      change('response-content-type', 'text/html'),
      original.split('?')[0]! + address.search,
      url!.replace('image.webp', 'mini.webp'),
      `${endpoint}/pictures`,
      `${endpoint}/pictures?list-type=2&prefix=public/`,
    ]
    for (const attempt of attempts) assert.equal(await status(attempt), 403, attempt)
    for (const method of ['PUT', 'DELETE']) {
      assert.equal(await status(url!, { method }), 403)
      assert.equal(await status(shown.url!, { method }), 403)
    }
    assert.deepEqual([await status(url!), await status(shown.url!)], [200, 200])
  },
)

test('the clean-up reads more files than one answer of the server lists', { skip }, async () => {
  const kept = await storedFiles(service.media)
  const strays = Array.from({ length: 1_100 }, newOriginal)
  strays.push(renditionKey(newFolder(true), 'image'), renditionKey(newFolder(false), 'mini'))
  for (let at = 0; at < strays.length; at += 20)
    await Promise.all(strays.slice(at, at + 20).map((stray) => service.media.put(stray, Buffer.from('x'))))
  assert.equal((await storedFiles(service.media)).length, kept.length + strays.length)
  const now = () => new Date(Date.now() + 25 * 60 * 60 * 1000)
  await cleanStore({ db: service.db, media: service.media, clock: now, isLastAttempt: false })
  assert.deepEqual(await storedFiles(service.media), kept)
})

test('while the server is down uploads are 503; afterwards waiting work is done by itself', { skip }, async () => {
  const id = await uploaded()
  const { url } = await read(id)
  await ceph.kill()
  const worker = await startWorker(service, tasks, { error() {}, warn() {}, info() {}, debug() {} })
  try {
    await assertRefused()
    assert.equal((await service.get(`${item}?expand[]=images`, key)).statusCode, 200)
    await until(async () => (await listJobs(service.db, { failed: true })).some(({ attempts }) => attempts > 1))
    assert.deepEqual([(await read(id)).processing, url], [true, null])
    await ceph.revive()
    await until(async () => !(await read(id)).processing)
  } finally {
    await worker.stop()
  }
  const { processing_failure, url: shown } = await read(id)
  assert.deepEqual([processing_failure, await status(shown!)], [null, 200])
  assert.equal((await upload()).status, 201)
})

test('a server that takes a second for every request is waited for', { skip }, async () => {
  delay = 1_000
  try {
    const id = await uploaded()
    await workOff(service)
    const { processing, url } = await read(id)
    assert.deepEqual([processing, await status(url!)], [false, 200])
  } finally {
    delay = 0
  }
})

test(
  'a full server refuses uploads with 503 and leaves nothing; with free space, waiting work is done by itself',
  { skip },
  async () => {
    const noise = await picture('#808080', 3000, 2000)
    const before = await storedFiles(service.media)
    const id = await uploaded()
    await ceph.limit(4096)
    const stored = await storedFiles(service.media)
    await assertRefused(noise)
    assert.deepEqual(await storedFiles(service.media), stored)
    const worker = await startWorker(service, tasks, { error() {}, warn() {}, info() {}, debug() {} })
    try {
      await until(async () => (await listJobs(service.db, { failed: true })).some(({ attempts }) => attempts > 1))
      assert.equal((await read(id)).processing, true)
      await ceph.limit(0)
      await until(async () => !(await read(id)).processing)
    } finally {
      await worker.stop()
    }
    assert.equal((await read(id)).processing_failure, null)
    assert.equal((await upload(noise)).status, 201)
    await workOff(service)
    assert.equal((await storedFiles(service.media)).length, before.length + 6 + 9)
  },
)

test('a silent server does not block an upload for ever', { skip }, async () => {
  silent = true
  try {
    await assertRefused()
  } finally {
    silent = false
  }
  assert.equal((await upload()).status, 201)
})
