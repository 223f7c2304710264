import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, mock, test, type TestContext } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { catalogueOf } from '../../../test/support/lines.ts'
import { startService, type TestService } from '../../../test/support/service.ts'

const ours = catalogueOf(1)
const theirs = catalogueOf(2)
const far = 300_000
// No test waits for it: periods of this length pass by `holdIntervals`.
const stall = 200_000

let service: TestService
let port: number
let [key, other] = ['', '']
const held = Promise.withResolvers<string>()

before(async () => {
  const timeouts = { headers: far, request: far, body: stall, idle: far }
  service = await startService({ records: [...ours.lines, ...theirs.lines], timeouts })
  service.app.get('/held', () => held.promise)
  await service.app.listen({ port: 0 })
  port = (service.app.server.address() as AddressInfo).port
  key = await service.issueKey(ours.slug)
  other = await service.issueKey(theirs.slug)
})
after(() => service.close())

/** A connection, and the data received on it. */
function open() {
  const client = connect(port).on('error', () => undefined)
  return { client, closed: once(client, 'close') }
}

async function readToEnd(client: Socket): Promise<string> {
  let text = ''
  for await (const piece of client.setEncoding('utf8')) text += piece as string
  return text
}

const head = (method: string, path: string, secret: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${secret}`, ...headers, '', ''].join('\r\n')

/** Holds the intervals of this length: `tick` passes one period of all, and `pass` others until the work is done. */
function holdIntervals(t: TestContext, milliseconds: number) {
  const { setInterval: start, clearInterval: stop } = globalThis
  const held = new Map<NodeJS.Timeout, () => void>()
  t.mock.method(globalThis, 'setInterval', (work: () => void, delay: number) => {
    const timer = start(work, delay === milliseconds ? far : delay)
    if (delay === milliseconds) held.set(timer, work)
    return timer
  })
  t.mock.method(globalThis, 'clearInterval', (timer: NodeJS.Timeout) => {
    held.delete(timer)
    stop(timer)
  })
  const tick = () => [...held.values()].forEach((work) => work())
  const pass = async <T>(work: Promise<T>): Promise<T> => {
    const passing = start(tick, 10)
    return work.finally(() => stop(passing))
  }
  return { tick, pass }
}

/** Advances the clock by which answers and look-ups of keys grow old. */
function age(milliseconds: number): void {
  const { now } = performance
  mock.method(performance, 'now', () => now.call(performance) + milliseconds)
}

/** The status of a read on a connection of its own. */
async function statusOf(path: string, secret: string): Promise<number> {
  const { client } = open()
  client.write(head('GET', path, secret, 'Connection: close'))
  return Number((await readToEnd(client)).slice(9, 12))
}

/** Opens connections that send the same, and waits until each has reached the service. */
async function openMany(count: number, begin: (client: Socket) => void) {
  const arrived: Socket[] = []
  const arrive = (socket: Socket) => arrived.push(socket)
  service.app.server.on('connection', arrive)
  const clients = Array.from({ length: count }, () => open())
  for (const { client } of clients) begin(client)
  while (arrived.length < count) await nextTurn()
  service.app.server.off('connection', arrive)
  return clients
}

/** Waits until the service has no connection. */
async function awaitEnds() {
  const count = () => new Promise<number>((resolve) => service.app.server.getConnections((_, found) => resolve(found)))
  while ((await count()) > 0) await sleep(10)
}

test('requests of one connection are answered in order, up to 33 sent at once', async () => {
  const { client } = open()
  const paths = Array.from({ length: 33 }, (_, index) => (index % 2 === 0 ? '/api/v2/lots' : '/api/v2/x'))
  const last = head('GET', paths.pop()!, key, 'Connection: close')
  client.write(paths.map((path) => head('GET', path, key)).join('') + last)
  const answers = await readToEnd(client)
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  assert.deepEqual(
    statuses,
    Array.from({ length: 33 }, (_, index) => (index % 2 === 0 ? 200 : 404)),
  )
})

test('a connection that pipelines many requests and reads nothing delays no other, and is closed', async () => {
  const large = head('GET', '/docs/static/swagger-ui-bundle.js', '').repeat(10)
  const attackers = Array.from({ length: 5 }, () => open())
  for (const { client } of attackers) client.pause().write(large + head('GET', '/api/v2/x', '').repeat(220))
  await Promise.all(attackers.map(({ client, closed }) => (client.resume(), closed)))
  assert.equal(await statusOf('/api/v2/lots', key), 200)
})

test('answers that no client reads hold no slot', async () => {
  const large = head('GET', '/docs/static/swagger-ui-bundle.js', '').repeat(5)
  const lots = head('GET', '/api/v2/lots', key).repeat(5)
  const clients = await openMany(60, (client) => client.pause().write(large + lots))
  for (let count = 0; count < 10; count++) assert.equal(await statusOf('/api/v2/lots', key), 200)
  for (const { client } of clients) client.destroy()
  await awaitEnds()
})

test('bodies that do not arrive hold no slot, and are answered 408 after a while without progress', async (t) => {
  const { pass } = holdIntervals(t, stall)
  const headers = ['Content-Type: application/json', 'Content-Length: 1000']
  const clients = await openMany(205, (client) => client.write(head('POST', '/api/v2/items', key, ...headers)))
  for (const secret of [key, other]) assert.equal(await statusOf('/api/v2/lots', secret), 200)
  const answers = await pass(Promise.all(clients.map(({ client }) => readToEnd(client))))
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 408 /)
    assert.match(answer, /content-type: application\/problem\+json/i)
    assert.match(answer, /connection: close/i)
    assert.match(answer, /"type":"[^"]+\/malformed-json"/)
  }
})

/** A connection whose end at the server tells how much has arrived. */
async function openWatched() {
  const arrived = once(service.app.server, 'connection') as Promise<[Socket]>
  const { client, closed } = open()
  const [socket] = await arrived
  let sent = 0
  return {
    client,
    closed,
    /** Sends a text and waits until the server has read it. */
    async send(text: string) {
      client.write(text)
      sent += text.length
      while (socket.bytesRead < sent) await nextTurn()
      await nextTurn()
    },
  }
}

const largeBody = (length: number) =>
  head('POST', '/api/v2/items', key, 'Content-Type: application/json', `Content-Length: ${length}`)

test('a body that makes progress does not time out', async (t) => {
  const { tick } = holdIntervals(t, stall)
  const { client, send } = await openWatched()
  const body = JSON.stringify({ title: 'Vaas', external_reference: 'slowly' }).padEnd(60_000)
  await send(largeBody(body.length).replace('Host: x', 'Host: x\r\nConnection: close'))
  for (let at = 0; at < body.length; at += 15_000) {
    await send(body.slice(at, at + 15_000))
    tick()
  }
  assert.match(await readToEnd(client), /^HTTP\/1\.1 201 /)
})

test('a body of which less than 10 KiB arrives in a period is answered 408, however much came before', async (t) => {
  const { tick } = holdIntervals(t, stall)
  const { client, send, closed } = await openWatched()
  await send(largeBody(1_000_000))
  await send(' '.repeat(900_000))
  tick()
  await send(' '.repeat(10_000))
  tick()
  assert.match(await readToEnd(client), /^HTTP\/1\.1 408 /)
  await closed
})

test('the rest of a refused body must arrive as fast, or its connection ends', async (t) => {
  const { tick } = holdIntervals(t, stall)
  const { client, send, closed } = await openWatched()
  const answer = once(client.setEncoding('utf8'), 'data') as Promise<[string]>
  await send(largeBody(2_000_000))
  await send(' '.repeat(1_100_000))
  assert.match((await answer)[0], /^HTTP\/1\.1 413 /)
  tick()
  await send(' '.repeat(20_000))
  tick()
  await send(' ')
  tick()
  await closed
})

test('bodies of one house that take all the room, with several keys, give way to those of another', async (t) => {
  const { pass } = holdIntervals(t, stall)
  const large = 1_000_000
  const headers = ['Content-Type: application/json', `Content-Length: ${large}`, 'Connection: close']
  const keys = await Promise.all(Array.from({ length: 8 }, () => service.issueKey(ours.slug)))
  const clients = Array.from({ length: 80 }, () => open())
  const answers = clients.map(({ client }) => readToEnd(client))
  for (const [index, { client }] of clients.entries()) {
    client.write(head('POST', '/api/v2/items', keys[index % keys.length]!, ...headers))
    client.write(' '.repeat(large - 1))
  }
  // Fewer than those of the house, and more than those of one of its keys.
  const theirs = Array.from({ length: 12 }, (_, index) => {
    const body = JSON.stringify({ title: 'Vaas', external_reference: `beside-${index}` }).padEnd(large)
    const { client } = open()
    client.write(head('POST', '/api/v2/items', other, ...headers) + body)
    return readToEnd(client)
  })
  for (const answer of await Promise.all(theirs)) assert.match(answer, /^HTTP\/1\.1 201 /)
  // The others are refused when their memory is needed, or when the rest of their bodies does not arrive.
  await Promise.race(answers)
  const statuses = (await pass(Promise.all(answers))).map((answer) => answer.slice(9, 12))
  assert.ok(statuses.includes('503') && statuses.includes('408'), String(statuses))
})

test('a request frees its slot however it ends, also when its client leaves', async () => {
  const json = ['Content-Type: application/json']
  const form = ['Content-Type: multipart/form-data; boundary=x']
  const upload = `/api/v2/items/${ours.ids.item}/images`
  const begun = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc'
  const requests = [
    head('GET', '/api/v2/lots', key),
    head('GET', '/api/v2/lots', 'ack_x'),
    head('GET', '/api/v2/x', key),
    head('GET', '/api/v2/lots?x=1', key),
    head('POST', '/api/v2/items', key, ...json),
    head('POST', '/api/v2/items', key, ...json, 'Content-Length: 0'),
    head('POST', '/api/v2/items', key, ...json, 'Content-Length: 9'),
    head('POST', '/api/v2/items', key, ...json, 'Content-Length: 2') + '{}',
    head('POST', '/api/v2/items', key, ...json, 'Content-Length: 9000000') + '{}',
    head('POST', '/api/v2/items', key, ...json, 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    head('POST', '/api/v2/items', key, 'Content-Type: text/plain', 'Content-Length: 2') + '{}',
    head('POST', '/api/v2/lots', key, ...json, 'Content-Length: 2') + '{}',
    head('POST', upload, key, ...form),
    head('POST', upload, key, ...form, 'Content-Length: 9000') + begun,
    head('POST', upload, key, ...form, `Content-Length: ${begun.length}`) + begun,
  ]
  for (const request of requests) {
    // More requests than slots of either kind.
    for (let round = 0; round < 3; round++) {
      const clients = await openMany(15, (client) => client.write(request))
      for (const { client } of clients) client.destroy()
      await awaitEnds()
    }
    assert.equal(await statusOf('/api/v2/lots', key), 200, request)
  }
  const last = open()
  last.client.write(head('POST', upload, key, ...form, 'Content-Length: 7', 'Connection: close') + '--x--\r\n')
  assert.match(await readToEnd(last.client), /^HTTP\/1\.1 4/)
})

test('simultaneous readiness checks share one look-up', async (t) => {
  let now = performance.now() + 1_001
  t.mock.method(performance, 'now', () => now)
  // Its first connection has a statement of its own.
  await service.request({ url: '/readyz' })
  now += 1_001
  service.statements.length = 0
  const first = (await service.request({ url: '/readyz' })).statusCode
  const once = service.statements.length
  now += 1_001
  service.statements.length = 0
  const many = await Promise.all(Array.from({ length: 400 }, () => service.request({ url: '/readyz' })))
  assert.deepEqual([...new Set(many.map(({ statusCode }) => statusCode))], [first])
  assert.equal(service.statements.length, once)
})

test('many unknown keys at once are refused, and a key in use is served', async () => {
  assert.equal(await statusOf('/api/v2/lots', key), 200)
  const random = Array.from({ length: 400 }, (_, index) => statusOf('/api/v2/lots', `ack_${index}`))
  for (let count = 0; count < 5; count++) {
    age(600)
    assert.equal(await statusOf('/api/v2/lots', key), 200)
  }
  for (const status of await Promise.all(random)) assert.ok(status === 401 || status === 503, String(status))
})

test('a thousand requests without a key, or with a wrong one, delay a request with a key by a few turns', async () => {
  const requests = [
    head('GET', '/api/v2/openapi.json', ''),
    head('HEAD', '/', ''),
    head('GET', '/api/v2/lots', 'ack_wrong'),
  ]
  for (const request of requests) {
    assert.equal(await statusOf('/api/v2', key), 200)
    service.logs.length = 0
    const flood = Array.from({ length: 30 }, () => open())
    for (const { client } of flood) client.resume().write(request.repeat(32))
    while (service.logs.length < 10) await nextTurn()
    const before = service.logs.length
    assert.equal(await statusOf('/api/v2', key), 200)
    const others = service.logs.findIndex(({ path }) => path === '/api/v2') - before
    assert.ok(others >= 0 && others < 300, `${others} of 960 were answered meanwhile`)
    while (service.logs.length < 961) await sleep(10)
    for (const { client } of flood) client.destroy()
    await awaitEnds()
  }
})

test('requests without a key have eight slots, and a hundred may wait; beyond that only they are refused, with Retry-After', async (t) => {
  // None is refused because it has waited too long for a slot.
  const { setTimeout: start } = globalThis
  t.mock.method(globalThis, 'setTimeout', (work: () => void, delay: number) =>
    start(work, delay === 5_000 ? far : delay),
  )
  const refused: string[] = []
  const answers = Array.from({ length: 112 }, async () => {
    const { client } = open()
    client.write(head('GET', '/held', '', 'Connection: close'))
    const answer = await readToEnd(client)
    if (answer.startsWith('HTTP/1.1 503')) refused.push(answer)
    return answer.slice(9, 12)
  })
  // Clients of one address have all slots but one.
  while (refused.length < 5) await sleep(10)
  for (const path of ['/healthz', '/api/v2/lots']) assert.equal(await statusOf(path, key), 200)
  const { client } = open()
  client.write(head('GET', '/docs/static/swagger-ui.css', '', 'Accept-Encoding: gzip', 'Connection: close'))
  const refusal = await readToEnd(client)
  assert.match(refusal, /^HTTP\/1\.1 503 /)
  assert.doesNotMatch(refusal, /\r\ncontent-encoding:/i)
  held.resolve('')
  const statuses = await Promise.all(answers)
  assert.deepEqual([statuses.filter((each) => each === '200').length, refused.length], [107, 5])
  for (const answer of refused) assert.match(answer, /\r\nretry-after: 2\r\n/i)
  assert.equal(await statusOf('/docs/static/swagger-ui.css', ''), 200)
})
