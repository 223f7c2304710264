import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { permissions } from '../../context.ts'
import { catalogueOf } from '../../../test/support/lines.ts'
import { publicUrl, startService, steady, type TestService } from '../../../test/support/service.ts'
import { createApp } from '../../app.ts'
import { secondsLeft } from './rate-limit.ts'

const { slug, lines } = catalogueOf(1)
const limit = 5

type Reply = Awaited<ReturnType<TestService['get']>>

function limits({ headers }: Reply) {
  const read = (name: string) => (headers[name] === undefined ? undefined : Number(headers[name]))
  return {
    limit: read('ratelimit-limit'),
    remaining: read('ratelimit-remaining'),
    reset: read('ratelimit-reset'),
    retry: read('retry-after'),
  }
}

/** Moves every window forward by so many seconds. */
async function pass({ db }: TestService, seconds: number): Promise<void> {
  const { now } = performance
  mock.method(performance, 'now', () => now.call(performance) + seconds * 1000)
  await sql`update catalogue.rate_windows set ends_at = ends_at - ${seconds} * interval '1 second'`.execute(db)
}

const service = await startService({ records: lines, rateLimitPerMinute: limit })
const shared = await startService({
  records: lines,
  rateLimitPerMinute: limit,
  windows: ({ db }) => ({ in: 'postgres', db }),
})
after(async () => {
  await service.close()
  await shared.close()
})
const services = [
  ['memory', service],
  ['postgres', shared],
] as const
const issue = (of: TestService, rate_limit: number) => of.issueKey(slug, permissions, { rate_limit })

/** Another instance on the database of the windows. */
async function openSecond() {
  const { db, keyrings, media, app } = shared
  const windows = { in: 'postgres', db } as const
  const parts = { ...steady, db, keyrings, media, publicUrl, windows, rateLimitPerMinute: limit, cacheBytes: 0 }
  return createApp({ ...parts, logger: app.log })
}

for (const [store, service] of services) {
  test(`windows in ${store}`, async (t) => {
    await t.test('every answer counts, whatever its status, and the next is 429 with Retry-After', async () => {
      const key = await service.issueKey(slug)
      const answers = []
      for (const url of ['/api/v2', '/api/v2/lots', '/api/v2/nonsense', '/api/v2/lots?x=1', '/api/v2/lots/1']) {
        answers.push(await service.get(url, key))
      }
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [200, 200, 404, 400, 404],
      )
      assert.deepEqual(
        answers.map((reply) => limits(reply).remaining),
        [4, 3, 2, 1, 0],
      )
      for (const reply of answers) {
        const { limit: most, reset, retry } = limits(reply)
        assert.equal(most, limit)
        assert.ok(reset! >= 1 && reset! <= 60)
        assert.equal(retry, undefined)
      }
      for (const url of ['/api/v2', '/api/v2/nonsense']) {
        const refused = await service.get(url, key)
        assert.equal(refused.statusCode, 429)
        assert.match(refused.headers['content-type']!, /^application\/problem\+json/)
        assert.match(refused.json<{ type: string }>().type, /rate-limit-exceeded$/)
        const { limit: most, remaining, reset, retry } = limits(refused)
        assert.deepEqual([most, remaining], [limit, 0])
        assert.ok(retry! >= 1 && retry! <= 60)
        assert.equal(retry, reset)
      }
    })

    await t.test('each key has a budget of its own', async () => {
      const [one, other] = [await service.issueKey(slug), await service.issueKey(slug)]
      for (let count = 0; count <= limit; count++) await service.get('/api/v2', one)
      assert.equal((await service.get('/api/v2', one)).statusCode, 429)
      assert.equal(limits(await service.get('/api/v2', other)).remaining, limit - 1)
    })

    await t.test('a key with its own limit has that one, larger or smaller, and none with 0', async () => {
      for (const rate_limit of [2, limit + 2]) {
        const key = await service.issueKey(slug, permissions, { rate_limit })
        const replies = []
        for (let count = 0; count <= rate_limit; count++) replies.push(await service.get('/api/v2', key))
        assert.deepEqual(
          replies.map(({ statusCode }) => statusCode),
          [...Array.from({ length: rate_limit }, () => 200), 429],
        )
        for (const reply of replies) assert.equal(limits(reply).limit, rate_limit)
        assert.match(replies.at(-1)!.json<{ detail: string }>().detail, new RegExp(`\\b${rate_limit} requests`))
      }
      const unlimited = await service.issueKey(slug, permissions, { rate_limit: 0 })
      for (let count = 0; count < 2 * limit; count++) {
        const reply = await service.get('/api/v2', unlimited)
        assert.deepEqual([reply.statusCode, limits(reply).limit], [200, undefined])
      }
    })

    await t.test('simultaneous requests are counted one by one', async () => {
      const key = await service.issueKey(slug)
      const replies = await Promise.all(Array.from({ length: 2 * limit }, () => service.get('/api/v2', key)))
      const remaining = replies.flatMap((reply) => (reply.statusCode === 200 ? [limits(reply).remaining!] : []))
      assert.deepEqual(
        remaining.toSorted((a, b) => a - b),
        [0, 1, 2, 3, 4],
      )
    })

    await t.test('a request without a valid key counts for no key and has no rate headers', async () => {
      const reply = await service.get('/api/v2', 'ack_nonsense')
      assert.deepEqual(limits(reply), { limit: undefined, remaining: undefined, reset: undefined, retry: undefined })
    })

    await t.test('a 304 counts', async () => {
      const key = await service.issueKey(slug)
      const { etag } = (await service.get('/api/v2', key)).headers
      const reply = await service.get('/api/v2', key, { 'if-none-match': String(etag) })
      assert.deepEqual([reply.statusCode, limits(reply).remaining], [304, limit - 2])
    })

    await t.test('the window is fixed: it ends a minute after its first request, whatever follows', async () => {
      const key = await service.issueKey(slug)
      for (let count = 0; count < limit; count++) await service.get('/api/v2', key)
      await pass(service, 30)
      const late = await service.get('/api/v2', key)
      assert.equal(late.statusCode, 429)
      assert.ok(limits(late).retry! <= 30)
      await pass(service, 30)
      const fresh = await service.get('/api/v2', key)
      assert.deepEqual([fresh.statusCode, limits(fresh).remaining], [200, limit - 1])
    })

    await t.test("a step of the process's clock neither ends nor extends a window", async () => {
      const key = await service.issueKey(slug)
      mock.timers.enable({ apis: ['Date'], now: Date.now() })
      try {
        for (let count = 0; count < limit; count++) {
          mock.timers.setTime(Date.now() + 10 * 60_000)
          assert.equal(limits(await service.get('/api/v2', key)).remaining, limit - count - 1)
        }
        mock.timers.setTime(Date.now() - 60 * 60_000)
        const refused = await service.get('/api/v2', key)
        assert.deepEqual([refused.statusCode, limits(refused).retry! <= 60], [429, true])
      } finally {
        mock.timers.reset()
      }
    })
  })
}

for (const [store, service] of services) {
  test(`a key may use its whole minute at one moment, counted in ${store}: the rest is 429`, async () => {
    const key = await issue(service, 300)
    const replies = await Promise.all(Array.from({ length: 350 }, () => service.get('/api/v2/items', key)))
    const statuses = Object.groupBy(replies, ({ statusCode }) => statusCode)
    assert.deepEqual([Object.keys(statuses), statuses[200]?.length], [['200', '429'], 300])
  })
}

test('a new window ends in 60 seconds, at whatever fraction of a millisecond it began', () => {
  const begun = Array.from({ length: 100_000 }, (_, n) => 1_000 + n * 0.618_033)
  const ends = begun.map((now) => now + 60_000 - now)
  assert.ok(ends.some((ttl) => ttl > 60_000))
  assert.deepEqual(new Set(ends.map(secondsLeft)), new Set([60]))
  assert.deepEqual([-1, 0, 1, 1_000, 1_001, 119_000].map(secondsLeft), [1, 1, 1, 1, 2, 60])
})

test('an answer of an overloaded service has the rate headers', async () => {
  const key = await issue(service, 1_000)
  const replies = await Promise.all(Array.from({ length: 400 }, () => service.get('/api/v2/items', key)))
  const refused = replies.filter(({ statusCode }) => statusCode === 503)
  assert.ok(refused.length > 0)
  for (const reply of refused) assert.ok(limits(reply).remaining! >= 600)
})

test('two instances on one database share the windows, even for simultaneous requests', async (t) => {
  const second = await openSecond()
  t.after(() => second.close())
  const { app, db } = shared
  await sql`delete from catalogue.rate_windows`.execute(db)
  const key = await issue(shared, 20)
  const call = { url: '/api/v2', headers: { authorization: `Bearer ${key}` } }
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? app : second).inject(call)),
  )
  assert.equal(replies.filter(({ statusCode }) => statusCode === 200).length, 20)
  const remaining = replies.flatMap((reply) => (reply.statusCode === 200 ? [limits(reply).remaining!] : []))
  assert.deepEqual(
    remaining.toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, index) => index),
  )
  const { rows } = await sql<{ used: number }>`select used from catalogue.rate_windows`.execute(db)
  assert.equal(rows.length, 1)
})

test('an instance that has not counted for a while uses the counts of the other one', async (t) => {
  const second = await openSecond()
  t.after(() => second.close())
  const { app } = shared
  const key = await issue(shared, 100)
  const remaining: (number | undefined)[] = []
  for (const each of [app, second, app, second, app]) {
    remaining.push(limits(await each.inject({ url: '/api/v2', headers: { authorization: `Bearer ${key}` } })).remaining)
    await sleep(120)
  }
  assert.deepEqual(remaining, [99, 98, 97, 96, 95])
})

test('without a limit there are no rate headers', async (t) => {
  const service = await startService({ records: lines, rateLimitPerMinute: 0 })
  t.after(() => service.close())
  const reply = await service.get('/api/v2', await service.issueKey(slug))
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(limits(reply), { limit: undefined, remaining: undefined, reset: undefined, retry: undefined })
  const limited = await service.issueKey(slug, permissions, { rate_limit: 1 })
  assert.deepEqual(limits(await service.get('/api/v2', limited)).remaining, 0)
  assert.equal((await service.get('/api/v2', limited)).statusCode, 429)
})

test('a key far below its limit does not wait for its count; its headers are exact, and every request is counted', async () => {
  await sql`delete from catalogue.rate_windows`.execute(shared.db)
  const key = await issue(shared, 1_000)
  const ask = async () => limits(await shared.get('/api/v2', key)).remaining
  const frozen = performance.now()
  const { mock: clock } = mock.method(performance, 'now', () => frozen)
  assert.equal(await ask(), 999)
  const asked: (number | undefined)[] = []
  await shared.db.transaction().execute(async (tx) => {
    await sql`lock table catalogue.rate_windows in exclusive mode`.execute(tx)
    for (let count = 0; count < 20; count++) asked.push(await ask())
  })
  assert.deepEqual(
    asked,
    Array.from({ length: 20 }, (_, index) => 998 - index),
  )
  clock.restore()
  const count = async () =>
    (await sql<{ used: number }>`select used from catalogue.rate_windows`.execute(shared.db)).rows
  while ((await count())[0]!.used !== 21) await sleep(5)
  // Beyond half of the window each request waits for its count, so that the limit is exact.
  const replies = await Promise.all(Array.from({ length: 1_000 }, () => shared.get('/api/v2', key)))
  assert.equal(replies.filter(({ statusCode }) => statusCode === 429).length, 21)
})
