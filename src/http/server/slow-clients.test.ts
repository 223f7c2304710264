import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setInterval as ticks } from 'node:timers/promises'
import { startService } from '../../../test/support/service.ts'
import type { Timeouts } from './http-server.ts'

// For limits that a test must not reach.
const far = 300_000

async function listen(timeouts: Timeouts) {
  const service = await startService({ records: [{ ...house }], timeouts })
  after(() => service.close())
  service.app.get('/large', () => Buffer.alloc(64 * 1024 * 1024))
  await service.app.listen({ port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const key = await service.issueKey('house')
  return {
    service,
    key,
    /** Opens a connection: the sockets of the client and of the server, and the end at the server. */
    async connect() {
      const arrived = once(service.app.server, 'connection') as Promise<[Socket]>
      const client = connect(port)
      client.on('error', () => undefined)
      const [socket] = await arrived
      return { client, socket, cutOff: once(socket, 'close') }
    },
  }
}
const house = { type: 'house', slug: 'house', name: 'House', default_locale: 'nl', currency: 'EUR' }
const body = JSON.stringify({ title: 'Vaas', external_reference: 'V' })
const post = (key: string) =>
  `POST /api/v2/items HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`

/** Sends a text byte by byte until the server stops reading. Returns the answer. */
async function trickle(client: Socket, text: string): Promise<string> {
  let answer = ''
  client.setEncoding('utf8').on('data', (piece: string) => (answer += piece))
  const closed = once(client, 'close')
  let sent = 0
  for await (const _ of ticks(20)) {
    if (!client.writable || sent === text.length) break
    client.write(text[sent++]!)
  }
  await closed
  return answer
}

test('headers and bodies that come byte by byte are answered 408 and cut off after the time limit', async () => {
  const { connect: open, key, service } = await listen({ headers: 300, request: 900, body: far, idle: far })
  const headers = await open()
  const slow = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ${'x'.repeat(10_000)}`
  assert.match(await trickle(headers.client, slow), /^HTTP\/1\.1 408 /)
  await headers.cutOff

  const bodies = await open()
  bodies.client.write(post(key).replace(/Content-Length: \d+/, 'Content-Length: 10000'))
  assert.match(await trickle(bodies.client, body + ' '.repeat(9_000)), /^HTTP\/1\.1 408 /)
  await bodies.cutOff
  assert.deepEqual(await service.walk('/api/v2/items', key), [])
})

test('a stalled body, and an unread answer, end their connections after a while without progress', async () => {
  const { connect: open, key, service } = await listen({ headers: far, request: far, body: far, idle: 500 })
  const stalling = await open()
  stalling.client.write(post(key) + body.slice(1))
  await stalling.cutOff

  const unread = await open()
  unread.client.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  await unread.cutOff
  unread.client.destroy()
  assert.equal((await service.request({ url: '/healthz' })).statusCode, 200)
  assert.deepEqual(await service.walk('/api/v2/items', key), [])
})

test('a client that does not read its answer is cut off after that time, not twice that, whatever it sends meanwhile', async (t) => {
  const idle = 3_000
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { connect: open } = await listen({ headers: far, request: far, body: far, idle })
  const { client, socket, cutOff } = await open()
  client.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  // oxlint-disable-next-line no-underscore-dangle -- as in http-server.ts
  const countUnsent = () => (socket as Socket & { _handle: { writeQueueSize: number } })._handle.writeQueueSize
  let [unsent, stuckAt] = [0, now]
  for await (const _ of ticks(5)) {
    if (socket.destroyed) break
    if (countUnsent() === 0 || countUnsent() !== unsent) [unsent, stuckAt] = [countUnsent(), now]
    else if ((now - stuckAt) % 300 === 0) client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    now += idle / 20
    t.mock.timers.tick(idle / 20)
  }
  await cutOff
  client.destroy()
  assert.ok(now - stuckAt < 2 * idle)
})

test('unread large answers take at most a quarter of a gigabyte; others are answered meanwhile', async () => {
  const { connect: open, service } = await listen({ headers: far, request: far, body: far, idle: far })
  const clients: Socket[] = []
  let cut = 0
  for (let each = 0; each < 7; each++) {
    const { client, cutOff } = await open()
    client.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    const count = () => (cut += 1)
    void cutOff.then(count, count)
    clients.push(client)
  }
  for await (const _ of ticks(50)) if (cut >= 3) break
  assert.equal((await service.request({ url: '/healthz' })).statusCode, 200)
  assert.ok(cut <= 4, `${cut} of seven answers of 64 MiB were given up, where four have room`)
  for (const client of clients) client.destroy()
})
