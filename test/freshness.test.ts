import { changeLot } from '../src/lots/changes.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { addLots } from '../src/lots/adding.ts'
import { placeBid } from '../src/lots/bids.ts'
import { changeSession } from '../src/sales/sessions.ts'
import { openDatabase } from '../src/db/pool.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { tasks } from './support/jobs.ts'
import { parseId } from '../src/values/ids.ts'
import { catalogueOf, eur, houseLine, uuid } from './support/lines.ts'
import { publicUrl, startService, steady } from './support/service.ts'
import { findHouse } from '../src/houses/locks.ts'
import { contextNow } from '../src/context.ts'

const { slug, ids, lines } = catalogueOf(1)
const opened = uuid(50)
const service = await startService({
  records: [
    ...lines,
    {
      type: 'session',
      id: opened,
      auction: ids.auction,
      external_reference: 'open',
      kind: 'timed',
      opens_at: '2020-01-01T00:00:00Z',
      timed: { first_closes_at: '2099-01-01T00:00:00Z', group_size: 1, interval_seconds: 60 },
      published: true,
      customer_bidding_enabled: true,
    },
    ...[51, 52].map((n) => ({
      type: 'lot',
      id: uuid(n),
      session: opened,
      item: ids.item,
      lot_number: n,
      active: true,
      closes_at: '2099-01-01T00:00:00Z',
    })),
    ...[53, 54].map((n) => ({
      type: 'lot',
      id: uuid(n),
      session: ids.draftSession,
      item: ids.plainItem,
      lot_number: n,
    })),
  ],
})
const key = await service.issueKey(slug)
const house = (await findHouse(service.db, slug))!
after(() => service.close())

/** Another instance on the same database, with its own connections. */
async function startInstance(cacheBytes: number) {
  const { db, pool } = openDatabase(service.connection, 4)
  const { keyrings, media } = service
  const logger = pino({ level: 'silent' })
  const windows = { in: 'memory' } as const
  const parts = { ...steady, db, keyrings, media, publicUrl, cacheBytes, windows, logger }
  const app = await createApp({ ...parts, rateLimitPerMinute: 0 })
  return { app, close: () => app.close().then(() => pool.end()) }
}

const all = 'expand[]=item&expand[]=item.images&expand[]=session'
const urls = [
  `lots?session=${opened}&${all}`,
  `lots?session=${ids.draftSession}&${all}`,
  `lots?limit=2&${all}`,
  `lots?active=true`,
  `lots/${ids.lot}?${all}`,
  `lots/${uuid(51)}`,
  `items?expand[]=images`,
  `items?external_reference=I-1`,
  `items/${ids.item}?expand[]=images`,
  `auctions?expand[]=sessions`,
  `auctions/${ids.draftAuction}`,
  `sessions?expand[]=auction`,
  `sessions/${ids.draftSession}?expand[]=auction`,
].map((path) => `/api/v2/${path}`)

const random = (below: number) => Math.floor(Math.random() * below)

test('an answer of any instance is no older than the last commit before its request, whatever made the commit', async () => {
  const [first, second, plain] = [
    await startInstance(64 * 1024 * 1024),
    await startInstance(300_000),
    await startInstance(0),
  ]
  const worker = await startWorker(service, tasks, {
    error: () => undefined,
    warn: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  })
  const ask = async ({ app }: typeof plain, url: string) => {
    const reply = await app.inject({ url, headers: { authorization: `Bearer ${key}` } })
    assert.equal(reply.statusCode, 200, reply.payload)
    return `${String(reply.headers['etag'])} ${reply.payload}`
  }
  const context = () => contextNow(service.db, house, service.media.publicBase)
  const patch = async (path: string, body: object) => {
    const reply = await service.request({ method: 'PATCH', url: `/api/v2/${path}`, key, body })
    assert.ok([200, 409].includes(reply.statusCode), reply.payload)
  }
  let amount = 100
  let number = 100
  let switches = 0
  let added: string | undefined
  const writes: ((n: number) => Promise<unknown>)[] = [
    (n) => patch(`items/${ids.item}`, { title: `Title ${n}` }),
    (n) => patch(`items/${ids.item}`, { translations: { en: { description: `Text ${n}` } } }),
    (n) =>
      patch(`items/${ids.item}`, {
        categories: n % 2 === 0 ? [] : [ids.category],
        makers: n % 3 === 0 ? [] : [ids.maker],
      }),
    (n) => patch(`items/${ids.item}/gallery`, { images: n % 2 === 0 ? [ids.image] : [ids.secondImage, ids.image] }),
    // Changes a lot of the same lists first, so that no list of active lots repeats.
    async (n) => {
      await patch(`items/${ids.item}`, { title: `Switch ${++switches}` })
      await patch(`lots/${uuid(53 + (n % 2))}`, { active: n % 4 < 2 })
    },
    (n) => patch(`sessions/${ids.draftSession}`, { title: `Zitting ${n}` }),
    (n) => patch(`auctions/${ids.draftAuction}`, { description: `Veiling ${n}` }),
    () => placeBid(context(), { lot: uuid(51), amount: (amount += 100) }),
    (n) => changeSession(context(), parseId('session', ids.liveSession)!, { published: n % 2 === 0 }),
    // Adds a lot before it archives the previous one, so that no state repeats.
    async () => {
      const lot = {
        session: parseId('session', ids.draftSession)!,
        item: parseId('item', ids.plainItem)!,
        lot_number: ++number,
        starting_bid: null,
        again: true,
      }
      const { id } = JSON.parse((await addLots(context(), [lot]))[0]!) as { id: string }
      if (added !== undefined) await changeLot(context(), parseId('lot', added)!, { archived: true })
      added = id
    },
    (n) =>
      service.load([
        houseLine(slug),
        { type: 'image', item: ids.item, external_reference: `L-${n}`, public: true },
        { type: 'session', auction: ids.auction, external_reference: `L-${n}`, kind: 'live', opens_at: null },
        { type: 'lot', session: opened, item: ids.item, lot_number: 1000 + n, starting_bid: eur(100) },
      ]),
  ]
  const writing = new AbortController()
  let [unchanged, changed] = [0, 0]
  const hasSeenEnough = () => unchanged > 50 && changed > 5
  const write = async () => {
    for (let n = 0; (n < 150 || !hasSeenEnough()) && !writing.signal.aborted; n++)
      await writes[n < writes.length ? n : random(writes.length - 1)]!(n)
    writing.abort()
  }
  // Two uncached answers, one before and one after: if they agree, only that answer is right between them.
  const read = async () => {
    const history = new Map<string, Map<string, number>>(urls.map((url) => [url, new Map()]))
    while (!writing.signal.aborted) {
      const url = urls[random(urls.length)]!
      const seen = history.get(url)!
      const before = await ask(plain, url)
      if (!seen.has(before)) seen.set(before, seen.size)
      const answers = await Promise.all([ask(first, url), ask(second, url), ask(first, url)])
      const afterwards = await ask(plain, url)
      if (afterwards === before) {
        unchanged += 1
        for (const answer of answers) assert.equal(answer, before)
      } else {
        changed += 1
        for (const answer of answers) assert.ok((seen.get(answer) ?? Infinity) >= seen.get(before)!, `stale: ${answer}`)
      }
    }
  }
  const outcomes = await Promise.allSettled(
    [write(), read(), read(), read()].map((each) => each.finally(() => writing.abort())),
  )
  await worker.stop()
  const last = await Promise.all(urls.map(async (url) => [await ask(first, url), await ask(plain, url)]))
  await Promise.all([first.close(), second.close(), plain.close()])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  for (const [kept, built] of last) assert.equal(kept, built)
})

test('counts show every change of lots, items and images at once, on any instance', async (t) => {
  const instances = [await startInstance(64 * 1024 * 1024), await startInstance(0)]
  t.after(() => Promise.all(instances.map(({ close }) => close())))
  const url = `/api/v2/sessions/${opened}?expand[]=counts`
  const lists = [url, '/api/v2/sessions?expand[]=counts&expand[]=auction']
  const ask = async (held?: Map<string, string>) => {
    const bodies: unknown[] = []
    for (const [index, { app }] of instances.entries())
      for (const path of lists) {
        const etag = held?.get(`${index} ${path}`)
        const headers = { authorization: `Bearer ${key}`, ...(etag !== undefined && { 'if-none-match': etag }) }
        const reply = await app.inject({ url: path, headers })
        assert.equal(reply.statusCode, 200, `${path} ${reply.payload}`)
        held?.set(`${index} ${path}`, String(reply.headers['etag']))
        const { data } = reply.json<{ data: { id: string; counts: object } | { id: string; counts: object }[] }>()
        bodies.push((Array.isArray(data) ? data : [data]).find(({ id }) => id === `ses_${opened}`)!.counts)
      }
    for (const body of bodies) assert.deepEqual(body, bodies[0])
    return bodies[0] as Record<string, number>
  }
  const run = (text: RawBuilder<unknown>) => () => text.execute(service.db)
  const images = sql`(select id from catalogue.items where public_id = ${ids.item.slice(4)})`
  const context = () => contextNow(service.db, house)
  const item = parseId('item', ids.plainItem)!
  const steps: [names: string[], write: () => Promise<unknown>][] = [
    [
      ['lots', 'without_result', 'without_images'],
      () => addLots(context(), [{ session: opened, item, lot_number: 9_000, starting_bid: null, again: true }]),
    ],
    [['active'], run(sql`update catalogue.lots set active = false where public_id = ${uuid(52)}`)],
    [['with_bids'], () => placeBid(context(), { lot: uuid(51), amount: 10_000_000 })],
    [
      ['extended'],
      run(
        sql`update catalogue.lots set closes_at = closes_at + interval '1 minute', scheduled_closes_at = closes_at where public_id = ${uuid(51)}`,
      ),
    ],
    [
      ['sold', 'without_result'],
      run(sql`update catalogue.lots set result_state = 'sold', sold = true where public_id = ${uuid(51)}`),
    ],
    [
      ['sold', 'unsold'],
      run(sql`update catalogue.lots set result_state = 'unsold', sold = false where public_id = ${uuid(51)}`),
    ],
    [
      ['unsold', 'withdrawn'],
      run(sql`update catalogue.lots set result_state = 'withdrawn' where public_id = ${uuid(51)}`),
    ],
    [['images_processing'], run(sql`update catalogue.images set processing = true where item_id = ${images}`)],
    [
      ['images_processing', 'images_failed'],
      run(sql`update catalogue.images set processing = false, processing_failed_at = now() where item_id = ${images}`),
    ],
    [['without_images'], run(sql`update catalogue.images set public = false where item_id = ${images}`)],
    [['images_failed'], run(sql`update catalogue.items set archived = true where id = ${images}`)],
    [
      ['lots', 'without_result', 'without_images'],
      run(sql`update catalogue.lots set archived = true where public_id = ${uuid(52)}`),
    ],
  ]
  const held = new Map<string, string>()
  await run(sql`update catalogue.lots set current_bid = null where public_id = ${uuid(51)}`)()
  let before = await ask(held)
  for (const [names, write] of steps) {
    await write()
    const now = await ask(held)
    const changed = Object.keys(now).filter((name) => now[name] !== before[name])
    for (const name of names) assert.ok(changed.includes(name), `${name} ${String(write)}`)
    before = now
  }
})
