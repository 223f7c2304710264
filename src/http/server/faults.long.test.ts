import assert from 'node:assert/strict'
import { test } from 'node:test'
import { houseLine, uuid } from '../../../test/support/lines.ts'
import { until } from '../../../test/support/pictures.ts'
import { startService } from '../../../test/support/service.ts'

type Logged = { msg: string; fault: string; number: number; path: string; request?: string }

const many = 60
const items = Array.from({ length: many }, (_, index) => ({
  type: 'item',
  id: uuid(index),
  translations: { nl: { title: 'Vaas' } },
}))

async function serveBadly(rate: number) {
  const records = [houseLine('noord'), ...items]
  const service = await startService({ records, faults: { seed: 'seven', rate } })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const key = await service.issueKey('noord')
  const faults = () => (service.logs as Logged[]).filter(({ msg }) => msg === 'fault')
  return { service, url, key, faults }
}

// What the client sees: a status, a body that ends too early, or nothing.
async function patch(url: string, key: string): Promise<{ seen: string; request?: string | null }> {
  let reply: Response
  try {
    reply = await fetch(url, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ title: 'Grote vaas' }),
    })
  } catch {
    return { seen: 'nothing' }
  }
  const request = reply.headers.get('request-id')
  try {
    const body = (await reply.json()) as { type?: string }
    return { seen: `${reply.status} ${body.type?.split('/').at(-1) ?? ''}`.trim(), request }
  } catch {
    return { seen: 'half', request }
  }
}

test('the log names each fault, and a write that was committed stays committed', async () => {
  const { service, url, key, faults } = await serveBadly(1)
  const expected: Record<string, [seen: string, done: boolean]> = {
    'refused with 503': ['503 temporarily-unavailable', false],
    'refused with 429': ['429 rate-limit-exceeded', false],
    'cut before the service saw it': ['nothing', false],
    'cut after the work was done': ['nothing', true],
    'answered after seconds': ['200', true],
    'answered twice as slowly': ['200', true],
    'cut in the middle of the body': ['half', true],
  }
  try {
    const seen = new Map<string, Awaited<ReturnType<typeof patch>>>()
    await Promise.all(
      items.map(async ({ id }) => {
        const path = `/api/v2/items/itm_${id}`
        seen.set(path, await patch(url + path, key))
      }),
    )
    await until(async () => faults().length === many)
    assert.deepEqual(new Set(faults().map(({ fault }) => fault)), new Set(Object.keys(expected)))
    for (const { fault, path, request } of faults()) {
      const [answer, done] = expected[fault]!
      assert.equal(seen.get(path)!.seen, answer, fault)
      if (answer !== 'nothing') assert.equal(seen.get(path)!.request, request, fault)
      const { title } = (await service.db
        .selectFrom('catalogue.items')
        .select('title')
        .where('public_id', '=', path.slice(-36))
        .executeTakeFirstOrThrow()) as { title: string }
      assert.equal(title, done ? 'Grote vaas' : 'Vaas', fault)
    }
  } finally {
    await service.close()
  }
})

test('the seed decides which requests of the interface have a fault, and the rate about how many', async () => {
  const rolled = await Promise.all(
    [0.4, 0.4].map(async (rate) => {
      const { service, url, key, faults } = await serveBadly(rate)
      try {
        await Promise.all(items.map(({ id }) => patch(`${url}/api/v2/items/itm_${id}`, key)))
        for (const [path, status] of Object.entries({ '/healthz': 200, '/docs/': 200, '/api/v2x': 404 }))
          for (let again = 0; again < 10; again++) assert.equal((await fetch(url + path)).status, status)
        return faults().map(({ number, fault }) => `${number} ${fault}`)
      } finally {
        await service.close()
      }
    }),
  )
  assert.deepEqual(rolled[0]!.toSorted(), rolled[1]!.toSorted())
  assert.ok(rolled[0]!.length > many / 5 && rolled[0]!.length < many / 1.5, `${rolled[0]!.length}`)
})
