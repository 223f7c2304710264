import fastify, { type FastifyInstance } from 'fastify'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createProblemHandler } from '../http/errors.ts'
import { newFolder, newOriginal, renditionKey } from './object-keys.ts'
import { mediaRoutes } from './routes.ts'
import { signedPath } from './signatures.ts'
import { openMediaStore } from './open.ts'
import type { MediaStore } from './store.ts'

const keyring = ['a key of the tests'] as const
const now = new Date('2026-11-20T12:00:00.400Z')
const image = renditionKey(newFolder(true), 'image')
const hidden = renditionKey(newFolder(false), 'image')
const original = newOriginal()

let dataDir: string
let app: FastifyInstance
let origin: string
let store: MediaStore

before(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'media-'))
  app = fastify()
  app.setErrorHandler(createProblemHandler('http://localhost'))
  await app.register(mediaRoutes, { dataDir, keyring, clock: () => now })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  store = await openMediaStore({ store: 'file' }, { dataDir, publicUrl: origin, keyring })
  for (const key of [image, hidden, original]) await store.put(key, Buffer.from('0123456789'))
  await writeFile(path.join(dataDir, 'secret'), 'TOP SECRET')
  await writeFile(path.join(dataDir, 'media', 'public', 'stray.html'), 'TOP SECRET')
})

after(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(origin + address, { method, headers })

const lastingHeaders = (response: Response) =>
  [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))

// fetch would normalize the path before sending it.
async function getRaw(target: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test('a private file without a valid signature is 403, whether it exists or not', async () => {
  for (const key of [hidden, original, renditionKey(newFolder(false), 'image'), newOriginal()]) {
    const right = signedPath(keyring, key, now)
    const { expires, signature } = Object.fromEntries(new URL(right, origin).searchParams)
    const wrong = [
      `/media/${key}`,
      `/media/${key}?expires=${expires}`,
      `/media/${key}?expires=${expires}&signature=`,
      `/media/${key}?expires=${Number(expires) + 1}&signature=${signature}`,
      `/media/${key}?expires=0${expires}&signature=${signature}`,
      `/media/${key}?expires=${expires}&signature=${signature}&signature=${signature}`,
      `${right.slice(0, -1)}${right.endsWith('A') ? 'B' : 'A'}`,
      signedPath(['another key'], key, now),
      `/media/${key}?${signedPath(keyring, newOriginal(), now).split('?')[1]}`,
    ]
    for (const address of wrong) {
      const response = await get(address)
      assert.equal(response.status, 403, address)
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.doesNotMatch(await response.text(), /0123456789/)
    }
  }
})

test('a signed URL works for an hour, and copies in caches no longer', async () => {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const fresh = await get(signedPath(keyring, hidden, now))
  const last = await get(signedPath(keyring, hidden, before(3598)))
  assert.deepEqual([fresh.status, fresh.headers.get('cache-control')], [200, 'private, max-age=3599'])
  assert.deepEqual([last.status, last.headers.get('cache-control')], [200, 'private, max-age=1'])
  assert.equal((await get(signedPath(keyring, hidden, before(3600)))).status, 403)
})

test('an unknown file is 404: a public one, and a private one with a valid signature', async () => {
  assert.equal((await get(`/media/${renditionKey(newFolder(true), 'image')}`)).status, 404)
  assert.equal((await get(signedPath(keyring, newOriginal(), now))).status, 404)
})

test('no path leaves the store or reads any file in it but renditions and originals', async () => {
  const up = ['..', '%2e%2e', '.%2e', '%252e%252e', '..%00', '..;']
  const between = ['/', '%2f', '%252f', '\\', '%5c', '//']
  const targets = up.flatMap((dots) =>
    between.flatMap((slash) => [
      `/media/${dots}${slash}secret`,
      `/media/public${slash}${dots}${slash}${dots}${slash}secret`,
      `/media/${image}${slash}${dots}${slash}${dots}${slash}${dots}${slash}${dots}${slash}secret`,
    ]),
  )
  // prettier-ignore
  const others = [
    'public/stray.html', 'public', 'public/', '', '%', '%c0%ae',
    `${dataDir}/secret`, `%2f${dataDir.slice(1)}/secret`, `${dataDir.replaceAll('/', '%2f')}%2fsecret`,
    `${image}%00`, `${image}%00.html`, `${image}/`, `${image}.`, image.toUpperCase(), `%20${image}`,
    `${hidden}/../../../${image}`, image.replace('public', 'public/../private'),
  ]
  targets.push('/media', ...others.map((rest) => `/media/${rest}`))
  for (const target of targets) {
    const response = await getRaw(target)
    assert.match(response, /^HTTP\/1\.1 4\d\d /, target)
    assert.doesNotMatch(response, /TOP SECRET|0123456789/, target)
  }
})

test('an encoded slash does not bypass the signature', async () => {
  assert.equal((await get(`/media/${hidden.replaceAll('/', '%2f')}`)).status, 403)
  assert.equal((await get(`/media/%70rivate${hidden.slice('private'.length)}`)).status, 403)
})

test('an original never renders in a browser', async () => {
  const response = await get(signedPath(keyring, original, now))
  assert.equal(response.headers.get('content-type'), 'application/octet-stream')
  assert.equal(response.headers.get('content-disposition'), 'attachment')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
})

test('HEAD answers as GET does, without the bytes', async () => {
  for (const address of [`/media/${image}`, signedPath(keyring, original, now)]) {
    const [head, whole] = [await get(address, {}, 'HEAD'), await get(address)]
    assert.deepEqual(lastingHeaders(head), lastingHeaders(whole))
    assert.equal(head.headers.get('content-length'), '10')
    assert.equal(await head.text(), '')
  }
})

test('a range of a file can be requested', async () => {
  const address = `/media/${image}`
  const parts: [string, number, string, string | null][] = [
    ['bytes=2-5', 206, '2345', 'bytes 2-5/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ]
  for (const [range, status, body, contentRange] of parts) {
    const response = await get(address, { range })
    assert.deepEqual(
      [response.status, await response.text(), response.headers.get('content-range')],
      [status, body, contentRange],
      range,
    )
  }
})

test('a range is served only from the version in If-Range', async () => {
  const address = `/media/${image}`
  const { headers } = await get(address)
  const statusWith = async (ifRange: string) => (await get(address, { range: 'bytes=0-1', 'if-range': ifRange })).status
  assert.equal(await statusWith(headers.get('etag')!), 206)
  assert.equal(await statusWith(headers.get('last-modified')!), 206)
  assert.equal(await statusWith('"another"'), 200)
  assert.equal(await statusWith('Thu, 01 Jan 1970 00:00:00 GMT'), 200)
})

test('a client that has the file gets 304, and one with a wrong If-Match 412', async () => {
  const address = `/media/${image}`
  const etag = (await get(address)).headers.get('etag')!
  const repeated = await get(address, { 'if-none-match': `"x", ${etag}` })
  assert.deepEqual([repeated.status, await repeated.text()], [304, ''])
  assert.equal(repeated.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal((await get(address, { 'if-match': '"x"' })).status, 412)
})

test('a range or a condition that a file does not satisfy is answered with a problem', async () => {
  const cases: [headers: Record<string, string>, status: number, slug: string][] = [
    [{ range: 'bytes=10-' }, 416, 'range-not-satisfiable'],
    [{ 'if-match': '"x"' }, 412, 'precondition-failed'],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412, 'precondition-failed'],
  ]
  for (const [headers, status, slug] of cases) {
    const response = await get(`/media/${image}`, headers)
    assert.equal(response.status, status)
    assert.equal(response.headers.get('content-range'), status === 416 ? 'bytes */10' : null)
    assert.match(response.headers.get('content-type')!, /^application\/problem\+json/)
    const problem = (await response.json()) as { type: string; status: number; instance: string }
    assert.match(problem.type, new RegExp(`/problems/${slug}$`))
    assert.deepEqual([problem.status, problem.instance], [status, `/media/${image}`])
  }
})
