import fastify from 'fastify'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import S3rver from 's3rver'
import { credentials, startCeph, withoutCeph } from '../../test/support/ceph.ts'
import { createProblemHandler } from '../http/errors.ts'
import { type Area, newFolder, newOriginal, renditionKey } from './object-keys.ts'
import { mediaRoutes } from './routes.ts'
import { openMediaStore } from './open.ts'
import type { MediaStore } from './store.ts'

const keyring = ['a key of the tests'] as const
const now = () => new Date()
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

type Opened = { store: MediaStore; close: () => Promise<void> }

// The file store is read through the service, as by a browser.
async function openFile(dataDir: string): Promise<Opened> {
  const app = fastify()
  app.setErrorHandler(createProblemHandler('http://localhost'))
  await app.register(mediaRoutes, { dataDir, keyring, clock: now })
  const publicUrl = await app.listen({ port: 0 })
  return {
    store: await openMediaStore({ store: 'file' }, { dataDir, publicUrl, keyring }),
    close: () => app.close(),
  }
}

async function openS3(dataDir: string): Promise<Opened> {
  process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: path.join(dataDir, 'buckets'),
    configureBuckets: [{ name: 'pictures', configs: [] }],
  })
  const { port } = await server.run()
  const config = { store: 's3', bucket: 'pictures', endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1' } as const
  return {
    store: await openMediaStore(config, { dataDir, publicUrl: 'http://unused', keyring }),
    close: () => server.close(),
  }
}

async function openCeph(dataDir: string): Promise<Opened> {
  const ceph = await startCeph()
  process.env['AWS_ACCESS_KEY_ID'] = credentials.accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = credentials.secretAccessKey
  const config = { store: 's3', bucket: 'pictures', endpoint: ceph.endpoint, region: 'eu-west-1' } as const
  return { store: await openMediaStore(config, { dataDir, publicUrl: 'http://unused', keyring }), close: ceph.stop }
}

const kinds: [name: string, open: (dataDir: string) => Promise<Opened>, skip: string | false][] = [
  ['file', openFile, false],
  ['s3', openS3, false],
  ['s3 of Ceph', openCeph, withoutCeph],
]

for (const [kind, open, skip] of kinds) {
  describe(`the ${kind} store`, { skip }, () => {
    let dataDir: string
    let opened: Opened
    let store: MediaStore

    before(async () => {
      dataDir = await mkdtemp(path.join(tmpdir(), 'media-'))
      opened = await open(dataDir)
      store = opened.store
    })
    after(async () => {
      await opened.close()
      await rm(dataDir, { recursive: true })
    })

    async function bytesOf(key: string): Promise<Buffer> {
      const local = path.join(dataDir, 'downloaded')
      await store.download(key, local)
      return readFile(local)
    }
    async function keysIn(area: Area): Promise<string[]> {
      const keys = []
      for await (const { key } of store.list(area)) keys.push(key)
      return keys.toSorted()
    }

    test('returns the bytes that were stored, from memory and from a file', async () => {
      const bytes = randomBytes(3_000_000)
      const local = path.join(dataDir, 'upload')
      await writeFile(local, bytes)
      const [fromMemory, fromFile] = [newOriginal(), newOriginal()]
      await store.put(fromMemory, bytes)
      await store.put(fromFile, local)
      assert.ok(bytes.equals(await bytesOf(fromMemory)))
      assert.ok(bytes.equals(await bytesOf(fromFile)))
      assert.ok(bytes.equals(await readFile(local)), 'the source stays')
    })

    test('returns a file with its size, and undefined for a missing key', async () => {
      const bytes = randomBytes(3_000_000)
      const key = newOriginal()
      await store.put(key, bytes)
      const found = await store.read(key)
      assert.equal(found!.bytes, bytes.length)
      assert.ok(bytes.equals(await buffer(found!.stream)))
      assert.equal(await store.read(newOriginal()), undefined)
    })

    test('replaces the content of a key', async () => {
      const key = newOriginal()
      for (const version of ['old', 'new']) await store.put(key, Buffer.from(version))
      assert.equal((await bytesOf(key)).toString(), 'new')
      assert.deepEqual(
        (await keysIn('originals')).filter((each) => each.startsWith(key)),
        [key],
      )
    })

    test('serves a public rendition without a signature at publicBase/key, cacheable for ever', async () => {
      const key = renditionKey(newFolder(true), 'thumbnail')
      await store.put(key, Buffer.from('picture'))
      const url = await store.url(key, now())
      assert.equal(url, `${store.publicBase}/${key}`)
      const response = await fetch(url)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'image/webp')
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(await response.text(), 'picture')
    })

    test('serves a private rendition by a signed URL for an hour', async () => {
      const key = renditionKey(newFolder(false), 'image')
      await store.put(key, Buffer.from('private picture'))
      const response = await fetch(await store.url(key, now()))
      assert.equal(response.headers.get('content-type'), 'image/webp')
      assert.match(response.headers.get('cache-control') ?? '', /^private, max-age=3\d\d\d$/)
      assert.equal(await response.text(), 'private picture')

      const young = await fetch(await store.url(key, minutesAgo(59)))
      const old = await fetch(await store.url(key, minutesAgo(61)))
      assert.deepEqual([young.status, old.status], [200, 403])
      assert.doesNotMatch(await old.text(), /private picture/)
    })

    test('serves an original as a download without a particular type', async () => {
      const key = newOriginal()
      await store.put(key, Buffer.from('<script>'))
      const { headers } = await fetch(await store.url(key, now()))
      assert.equal(headers.get('content-type'), 'application/octet-stream')
      assert.equal(headers.get('content-disposition'), 'attachment')
    })

    test('copies a file to another area, where its new key decides the headers', async () => {
      const from = renditionKey(newFolder(false), 'mini')
      const to = renditionKey(newFolder(true), 'mini')
      await store.put(from, Buffer.from('mini'))
      await store.copy(from, to)
      const response = await fetch(await store.url(to, now()))
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(await response.text(), 'mini')
      assert.equal((await bytesOf(from)).toString(), 'mini')
    })

    test('deletes a file, and accepts a missing one', async () => {
      const folder = newFolder(true)
      const keys = [renditionKey(folder, 'image'), renditionKey(folder, 'mini')] as const
      for (const key of keys) await store.put(key, Buffer.from('x'))
      for (const key of [...keys, ...keys, newOriginal()]) await store.delete(key)
      assert.deepEqual(
        (await keysIn('public')).filter((key) => key.startsWith(folder)),
        [],
      )
      // Without the permission to list, an object store answers 403 for a missing file.
      assert.ok([403, 404].includes((await fetch(await store.url(keys[0], now()))).status))
    })

    test('a missing file can be neither downloaded nor copied', async () => {
      const [missing, target] = [newOriginal(), newOriginal()]
      assert.equal(await store.download(missing, path.join(dataDir, 'nothing')), false)
      await assert.rejects(store.copy(missing, target))
      assert.ok(!(await keysIn('originals')).some((key) => key.startsWith(target)))
    })

    test('a failed put leaves no file behind', async () => {
      const key = newOriginal()
      await assert.rejects(store.put(key, path.join(dataDir, 'no such file')))
      await assert.rejects(store.put(key, dataDir))
      assert.ok(!(await keysIn('originals')).some((each) => each.startsWith(key)))
    })

    test('lists an area with the time at which each file was stored', async () => {
      const folder = newFolder(false)
      const key = renditionKey(folder, 'preview')
      const before = Date.now() - 2000
      await store.put(key, Buffer.from('x'))
      const found = []
      for await (const each of store.list('private')) if (each.key === key) found.push(each)
      assert.equal(found.length, 1)
      assert.ok(found[0]!.storedAt.getTime() >= before)
      assert.ok((await keysIn('private')).every((each) => each.startsWith('private/')))
      assert.ok(!(await keysIn('public')).includes(key))
    })
  })
}

test('a file of the file store is always complete, however many processes write it at once', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'media-'))
  const store = await openMediaStore({ store: 'file' }, { dataDir, publicUrl: 'http://unused', keyring })
  const key = newOriginal()
  const versions = ['a', 'b', 'c'].map((letter, at) => Buffer.alloc(400_000 * (at + 1), letter))
  await store.put(key, versions[0]!)
  await Promise.all(
    Array.from({ length: 60 }, async (_, round) => {
      await store.put(key, versions[round % versions.length]!)
      const local = path.join(dataDir, `downloaded-${round}`)
      await store.download(key, local)
      const read = await readFile(local)
      assert.ok(versions.some((version) => version.equals(read)))
    }),
  )
  await rm(dataDir, { recursive: true })
})

test('the file store is private to its user, whatever the umask, the source or an earlier version allowed', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'media-'))
  const umask = process.umask(0)
  try {
    const open = () => openMediaStore({ store: 'file' }, { dataDir, publicUrl: 'http://unused', keyring })
    const store = await open()
    const source = path.join(dataDir, 'source')
    await writeFile(source, 'x', { mode: 0o666 })
    const original = newOriginal()
    await store.put(original, source)
    await store.put(renditionKey(newFolder(false), 'mini'), Buffer.from('x'))
    await store.put(renditionKey(newFolder(true), 'mini'), Buffer.from('x'))
    await store.copy(original, renditionKey(newFolder(true), 'image'))
    await store.download(original, path.join(dataDir, 'downloaded'))
    const media = path.join(dataDir, 'media')
    const found = await readdir(media, { recursive: true, withFileTypes: true })
    for (const entry of found) {
      const location = path.join(entry.parentPath, entry.name)
      const wanted = entry.isDirectory() ? 0o700 : 0o600
      assert.equal((await stat(location)).mode & 0o777, wanted, location)
    }
    assert.equal(found.length, 10)
    assert.equal((await stat(path.join(dataDir, 'downloaded'))).mode & 0o777, 0o600)
    assert.equal((await stat(media)).mode & 0o777, 0o700)
    await chmod(media, 0o755)
    await open()
    assert.equal((await stat(media)).mode & 0o777, 0o700)
  } finally {
    process.umask(umask)
    await rm(dataDir, { recursive: true })
  }
})

test('an unreachable object store rejects every call', async () => {
  process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER'
  const config = { store: 's3', bucket: 'pictures', endpoint: 'http://127.0.0.1:9', region: 'eu-west-1' } as const
  const store = await openMediaStore(config, { dataDir: tmpdir(), publicUrl: 'http://unused', keyring })
  await assert.rejects(store.put(newOriginal(), import.meta.filename))
  await assert.rejects(store.delete(newOriginal()))
  await assert.rejects(store.download(newOriginal(), path.join(tmpdir(), 'nothing')))
})

test('a temporary failure of the object store does not fail a put', async () => {
  process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER'
  const received: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body)
      return response.writeHead(received.length % 2 === 1 ? 503 : 200).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const config = { store: 's3', bucket: 'pictures', endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1' } as const
  const store = await openMediaStore(config, { dataDir: tmpdir(), publicUrl: 'http://unused', keyring })
  await store.put(newOriginal(), import.meta.filename)
  await store.put(newOriginal(), Buffer.from('bytes'))
  const source = await readFile(import.meta.filename, 'utf8')
  assert.deepEqual(received, [source, source, 'bytes', 'bytes'])
  server.closeAllConnections()
  server.close()
})
