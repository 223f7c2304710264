import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { until } from '../../../test/support/pictures.ts'
import { Catalogue, type LotId } from '../src/index.ts'
import { Pace } from '../src/pace.ts'
import { serveCatalogue } from './service.ts'

const limit = 30
const { ids, connect, close } = await serveCatalogue({ rateLimitPerMinute: limit })
after(close)

test('requests share the rest of the rate limit: those beyond it wait, and none is refused', async ({ mock }) => {
  // The window does not end during the test, neither for the service nor for the client.
  for (const clock of [performance, Date]) {
    const now = clock.now()
    mock.method(clock, 'now', () => now)
  }
  let sent = 0
  const statuses: number[] = []
  const controller = new AbortController()
  const watching = connect({
    signal: controller.signal,
    fetch: async (input, init) => {
      sent += 1
      const answer = await fetch(input, init)
      statuses.push(answer.status)
      return answer
    },
  })
  const reads = Array.from({ length: 2 * limit }, () => watching.lots.get(ids.lot))
  const settled = Promise.allSettled(reads)
  await Promise.all(reads.slice(0, limit))
  // The last answer would let another request go on at once.
  await new Promise(setImmediate)
  assert.equal(sent, limit)
  assert.deepEqual(
    statuses,
    Array.from({ length: limit }, () => 200),
  )
  controller.abort()
  const outcomes = await settled
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, limit)
})

/** A service with windows of a second that refuses requests beyond its limit. */
async function startWindows(most: number) {
  let used = 0
  let endsAt = 0
  const refused: number[] = []
  const server = createServer((_request, reply) => {
    const now = Date.now()
    if (now >= endsAt) {
      used = 0
      endsAt = now + 1000
    }
    used += 1
    const reset = String(Math.ceil((endsAt - now) / 1000))
    const remaining = String(Math.max(0, most - used))
    const headers = { 'ratelimit-limit': String(most), 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }
    if (used > most) refused.push(now)
    // Answers overtake each other.
    setTimeout(
      () => reply.writeHead(used > most ? 429 : 200, { ...headers, 'retry-after': reset }).end('{"data":{}}'),
      20 * Math.random(),
    )
  }).listen(0, '127.0.0.1')
  await until(async () => server.listening)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, refused, close: () => server.close() }
}

test('after the window restarts the waiting requests go on, in their order', async (context) => {
  const { url, refused, close } = await startWindows(20)
  context.after(close)
  const sent: string[] = []
  const catalogue = new Catalogue({
    url,
    key: 'ack_x',
    fetch: (input, init) => {
      sent.push(path.basename(new URL(input instanceof Request ? input.url : input).pathname))
      return fetch(input, init)
    },
  })
  const lots = Array.from({ length: 60 }, (_, index): LotId => `lot_${index}`)
  await Promise.all(lots.map((lot) => catalogue.lots.get(lot)))
  assert.deepEqual(refused, [])
  assert.deepEqual(sent, lots)
})

test('a window that ends while the client reads the clock lets the waiting requests go on', async ({ mock }) => {
  const endsAt = 1000
  const readings: number[] = []
  mock.method(Date, 'now', () => readings.shift() ?? endsAt)
  mock.timers.enable({ apis: ['setTimeout'] })
  const pace = new Pace()
  pace.leave(new Response(null))
  readings.push(0, 0, 0)
  pace.leave(
    new Response(null, { headers: { 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' } }),
  )
  readings.push(0, 0, 0)
  const waiting = pace.enter(undefined)
  // The timer fires a millisecond early, as timers do.
  readings.splice(0, Infinity, endsAt - 1)
  mock.timers.tick(endsAt)
  mock.timers.tick(1)
  await waiting
})

test('without a limit no request waits', async (context) => {
  const server = createServer((_request, reply) => reply.end('{"house":{}}')).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await until(async () => server.listening)
  const { port } = server.address() as AddressInfo
  const catalogue = new Catalogue({ url: `http://127.0.0.1:${port}`, key: 'ack_x' })
  await Promise.all(Array.from({ length: 300 }, () => catalogue.discover()))
})

test('a failed request frees its place: after a hundred failures requests are still sent', async (context) => {
  let failures = 100
  const { connect, close } = await serveCatalogue()
  context.after(close)
  const failing = connect({
    retries: 0,
    fetch: async (input, init) => {
      if (failures-- > 0) throw new TypeError('fetch failed')
      return fetch(input, init)
    },
  })
  await Promise.allSettled(Array.from({ length: 100 }, () => failing.discover()))
  assert.equal((await failing.discover()).version, '2')
})
