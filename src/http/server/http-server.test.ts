import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createHttpServer } from './http-server.ts'

const far = 300_000
const timeouts = { headers: far, request: far, body: far, idle: far }
const atOnce = (_: unknown, begin: () => void) => begin()

test('a server that stops closes each connection after the answer under way', { timeout: 20_000 }, async () => {
  const working = Promise.withResolvers<void>()
  const server = createHttpServer(
    (_, response) => void working.promise.then(() => response.end('done')),
    timeouts,
    atOnce,
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(server, 'request')
  const closed = once(server, 'close')
  server.close()
  working.resolve()
  assert.match(await text(client), /^HTTP\/1\.1 200 [^]*done$/)
  await closed
})

test('of several requests on one connection, one begins per turn of the event loop', async () => {
  let turn = 0
  const begins: number[] = []
  const count = () => {
    turn += 1
    if (begins.length < 32) setImmediate(count)
  }
  const server = createHttpServer(
    (_, response) => {
      begins.push(turn)
      response.end('done')
    },
    timeouts,
    atOnce,
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(31) + 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  count()
  await text(client)
  server.close()
  assert.equal(new Set(begins).size, 32)
})
