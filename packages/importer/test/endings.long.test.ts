import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPort } from '../../../test/support/process.ts'
import { itemsOf, openHouse } from './house.ts'
import { startImporter } from './program.ts'

const house = await openHouse()
after(() => house.close())

async function forward(reply: ServerResponse, path: string, init: RequestInit): Promise<void> {
  const answer = await fetch(house.url + path, init)
  reply.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
}

/** A proxy before the house's service that answers some requests itself. */
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

test('an invalid key ends a run of hundreds of rows with one sentence and the report', async () => {
  const path = await house.write('stranger.ndjson', [house.house, ...itemsOf('stranger', 300)])
  for (const mode of ['plan', 'apply', 'verify']) {
    const { code, stdout, stderr } = await startImporter('ack_nobody', [mode, path, '--url', house.url]).outcome
    assert.equal(code, 2)
    assert.match(stderr, /^catalogue-import: [^\n]*key[^\n]*\n$/i)
    assert.match(stdout, /requests$/m)
  }
})

test('a key that is revoked during a run ends it with a report of what was done', async () => {
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

test('Ctrl-C ends a run that waits for an absent service, and the waiting line has address, reason and Ctrl-C', async () => {
  const path = await house.write('away.ndjson', [house.house, ...itemsOf('away', 5)])
  const url = `http://127.0.0.1:${await findPort()}`
  const run = startImporter(house.key, ['apply', path, '--url', url, '--json'])
  let printed = ''
  run.stdout!.on('data', (text) => (printed += text))
  while (!printed.includes(`waiting for ${url} (connection refused), Ctrl-C ends`)) await sleep(50)
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
