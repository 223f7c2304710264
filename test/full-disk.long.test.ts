// The service with its embedded database, its pictures and its log on one small file system, which fills up.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, open, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { form, picture, until } from './support/pictures.ts'
import { houseLine, uuid } from './support/lines.ts'
import { findPort, runProcess, spawnCommand, stopProcess } from './support/process.ts'

const disk = await mkdtemp(path.join(tmpdir(), 'catalogue-disk-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk])
const skip = mounted.status === 0 ? false : 'this user may not mount a file system'
const port = await findPort()
const settings = {
  DATA_DIR: path.join(disk, 'data'),
  PORT: String(port),
  RATE_LIMIT_PER_MINUTE: '0',
  LOG_LEVEL: 'info',
}
const log = path.join(disk, 'log')
const ballast = path.join(disk, 'ballast')
const item = `items/itm_${uuid(1)}`
let child: ReturnType<typeof spawnCommand>
let key: string

async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProcess(settings, ...words)
  assert.equal(code, 0, stderr)
  return stdout
}

async function send(method: string, resource: string, body?: unknown) {
  const { headers, body: bytes } = Array.isArray(body)
    ? form(...(body as Parameters<typeof form>))
    : { headers: { 'content-type': 'application/json' }, body: body === undefined ? undefined : JSON.stringify(body) }
  const init = { method, headers: { ...headers, authorization: `Bearer ${key}` }, body: bytes ?? null }
  const reply = await fetch(`http://127.0.0.1:${port}/api/v2/${resource}`, init)
  const { data, detail } = (await reply.json()) as { data: never; detail: string }
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), data, detail }
}
const upload = async (reference: string, bytes: Buffer) =>
  send('POST', `${item}/images`, [
    ['external_reference', reference],
    ['file', bytes, 'a.jpg'],
  ])
const create = (reference: string) =>
  send('POST', 'items', {
    external_reference: reference,
    title: 'x',
    translations: { en: { description: Buffer.alloc(15_000, crypto.randomUUID()).toString('base64') } },
  })
const found = async (resource: string) => (await send('GET', resource)).data as { processing: boolean }[]

before(async () => {
  if (skip) return
  await mkdir(settings.DATA_DIR)
  const file = path.join(settings.DATA_DIR, 'house.ndjson')
  const lines = [houseLine('noord'), { type: 'item', id: uuid(1), translations: { nl: { title: 'Vaas' } } }]
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await run('load', file)
  key = (JSON.parse(await run('keys', 'create', '--house', 'noord', '--all', '--json')) as { key: string }).key
  await using output = await open(log, 'a')
  child = spawnCommand(settings, ['serve'], ['ignore', output.fd, 'ignore'])
  await until(async () => {
    assert.equal(child.exitCode, null)
    return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
  })
})
after(async () => {
  if (!skip) {
    if (child.exitCode === null) await stopProcess(child)
    assert.equal(spawnSync('umount', [disk]).status, 0)
  }
  await rm(disk, { recursive: true })
})

async function fill(): Promise<void> {
  await using file = await open(ballast, 'a')
  const block = Buffer.alloc(64 * 1024)
  // The database has free space in its pages and its log, and uses that first.
  while ((await statfs(disk)).bavail > 0) await file.write(block).catch(() => undefined)
}

test(
  'on a full disk writes and uploads are 503 and leave nothing, and reads continue; with free space the service recovers by itself',
  { skip },
  async () => {
    const [large, small] = [await picture('#808080', 4000, 4000), await picture()]
    await fill()
    let refused: Awaited<ReturnType<typeof create>> | undefined
    const created: string[] = []
    await until(async () => {
      const reference = `full-${created.length}`
      const reply = await create(reference)
      if (reply.status === 201) created.push(reference)
      else refused = reply
      return refused !== undefined
    })
    const { status, retryAfter, detail } = refused!
    assert.deepEqual([status, retryAfter, detail], [503, '5', 'The database cannot do this at the moment.'])
    assert.deepEqual(await found(`items?external_reference=full-${created.length}`), [])
    for (const reference of created) assert.equal((await found(`items?external_reference=${reference}`)).length, 1)

    const upload503 = await upload('large', large)
    assert.deepEqual(
      [upload503.status, upload503.retryAfter, upload503.detail],
      [503, '5', 'The file store cannot be reached, or is full.'],
    )
    assert.deepEqual(await found(`${item}/images`), [])
    const originals = path.join(settings.DATA_DIR, 'media', 'originals')
    assert.deepEqual(await readdir(originals).catch(() => []), [])
    const written = (await readFile(log)).length

    await rm(ballast)
    await until(async () => (await create('after')).status === 201)
    assert.equal((await upload('small', small)).status, 201)
    await until(async () => (await found(`${item}/images`)).every(({ processing }) => !processing))
    await until(async () => (await readFile(log)).length > written)
  },
)
