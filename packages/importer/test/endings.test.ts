import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPort } from '../../../test/support/process.ts'
import { picture } from '../../../test/support/pictures.ts'
import { itemLines, openHouse, sale, type Line } from './house.ts'
import { startImporter } from './program.ts'

const house = await openHouse()
after(() => house.close())

const itemsOf = (prefix: string, count: number) =>
  itemLines(count)
    .filter(({ type }) => type === 'item')
    .map((line): Line => ({ ...line, external_reference: `${prefix}-${String(line.external_reference)}` }))

async function forward(reply: ServerResponse, path: string, init: RequestInit): Promise<void> {
  const answer = await fetch(house.url + path, init)
  reply.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
}

/** A service in front of the one of the house, which answers some requests itself. */
async function openProxy(answer: (count: number, reply: ServerResponse) => boolean) {
  let count = 0
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (answer(++count, reply)) return
      const { method = 'GET', headers } = request
      const body = pieces.length > 0 ? Buffer.concat(pieces) : undefined
      const { authorization = '', 'idempotency-key': key, 'content-type': type } = headers
      const sent = {
        authorization,
        ...(key && { 'idempotency-key': String(key) }),
        ...(type && { 'content-type': type }),
      }
      void forward(reply, request.url!, { method, headers: sent, ...(body && { body }) })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const unauthorized = {
  type: '/problems/unauthorized',
  title: 'Unauthorized',
  status: 401,
  detail: 'The key is not valid.',
}

test('a key that is not valid ends a run of hundreds of rows in a sentence, with its report', async () => {
  const path = await house.write('stranger.ndjson', [house.house, ...itemsOf('stranger', 300)])
  for (const mode of ['plan', 'apply', 'verify']) {
    const { code, stdout, stderr } = await startImporter('ack_nobody', [mode, path, '--url', house.url]).outcome
    assert.equal(code, 2)
    assert.match(stderr, /^catalogue-import: [^\n]*key[^\n]*\n$/i)
    assert.match(stdout, /requests$/m)
  }
})

test('a key that is revoked in the middle ends the run with a report of what was done', async () => {
  const path = await house.write('revoked.ndjson', [house.house, ...itemsOf('revoked', 300)])
  const url = await openProxy((count, reply) => {
    if (count < 60) return false
    reply.writeHead(401, { 'content-type': 'application/problem+json' }).end(JSON.stringify(unauthorized))
    return true
  })
  const { code, stdout, stderr } = await startImporter(house.key, ['apply', path, '--url', url]).outcome
  assert.equal(code, 1, stdout + stderr)
  assert.equal(stderr, 'catalogue-import: The key is not valid.\n')
  assert.match(stdout, /^created: \d+ items$/m)
  assert.doesNotMatch(stdout, /rejected/)
  assert.match((await house.run('apply', path)).stdout, /^unchanged: \d+ items$/m)
})

test('Ctrl-C is heard while a run waits for a service that is away', async () => {
  const path = await house.write('away.ndjson', [house.house, ...itemsOf('away', 5)])
  const run = startImporter(house.key, ['apply', path, '--url', `http://127.0.0.1:${await findPort()}`, '--json'])
  let printed = ''
  run.stdout!.on('data', (text) => (printed += text))
  while (!printed.includes('waiting for the service')) await sleep(50)
  run.kill('SIGINT')
  const { code, stdout, stderr } = await run.outcome
  assert.equal(code, 2)
  assert.equal(stderr, 'catalogue-import: interrupted: go on with apply --resume\n')
  assert.match(stdout, /"event":"report"/)
})

test('a second Ctrl-C ends a run at once, with its report', async () => {
  const path = await house.write('twice.ndjson', [house.house, ...itemsOf('twice', 50)])
  const held: number[] = []
  const url = await openProxy((count) => count > 70 && held.push(count) > 0)
  const run = startImporter(house.key, ['apply', path, '--url', url])
  while (held.length === 0) await sleep(20)
  run.kill('SIGINT')
  await sleep(200)
  assert.equal(run.exitCode, null)
  run.kill('SIGINT')
  const { code, stdout, stderr } = await run.outcome
  assert.equal(code, 1, stdout + stderr)
  assert.match(stdout, /^created: \d+ items$/m)
  assert.match(stderr, /interrupted: go on with apply --resume\n$/)
})

test('what was brought in counts when the missing lots cannot be written', async () => {
  const [auction, session] = sale as [Line, Line]
  const path = await house.write('full/lots.ndjson', [house.house, auction, session, ...itemLines(30)])
  // A folder takes the place of the file, as a full disk does.
  await mkdir(join(house.folder, 'full/lots.ndjson.lots.csv/inside'), { recursive: true })
  const { code, stdout, stderr } = await house.run('apply', path)
  assert.equal(code, 1, stdout + stderr)
  assert.match(stdout, /^created: .*30 items/m)
  assert.match(stderr, /^catalogue-import: .*lots\.csv cannot be written: [^\n]*\n$/)
  assert.deepEqual(
    (await readdir(join(house.folder, 'full'))).filter((name) => name.endsWith('.new')),
    [],
  )
})

test('lots that staff has not added are counted apart, and all items are compared', async () => {
  const path = await house.write('lots/sale.ndjson', [house.house, ...sale, ...itemLines(150)])
  const applied = await house.run('apply', path)
  assert.equal(applied.code, 0, applied.stdout)
  const file = join(house.folder, 'lots/sale.ndjson.lots.csv')
  assert.ok(applied.stdout.includes(`150 lots are for staff to add: bin/catalogue lots add --file ${file}\n`))
  assert.equal((await readFile(file, 'utf8')).trimEnd().split('\n').length, 151)
  assert.doesNotMatch(applied.stdout, /lots add --session/)
  const verified = await house.run('verify', path, '--max-errors', '0')
  assert.equal(verified.code, 1)
  assert.match(verified.stdout, /^equal: .*150 items/m)
  assert.match(verified.stdout, /^not added by staff yet: 150 lots$/m)
})

test('the pictures and the lot of an item that differs are compared', async () => {
  await house.write('differs/a.jpg', await picture('#123456'))
  const [item] = itemsOf('differs', 1) as [Line]
  const image = { type: 'image', item: item.ref, external_reference: 'a', file: 'a.jpg', public: true }
  const path = await house.write('differs/sale.ndjson', [house.house, item, image])
  assert.equal((await house.run('apply', path)).code, 0)
  await house.write('differs/sale.ndjson', [house.house, { ...item, title: 'Kan' }, image])
  const { stdout } = await house.run('verify', path)
  assert.match(stdout, /^equal: 1 image$/m)
  assert.match(stdout, /^different or missing: 1 item$/m)
})

test('each source has a file of rejected records of its own', async () => {
  const broken = (name: string): Line[] => [house.house, { type: 'item', external_reference: name, archived: true }]
  for (const name of ['one', 'two'])
    assert.equal((await house.run('apply', await house.write(`own/${name}.ndjson`, broken(name)))).code, 2)
  for (const name of ['one', 'two'])
    assert.match(await house.read(`own/${name}.ndjson.rejected.ndjson`), new RegExp(`"external_reference":"${name}"`))
})

test('a picture whose name differs from a reference in capitals alone is refused with that reference', async () => {
  const path = await house.write('capitals.ndjson', [house.house, ...itemsOf('Capitals', 1)])
  assert.equal((await house.run('apply', path)).code, 0)
  await house.write('capitals/capitals-v-0-1.jpg', await picture())
  const { stdout } = await house.run('plan', join(house.folder, 'capitals'))
  assert.match(
    stdout,
    /no item has the reference capitals-v-0-1 or .*, but there is Capitals-V-0: name the picture like that/,
  )
})

test('a report that cannot be written is refused before anything is done', async () => {
  const path = await house.write('page.ndjson', [house.house, ...itemsOf('page', 1)])
  const { code, stdout } = await house.run('apply', path, '--report', join(house.folder, 'nowhere/page.html'))
  assert.equal(code, 2)
  assert.equal(stdout, '')
  assert.match((await house.run('plan', path)).stdout, /^to create: 1 item$/m)
})
