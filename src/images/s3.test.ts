import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import S3rver from 's3rver'
import { form, picture, storedFiles, workOff } from '../../test/support/pictures.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { listJobs } from '../jobs/jobs.ts'
import { openMediaStore } from '../media/open.ts'

let folder: string
let server: S3rver
let service: TestService
let key: string
const item = `/api/v2/items/itm_${uuid(1)}`

before(async () => {
  process.env.AWS_ACCESS_KEY_ID = process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
  folder = await mkdtemp(path.join(tmpdir(), 'buckets-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: folder }
  server = new S3rver({ ...options, configureBuckets: [{ name: 'pictures', configs: [] }] })
  const { port } = await server.run()
  const config = { store: 's3', bucket: 'pictures', endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1' } as const
  const media = await openMediaStore(config, { dataDir: folder, publicUrl: 'http://unused', keyring: [''] })
  const records = [houseLine('noord'), { type: 'item', id: uuid(1), translations: { nl: { title: 'Vaas' } } }]
  service = await startService({ media, records })
  key = await service.issueKey('noord')
})
after(async () => {
  await service.close()
  await server.close().catch(() => undefined)
  await rm(folder, { recursive: true })
})

type Image = { id: string; url: string | null; original_url: string; processing: boolean }

const upload = async (reference: string) =>
  service.request({
    method: 'POST',
    url: `${item}/images`,
    key,
    ...form(['external_reference', reference], ['file', await picture(), 'a.jpg']),
  })
const read = async (id: string) => (await service.get(`${item}/images/${id}`, key)).json<{ data: Image }>().data
const status = async (address: string) => (await fetch(address)).status

test('in an object store a picture is uploaded, derived, moved and deleted', async () => {
  const { id } = (await upload('a')).json<{ data: Image }>().data
  await workOff(service)
  const shown = await read(id)
  assert.deepEqual([await status(shown.url!), await status(shown.original_url)], [200, 200])
  const change = { method: 'PATCH', url: `${item}/gallery`, key, body: { images: [] } }
  assert.equal((await service.request(change)).statusCode, 200)
  await workOff(service)
  const hidden = await read(id)
  assert.match(hidden.url!, /\/private\/.*X-Amz-Signature=/)
  assert.deepEqual([await status(hidden.url!), await status(shown.url!)], [200, 404])
  assert.equal((await storedFiles(service.media)).length, 6)
  assert.equal((await service.request({ method: 'DELETE', url: `${item}/images/${id}`, key })).statusCode, 204)
  await workOff(service)
  assert.deepEqual(await storedFiles(service.media), [])
})

test('while the object store is out of reach, uploads answer 503 and leave nothing, and deletions wait', async () => {
  const { id } = (await upload('b')).json<{ data: Image }>().data
  await workOff(service)
  await server.close()
  const refused = await upload('c')
  assert.equal(refused.statusCode, 503)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await service.get(`${item}/images?external_reference=c`, key)).json<{ data: Image[] }>().data.length, 0)
  assert.equal((await service.request({ method: 'DELETE', url: `${item}/images/${id}`, key })).statusCode, 204)
  await workOff(service)
  const [job] = await listJobs(service.db, { failed: true })
  assert.deepEqual([job!.task, job!.state], ['delete_media', 'retrying'])
})
