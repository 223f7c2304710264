import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { picture, until } from '../../../test/support/pictures.ts'
import { Catalogue, type Progress, type Source } from '../src/index.ts'
import { createNetwork } from './network.ts'
import { serveCatalogue } from './service.ts'

const { service, ids, catalogue, connect, close } = await serveCatalogue()
const folder = await mkdtemp(path.join(tmpdir(), 'client-uploads-'))
const file = path.join(folder, 'vaas.jpg')
let bytes: Uint8Array<ArrayBuffer>
before(async () => {
  bytes = new Uint8Array(await picture('#aa3322', 400, 300))
  await writeFile(file, bytes)
})
after(async () => {
  await close()
  await rm(folder, { recursive: true })
})

const stream = () => new Blob([bytes]).stream()
const sources: Record<string, () => Source> = {
  'a path': () => file,
  'a Blob': () => new Blob([bytes]),
  'a function that opens a Blob': () => () => new Blob([bytes]),
  'a function that opens a stream': () => () => stream(),
  'a stream': () => stream(),
}

async function readOriginal(reference: string): Promise<Buffer> {
  const { original } = await service.db
    .selectFrom('catalogue.images')
    .select('original')
    .where('external_reference', '=', reference)
    .executeTakeFirstOrThrow()
  return readFile(original!)
}

async function readFile(key: string): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises')
  return readFile(path.join(service.dataDir, 'media', key))
}

for (const [name, open] of Object.entries(sources)) {
  test(`a picture is uploaded from ${name}, byte for byte, with and without progress`, async () => {
    const silent = await catalogue.images.upload(ids.plainItem, {
      file: open(),
      external_reference: name,
      public: false,
    })
    assert.deepEqual([silent.external_reference, silent.public], [name, false])
    assert.deepEqual(await readOriginal(name), Buffer.from(bytes))

    const seen: Progress[] = []
    const reference = `${name} “é”`
    await catalogue.images.upload(
      ids.plainItem,
      { file: open(), external_reference: reference },
      { onProgress: (progress) => seen.push(progress) },
    )
    assert.deepEqual(await readOriginal(reference), Buffer.from(bytes))
    assert.equal(seen.at(-1)!.sent, bytes.length)
    assert.equal(seen.at(-1)!.total, name.includes('stream') ? undefined : bytes.length)
  })
}

test('an upload is repeated from a source that can be opened again; a stream is sent once, and is then uncertain', async () => {
  for (const [name, open] of Object.entries(sources)) {
    const { fetch, attempts } = createNetwork('unsent')
    const bad = connect({ fetch })
    const uploading = bad.images.upload(ids.plainItem, { file: open(), external_reference: `again ${name}` })
    if (name === 'a stream') {
      await assert.rejects(uploading, { code: 'network-failure', uncertain: true })
      assert.equal(attempts.length, 1)
    } else {
      assert.equal((await uploading).external_reference, `again ${name}`)
      assert.equal(attempts.length, 2)
    }
  }
})

test('a missing file fails with the error of the file system, and no request is sent', async () => {
  const { fetch, attempts } = createNetwork()
  const missing = { file: path.join(folder, 'nothing.jpg'), external_reference: 'missing' }
  await assert.rejects(connect({ fetch }).images.upload(ids.plainItem, missing))
  assert.equal(attempts.length, 0)
})

test('a file is read no faster than the service takes it, so memory stays small', async (context) => {
  const size = 256 * 1024 * 1024
  const large = path.join(folder, 'large.tif')
  await writeFile(large, '')
  await truncate(large, size)
  let received: IncomingMessage | undefined
  const server = createServer((request) => (received = request)).listen(0, '127.0.0.1')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await until(async () => server.listening)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const controller = new AbortController()
  let sent = 0
  const uploading = new Catalogue({ url, key: 'ack_x', retries: 0 }).images.upload(
    ids.plainItem,
    { file: large, external_reference: 'large' },
    { signal: controller.signal, onProgress: (progress) => (sent = progress.sent) },
  )
  // The server reads nothing, so the client only reads as much of the file as the operating system buffers. On a machine
  // that stands still for a while, this ends with less.
  await until(async () => received !== undefined)
  let before = -1
  while (sent !== before) {
    before = sent
    await sleep(300)
  }
  controller.abort()
  await assert.rejects(uploading)
  assert.ok(sent < size / 4, `${sent}`)
})

test('other servers can read the form too', async (context) => {
  async function readForm(request: IncomingMessage, reply: ServerResponse) {
    const form = await new Response(new Uint8Array(await buffer(request)), {
      headers: { 'content-type': request.headers['content-type']! },
    }).formData()
    const part = form.get('file') as File
    const fields = [form.get('external_reference'), form.get('public'), part.size, request.headers['content-length']]
    reply.writeHead(201).end(JSON.stringify({ data: { fields } }))
  }
  const server = createServer((request, reply) => void readForm(request, reply)).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await until(async () => server.listening)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const image = await new Catalogue({ url, key: 'ack_x' }).images.upload(ids.plainItem, {
    file,
    external_reference: 'V-118-1 “é”',
  })
  const { fields } = image as unknown as { fields: unknown[] }
  assert.deepEqual(fields.slice(0, 3), ['V-118-1 “é”', 'true', bytes.length])
  assert.ok(Number(fields[3]) > bytes.length, 'a file of known size has a Content-Length')
})
