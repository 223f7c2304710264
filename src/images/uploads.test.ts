import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { form, picture, storedFiles, until, type Part } from '../../test/support/pictures.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

let service: TestService
let key: string
let jpeg: Buffer
let temporary: string
let port: number
const item = `/api/v2/items/itm_${uuid(1)}`

before(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'uploads-'))
  process.env['TMPDIR'] = temporary
  jpeg = await picture()
  service = await startService({
    records: [houseLine('noord'), { type: 'item', id: uuid(1), translations: { nl: { title: 'Vaas' } } }],
  })
  key = await service.issueKey('noord')
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
})
after(async () => {
  await service.close()
  await rm(temporary, { recursive: true })
})

const boundary = 'the-boundary'
const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** A body of parts with the given headers, which no library would write. */
function rawForm(...parts: [heads: string, value: string | Buffer][]): Buffer {
  const chunks = parts.flatMap(([heads, value]) => [`--${boundary}\r\n${heads}\r\n\r\n`, value, '\r\n'])
  return Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk as string)))
}
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`
const reference: [string, string] = [named('external_reference'), 'a']
const file = (): [string, Buffer] => [`${named('file')}; filename="a.jpg"\r\nContent-Type: image/jpeg`, jpeg]

async function post(body: Buffer) {
  const response = await service.request({ method: 'POST', url: `${item}/images`, key, headers, body })
  const { errors = [], detail } = response.json<{ errors?: { field: string; code: string }[]; detail: string }>()
  return { status: response.statusCode, errors: errors.map((error) => [error.field, error.code]), detail }
}

/** Sends a chunked upload over a connection of its own. `write` decides what is sent of its body. */
function sendChunked(to: string, write: (body: NodeJS.WritableStream) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      method: 'POST',
      path: `${to}/images`,
      headers: { ...headers, 'transfer-encoding': 'chunked', authorization: `Bearer ${key}` },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      request.destroy()
      resolve(response)
    })
    request.flushHeaders()
    write(request)
  })
}

const uploadsUnderWay = async () =>
  (await readdir(temporary)).filter((name) => name.startsWith('catalogue-media-')).length

test('no text in a form becomes a path of the server, whatever its content type', async () => {
  const secret = path.join(temporary, 'private.jpg')
  await writeFile(secret, jpeg)
  const pipe = path.join(temporary, 'pipe')
  execFileSync('mkfifo', [pipe])
  const before = await storedFiles(service.media)
  for (const target of [secret, pipe, '/dev/zero', '/proc/self/fd/0', path.join(temporary, 'missing')]) {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'text/plain', 'image/jpeg']) {
      for (const text of [JSON.stringify({ path: target }), JSON.stringify(target), target]) {
        const answer = await post(rawForm(reference, [`${named('file')}\r\nContent-Type: ${type}`, text]))
        assert.deepEqual([answer.status, answer.errors], [422, [['file', 'wrong_type']]], `${type}: ${text}`)
      }
    }
  }
  const asReference = await post(
    rawForm([`${named('external_reference')}\r\nContent-Type: application/json`, '["a"]'], [named('public'), 'x']),
  )
  assert.deepEqual(asReference.errors, [
    ['public', 'invalid'],
    ['file', 'required'],
  ])
  assert.deepEqual(await storedFiles(service.media), before)
})

test("a field with the name of an object's own property is unknown", async () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'path', 'file.path']) {
    const answer = await post(rawForm(reference, file(), [named(name), 'x']))
    assert.deepEqual([answer.status, answer.errors], [422, [[name, 'unknown_field']]], name)
  }
  const long = await post(rawForm(reference, file(), [named('n'.repeat(20_000)), 'x']))
  assert.deepEqual([long.status, long.errors], [422, [['n'.repeat(100), 'unknown_field']]])
})

test('a part without a name is not part of a form', async () => {
  for (const heads of [
    'Content-Disposition: form-data',
    named(''),
    'Content-Disposition: form-data; filename="a.jpg"',
  ]) {
    const answer = await post(rawForm(reference, file(), [heads, 'x']))
    assert.deepEqual([answer.status, answer.detail], [400, 'A part of the form has no name.'], heads)
  }
})

test('a form with a content encoding is refused', async () => {
  const body = rawForm(reference, file())
  const encoded = { ...headers, 'content-encoding': 'gzip' }
  const response = await service.request({ method: 'POST', url: `${item}/images`, key, headers: encoded, body })
  assert.equal(response.statusCode, 415)
})

test('an upload to an unknown item is refused before its body arrives', async () => {
  const response = await sendChunked(`/api/v2/items/itm_${uuid(9999)}`, () => undefined)
  assert.equal(response.statusCode, 404)
  assert.equal(await uploadsUnderWay(), 0)
})

test('the bytes of a form without a length are counted as they arrive, in the file and around it', async () => {
  const megabyte = Buffer.alloc(1024 * 1024)
  const heads = Buffer.from(`--${boundary}\r\n${file()[0]}\r\n\r\n`)
  for (const beginning of [heads, Buffer.from('a preamble')]) {
    const response = await sendChunked(item, (body) => {
      body.write(beginning)
      for (let sent = 0; sent < 52; sent++) body.write(megabyte)
    })
    assert.equal(response.statusCode, 413)
    await until(async () => (await uploadsUnderWay()) === 0)
  }
})

test('of several files only the first is written; only this user can read the folder and the file', async () => {
  const umask = process.umask(0)
  let modes: string[] = []
  const parts: Part[] = ['file', 'file'].map((name) => [name, Buffer.alloc(300_000), 'a.jpg'])
  const whole = form(...parts)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest({
      port,
      method: 'POST',
      path: `${item}/images`,
      headers: { ...whole.headers, 'transfer-encoding': 'chunked', authorization: `Bearer ${key}` },
    })
    request.on('error', reject).on('response', resolve)
    request.write(whole.body.subarray(0, whole.body.length - 10))
    const look = async () => {
      const [name] = (await readdir(temporary)).filter((each) => each.startsWith('catalogue-media-'))
      if (name === undefined) return false
      const folder = path.join(temporary, name)
      const files = await readdir(folder)
      if (files.length === 0 || (await stat(path.join(folder, files[0]!))).size < 300_000) return false
      const locations = [folder, ...files.map((each) => path.join(folder, each))]
      modes = await Promise.all(locations.map(async (each) => ((await stat(each)).mode & 0o777).toString(8)))
      return true
    }
    until(look).then(() => request.end(whole.body.subarray(whole.body.length - 10)), reject)
  }).finally(() => process.umask(umask))
  response.resume()
  assert.equal(response.statusCode, 422)
  assert.deepEqual(modes, ['700', '600'])
})

/** The decoders that read a received file at the moment. */
function findDecoding(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  return children.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/maps`, 'utf8').includes(temporary)
    } catch {
      // The decoder has ended.
      return false
    }
  })
}

test('an upload whose decoder is killed is decoded by another one; if that is killed too, it answers 503 and stores nothing', async () => {
  const create = { width: 5_000, height: 5_000, channels: 3, background: '#336699' } as const
  const slow = await sharp({ create }).jpeg({ progressive: true }).toBuffer()
  const upload = (name: string) => {
    const { body, headers } = form(['external_reference', name], ['file', slow, 'a.jpg'])
    return service.request({ method: 'POST', url: `${item}/images`, key, headers, body })
  }
  const once = upload('killed once')
  await until(async () => findDecoding().length > 0)
  for (const pid of findDecoding()) process.kill(pid, 'SIGKILL')
  assert.equal((await once).statusCode, 201)

  const before = await storedFiles(service.media)
  let isAnswered = false
  const twice = upload('killed twice').finally(() => (isAnswered = true))
  await until(async () => {
    for (const pid of findDecoding()) process.kill(pid, 'SIGKILL')
    return isAnswered
  })
  const reply = await twice
  assert.equal(reply.statusCode, 503, reply.payload)
  assert.match(reply.json<{ detail: string }>().detail, /decode/)
  assert.equal(reply.headers['retry-after'], '5')
  assert.deepEqual(await storedFiles(service.media), before)
  assert.equal((await upload('killed twice')).statusCode, 201)
})
