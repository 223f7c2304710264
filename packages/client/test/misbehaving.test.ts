import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Catalogue, CatalogueError, NotFound, RateLimited, Unavailable, type LotId } from '../src/index.ts'

const url = 'http://127.0.0.1:1'
const month = String(31 * 24 * 3600)

/** A client of a service with these answers, and the addresses of its requests. */
function connectTo(answer: (path: string) => Response) {
  const asked: string[] = []
  const catalogue = new Catalogue({
    url,
    key: 'ack_x',
    longestWait: 0.001,
    fetch: async (input) => {
      const { href } = new URL(input instanceof Request ? input.url : input)
      asked.push(href.slice(url.length))
      return answer(href)
    },
  })
  return { catalogue, asked }
}

test('a request ends at once if the service asks it to wait for more than an hour', async () => {
  for (const [status, failure] of [
    [503, Unavailable],
    [429, RateLimited],
  ] as const)
    for (const retryAfter of ['3601', month, '9'.repeat(400), new Date(Date.now() + 8e9).toUTCString()]) {
      const { catalogue, asked } = connectTo(() => new Response('', { status, headers: { 'retry-after': retryAfter } }))
      await assert.rejects(catalogue.discover(), (error) => {
        assert.ok(error instanceof failure)
        return error.retryAfter! > 3600
      })
      assert.equal(asked.length, 1)
    }
})

test('a wait that is too long for a timer is not cut to zero', async (context) => {
  const controller = new AbortController()
  let asked = 0
  const catalogue = new Catalogue({
    url,
    key: 'ack_x',
    retries: Infinity,
    longestWait: Infinity,
    signal: controller.signal,
    fetch: async () => {
      asked++
      throw new TypeError('fetch failed')
    },
  })
  // As after many repetitions.
  context.mock.method(Math, 'random', () => 1e8)
  const timers = context.mock.method(globalThis, 'setTimeout')
  const reading = catalogue.discover()
  // The first is the deadline of the attempt.
  while (timers.mock.callCount() < 2) await new Promise(setImmediate)
  assert.equal(timers.mock.calls[1]!.arguments[1], 2 ** 31 - 1)
  controller.abort(new Error('enough'))
  await assert.rejects(reading, /enough/)
  assert.equal(asked, 1)
})

test('an error has the reason of its problem, also one that the client does not know', async () => {
  for (const reason of ['opens_soon', 'of_the_future', undefined]) {
    const { catalogue } = connectTo(() =>
      Response.json({ type: '/problems/lot-not-changeable', reason }, { status: 409 }),
    )
    await assert.rejects(catalogue.lots.get('lot_x'), { code: 'lot-not-changeable', reason })
  }
})

test('rate-limit headers that are unreadable, or ask for an endless wait, delay no request', async (context) => {
  // A request that waits would never end.
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const windows = [
    { limit: '100, 100;w=60', remaining: '0, 0;w=60', reset: '30' },
    { limit: '100, 100;w=60', remaining: '99', reset: '30' },
    { limit: '100', remaining: '99', reset: 'soon' },
    { limit: 'none', remaining: '-1', reset: '1e3' },
    { limit: '0', remaining: '0', reset: '0' },
    { limit: '100', remaining: '0', reset: month },
  ]
  for (const { limit, remaining, reset } of windows) {
    const headers = { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }
    const { catalogue, asked } = connectTo(() => Response.json({ house: {} }, { headers }))
    for (let count = 0; count < 20; count++) await catalogue.discover()
    assert.equal(asked.length, 20)
  }
})

test('an id that would lead to another address is not found, without a request', async () => {
  const { catalogue, asked } = connectTo(() => new Response('{"data":{}}'))
  for (const id of ['.', '..'] as string[] as LotId[]) {
    await assert.rejects(catalogue.lots.get(id), NotFound)
    await assert.rejects(catalogue.lots.update(id, { active: true }), NotFound)
    await assert.rejects(catalogue.images.list(id as string as 'itm_x').page(), NotFound)
    await assert.rejects(catalogue.images.delete('itm_x', id as string as 'img_x'), NotFound)
  }
  assert.equal(asked.length, 0)
  for (const id of ['...', 'a..', '%2e%2e', '../x', String.raw`..\x`, '?', '#']) await catalogue.lots.get(id as LotId)
  assert.ok(asked.every((path) => path.startsWith('/api/v2/lots/')))
})

test('a list with repeated or missing cursors ends with an error after its records', async () => {
  for (const length of [1, 2, 5, 30]) {
    let pages = 0
    const { catalogue, asked } = connectTo(() =>
      Response.json({ data: [{ id: pages }], has_more: true, next_cursor: `c${pages++ % length}` }),
    )
    let given = 0
    await assert.rejects(
      async () => {
        for await (const _ of catalogue.lots.list()) if (++given > 200) return
      },
      (error) =>
        error instanceof CatalogueError && error.code === 'unreadable-answer' && /does not end/.test(error.message),
    )
    assert.ok(asked.length <= 4 * length + 2, `${asked.length} pages of ${length}`)
    assert.equal(given, asked.length)
  }
  const { catalogue } = connectTo(() => Response.json({ data: [], has_more: true, next_cursor: null }))
  const first = await catalogue.lots.list().page()
  await assert.rejects(first.next(), { code: 'unreadable-answer' })
  await assert.rejects(
    async () => {
      for await (const _ of catalogue.changes({ follow: true })) assert.fail()
    },
    { code: 'unreadable-answer' },
  )
})
