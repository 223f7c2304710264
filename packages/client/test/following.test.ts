import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Catalogue, cursor, Unavailable } from '../src/index.ts'
import { answer, createNetwork } from './network.ts'
import { serveCatalogue } from './service.ts'

const { ids, catalogue, connect, close } = await serveCatalogue()
after(close)

async function readAll(query: { after?: string; limit?: number } = {}) {
  const changes = []
  for await (const change of catalogue.changes(query)) changes.push(change)
  return changes
}

test('a program that stores the cursor of each change may stop after any, and misses none', async () => {
  const all = await readAll({ limit: 4 })
  assert.ok(all.length > 8)
  for (const [index, change] of all.entries()) {
    assert.equal(typeof change[cursor], 'string')
    const rest = new Set((await readAll({ after: change[cursor] })).map(({ id }) => id))
    assert.ok(all.slice(index + 1).every(({ id }) => rest.has(id)))
  }
  assert.deepEqual(await readAll({ after: all.at(-1)![cursor] }), [])
})

test('the pages of the feed have all its changes, each page with the cursor behind it', async () => {
  const pages = []
  for await (const page of catalogue.changes({ limit: 4 }).pages()) pages.push(page)
  const all = await readAll()
  assert.deepEqual(
    pages.flatMap(({ data }) => data),
    all,
  )
  for (const [index, { nextCursor }] of pages.entries()) {
    const rest = await readAll({ after: nextCursor })
    assert.deepEqual(rest, all.slice(4 * (index + 1)))
  }
})

test('a follower outlives an outage that is longer than all repetitions of a request', async () => {
  const outage = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? ('unsent' as const) : answer(503)))
  const { fetch, attempts } = createNetwork(undefined, ...outage)
  const patient = connect({ fetch, retries: 1, longestWait: 0.001 })
  const { cursor: end } = await catalogue.fingerprint()
  const seen = []
  for await (const { data, nextCursor } of patient.changes({ after: end, follow: true }).pages()) {
    seen.push(...data.map(({ id }) => id))
    if (attempts.length === 1) await catalogue.items.update(ids.plainItem, { condition: 'gaaf' })
    if (nextCursor !== end) break
  }
  assert.ok(seen.includes(ids.plainItem))
  assert.ok(attempts.length > outage.length)
  const impatient = connect({ ...createNetwork(...outage), retries: 1, longestWait: 0.001 })
  await assert.rejects(readPage(impatient), Unavailable)
})
const readPage = (of: Catalogue) => of.changes().page()

test('a follower asks again after an hour if the service wants it to wait for longer', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const asked: number[] = []
  const patient = new Catalogue({
    url: 'http://127.0.0.1:1',
    key: 'ack_x',
    fetch: async () => {
      asked.push(asked.length)
      if (asked.length < 3) return answer(503, { 'retry-after': '86400' })
      return Response.json({ data: [], has_more: false, next_cursor: 'c' })
    },
  })
  const reading = patient.changes({ follow: true }).page()
  for (const count of [1, 2]) {
    while (asked.length < count) await Promise.race([reading, new Promise(setImmediate)])
    await new Promise(setImmediate)
    context.mock.timers.tick(3_599_000)
    await new Promise(setImmediate)
    assert.equal(asked.length, count)
    context.mock.timers.tick(60_000)
  }
  assert.equal((await reading).nextCursor, 'c')
})

test('a signal ends a follower during an outage, with its own reason', async () => {
  const controller = new AbortController()
  const { fetch, attempts } = createNetwork(...Array.from({ length: 1_000 }, () => 'unsent' as const))
  const patient = connect({ fetch, longestWait: 0.001, signal: controller.signal })
  const reading = patient.changes({ follow: true }).page()
  while (attempts.length < 20) await new Promise(setImmediate)
  controller.abort(new Error('enough'))
  await assert.rejects(reading, /enough/)
})

test('a follower ends with the refusal of its key', async () => {
  await assert.rejects(connect({ key: 'ack_nobody' }).changes({ follow: true }).page(), { code: 'unauthorized' })
})
