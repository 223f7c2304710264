import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { readGeneration } from '../db/generation.ts'
import { writeDocuments } from '../items/document.ts'
import { permissions } from '../context.ts'
import { findHouse } from '../houses/locks.ts'
import { catalogueOf, eur, houseLine, runningSale, uuid } from '../../test/support/lines.ts'
import { publicUrl, startService, type Call, type Json } from '../../test/support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
const running = { session: `ses_${uuid(1_900)}`, lot: `lot_${uuid(1_901)}` }
const held = `lot_${uuid(1_902)}`
const fixed = `ses_${uuid(1_903)}`
const [session, lot] = runningSale(ids, running)
const service = await startService({
  records: [
    ...lines,
    session,
    lot,
    { ...lot, id: held, item: ids.plainItem, lot_number: 2, held: true },
    { ...session, id: fixed, numbers_fixed: true, results: 'automatic' },
  ],
})
after(() => service.close())
const key = await service.issueKey(slug)
const storefront = await service.issueKey(slug, permissions)
const bidder = await service.issueKey(slug, ['bids'])

type Lot = Json & { staff: { held: boolean; bids: number; has_had_bid: boolean } }

const send = (method: string, url: string, body?: unknown, changes: Partial<Call> = {}) =>
  service.request({ method, url, key, ...(body !== undefined && { body }), ...changes })

async function get(url: string, secret: string) {
  const reply = await service.get(url, secret)
  assert.equal(reply.statusCode, 200, `${url} ${reply.payload}`)
  return reply
}

async function read(url: string, secret = key) {
  const reply = await get(url, secret)
  return { ...reply.json<{ data: Lot }>(), etag: String(reply.headers['etag']) }
}

const readAll = async (url: string) => (await get(url, key)).json<{ data: Lot[] }>().data

const list = async (query: string) =>
  (await readAll(`/staff/v1/lots?session=${running.session}&${query}`)).map(({ id }) => id)

async function place(amount: number, changes: Partial<Call> = {}) {
  const reply = await send('POST', `/staff/v1/lots/${running.lot}/bids`, { amount: eur(amount) }, changes)
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<{ data: Lot }>().data
}

// The bids of the running lot, the latest first.
const bids = () => readAll(`/staff/v1/lots/${running.lot}/bids`)

/** Asserts that a change of what only staff see is in the next read of both interfaces and in the feed. */
async function advances(plural: 'lots' | 'sessions', id: string, change: () => Promise<unknown>) {
  const [ours, everybodys] = [`/staff/v1/${plural}/${id}`, `/api/v2/${plural}/${id}`]
  const before = await read(ours)
  const { next_cursor } = (await service.get('/api/v2/changes', storefront)).json<{ next_cursor: string }>()
  await change()
  const again = await service.get(ours, key, { 'if-none-match': before.etag })
  assert.equal(again.statusCode, 200, 'the client learns of the change')
  const now = again.json<{ data: Json }>().data
  assert.notDeepEqual(now['staff'], before.data['staff'])
  assert.equal(now['updated_at'], before.data['updated_at'])
  const { staff: _, ...shown } = now
  const seen = await read(everybodys, storefront)
  assert.deepEqual(seen.data, shown)
  assert.equal(seen.etag, again.headers['etag'])
  const feed = await service.get(`/api/v2/changes?after=${next_cursor}`, storefront)
  assert.ok(feed.json<{ data: { id: string }[] }>().data.some((each) => each.id === id))
}

test('a loaded lot that is held, and a session whose numbers are fixed, show it', async () => {
  assert.deepEqual((await read(`/staff/v1/lots/${held}`)).data.staff, { held: true, bids: 0, has_had_bid: false })
  const staff = async (id: string) => (await read(`/staff/v1/sessions/${id}`)).data['staff']
  assert.deepEqual(await staff(fixed), { results: 'automatic', numbers_fixed: true })
  assert.deepEqual(await staff(running.session), { results: 'by-staff', numbers_fixed: false })
})

test('a change of what only staff see changes the ETag and the place in the feed, not updated_at', async () => {
  for (const value of [false, true])
    await advances('lots', held, () => send('PATCH', `/staff/v1/lots/${held}`, { held: value }))
  for (const value of [true, false])
    await advances('sessions', running.session, () =>
      send('PATCH', `/staff/v1/sessions/${running.session}`, { numbers_fixed: value }),
    )
  for (const results of ['automatic', 'by-staff'])
    await advances('sessions', ids.draftSession, () =>
      send('PATCH', `/staff/v1/sessions/${ids.draftSession}`, { results }),
    )
})

test('a repeated value changes no ETag', async () => {
  const etags = async () => [
    (await read(`/staff/v1/lots/${held}`)).etag,
    (await read(`/staff/v1/sessions/${fixed}`)).etag,
  ]
  const before = await etags()
  await send('PATCH', `/staff/v1/lots/${held}`, { held: true })
  await send('PATCH', `/staff/v1/sessions/${fixed}`, { numbers_fixed: true })
  assert.deepEqual(await etags(), before)
})

test('bids that stand are counted, and a cancelled one that was not the highest changes the ETag', async () => {
  assert.deepEqual((await place(10_000)).staff, { held: false, bids: 1, has_had_bid: true })
  assert.deepEqual((await place(20_000)).staff, { held: false, bids: 2, has_had_bid: true })
  const [highest, lowest] = await bids()
  const cancel = (bid: Json) => send('POST', `/staff/v1/bids/${bid.id}/cancel`, { reason: 'a wrong paddle' })
  await advances('lots', running.lot, () => cancel(lowest!))
  const { data, etag } = await read(`/staff/v1/lots/${running.lot}`)
  assert.deepEqual([data.staff.bids, data['current_bid']], [1, eur(20_000)])
  await cancel(lowest!)
  assert.equal((await read(`/staff/v1/lots/${running.lot}`)).etag, etag)
  const last = (await cancel(highest!)).json<{ data: Lot }>().data
  assert.deepEqual([last.staff, last['current_bid']], [{ held: false, bids: 0, has_had_bid: true }, null])
})

test('a loaded bid on a stored lot changes its ETag', async () => {
  const bid = { type: 'bid', lot: held, amount: eur(4_000), placed_at: '2026-01-01T00:00:00Z' }
  await advances('lots', held, () => service.load([houseLine(slug), bid]))
})

test('one ETag guards the changes of both interfaces', async () => {
  const guarded = async (path: string, body: unknown, etag: string) =>
    (await send('PATCH', path, body, { headers: { 'if-match': etag } })).statusCode
  const ours = await read(`/staff/v1/lots/${ids.lot}`)
  assert.equal(ours.etag, (await read(`/api/v2/lots/${ids.lot}`, storefront)).etag)
  assert.equal(await guarded(`/api/v2/lots/${ids.lot}`, { active: true }, ours.etag), 200)
  assert.equal(await guarded(`/api/v2/lots/${ids.lot}`, { active: false }, ours.etag), 412)
  const theirs = await read(`/api/v2/lots/${ids.lot}?expand[]=item.images&expand[]=session`, storefront)
  assert.equal(await guarded(`/staff/v1/lots/${ids.lot}`, { held: true }, theirs.etag), 200)
  assert.equal(await guarded(`/staff/v1/lots/${ids.lot}`, { held: false }, theirs.etag), 412)
  const written = await send('PATCH', `/staff/v1/lots/${ids.lot}`, { held: false })
  assert.equal(written.headers['etag'], (await read(`/staff/v1/lots/${ids.lot}`)).etag)
  const draft = await read(`/staff/v1/sessions/${ids.draftSession}?expand[]=auction`)
  assert.equal(draft.etag, (await read(`/api/v2/sessions/${ids.draftSession}?expand[]=auction`, storefront)).etag)
  assert.equal(await guarded(`/api/v2/sessions/${ids.draftSession}`, { title: 'Avond' }, draft.etag), 200)
})

test('an answer for everybody never has what only staff see, whichever was read first', async () => {
  const paths = [
    `lots/${held}`,
    `lots/${held}?expand[]=item&expand[]=images&expand[]=session`,
    `lots?session=${running.session}`,
    `lots?limit=1&expand[]=session`,
    'lots/search?q=stilleven&expand[]=session',
    `sessions/${fixed}`,
    `sessions/${fixed}?expand[]=auction&expand[]=counts`,
    'sessions?expand[]=auction',
    'auctions?expand[]=sessions',
    'changes?expand[]=record',
  ]
  for (const [index, path] of paths.entries()) {
    const isStaffs = index < 8
    // Cached answers of one interface are never those of the other.
    for (const order of [0, 1, 0])
      if (order === 0 && isStaffs) assert.match((await service.get(`/staff/v1/${path}`, key)).payload, /"staff":/)
      else
        for (const secret of [key, storefront]) {
          const reply = await service.get(`/api/v2/${path}`, secret)
          assert.equal(reply.statusCode, 200)
          assert.doesNotMatch(reply.payload, /"staff":|"held"|numbers_fixed|has_had_bid/, path)
        }
  }
  const [first] = await readAll('/staff/v1/lots?limit=1&expand[]=session')
  assert.ok(!('staff' in (first!['session'] as Json)), 'an expanded record is the one that everybody reads')
})

test('a key with bids alone gets the public lot, also under the name of a bid of staff', async () => {
  const named = { headers: { 'idempotency-key': 'bid-1' } }
  assert.ok((await place(30_000, named)).staff)
  assert.ok((await place(30_000, named)).staff, 'a replay')
  const amount = { amount: eur(30_000) }
  const url = `/staff/v1/lots/${running.lot}/bids`
  const stolen = await send('POST', url, amount, { key: bidder, ...named })
  assert.equal(stolen.statusCode, 422)
  assert.match(stolen.payload, /idempotency-key-reused/)
  const own = { key: bidder, headers: { 'idempotency-key': 'bid-2' } }
  for (const _ of ['first', 'replayed']) assert.equal('staff' in (await place(40_000, own)), false)
  const both = await service.issueKey(slug, ['staff', 'bids'])
  assert.equal('staff' in (await place(50_000, { key: both })), false, 'it may not read lots')
})

test('staff list lots by hold, result, seller, consignment, number, and whether they take bids', async () => {
  const items = [ids.item, ids.item, ids.plainItem].map((item) => ({ item, again: true }))
  const added = await send('POST', `/staff/v1/sessions/${running.session}/lots`, { lots: items })
  const [third, fourth, fifth] = added.json<{ data: Lot[] }>().data.map(({ id }) => id)
  assert.equal((await send('PATCH', `/staff/v1/lots/${fourth}`, { result: { state: 'withdrawn' } })).statusCode, 200)
  const all = [running.lot, held, third, fourth, fifth]
  assert.deepEqual(await list(''), all)
  assert.deepEqual(await list('held=true'), [held])
  assert.deepEqual(await list('held=false'), [running.lot, third, fourth, fifth])
  assert.deepEqual(await list('result=withdrawn'), [fourth])
  assert.deepEqual(await list('result=none'), [running.lot, held, third, fifth])
  assert.deepEqual(await list('open=true'), [running.lot, held])
  assert.deepEqual(await list('open=false'), [third, fourth, fifth])
  assert.deepEqual(await list(`seller=${ids.seller}`), [running.lot, third, fourth])
  assert.deepEqual(await list(`seller=${ids.spareSeller}`), [])
  assert.deepEqual(await list(`consignment=${ids.consignment}&result=none`), [running.lot, third])
  assert.deepEqual(await list('number_from=2&number_to=4'), [held, third, fourth])
  assert.deepEqual(await list('number_from=5'), [fifth])
  assert.deepEqual(await list('number_to=-1'), [])
  assert.deepEqual(await list(`auction=${ids.auction}&number_to=1`), [running.lot])
  await service.load([houseLine(slug), { type: 'lot', id: uuid(1_905), session: running.session, item: ids.spareItem }])
  const last = `lot_${uuid(1_905)}`
  assert.deepEqual(await list('number_from=5'), [fifth, last], 'without a number, after all numbers')
  assert.deepEqual(await list('number_to=2147483647'), all)
  const reply = await service.get('/api/v2/lots?held=true', key)
  assert.equal(reply.statusCode, 400, 'only staff have these filters')
})

test('a kept list of the lots that take bids is right at every later time', async () => {
  const builds = async () => {
    service.statements.length = 0
    const found = await list('open=true&limit=50')
    return { found, built: service.statements.some(({ text }) => text.includes('"staff":')) }
  }
  const { found, built } = await builds()
  assert.ok(built)
  assert.deepEqual(await builds(), { found, built: false })
  // As if its close had passed: time advances no revision.
  const close = (time: string) =>
    sql`update catalogue.lots set closes_at = ${time} where public_id = ${uuid(1_902)}`.execute(service.db)
  await close('2020-01-01Z')
  assert.deepEqual((await builds()).found, [running.lot])
  await close('2099-01-01Z')
  assert.deepEqual((await builds()).found, found)
})

test('staff search with the filters of their lists, and read their documents', async () => {
  const find = async (query: string) => {
    const page = await readAll(`/staff/v1/lots/search?session=${running.session}&${query}`)
    for (const found of page) assert.ok(found.staff)
    return page.map(({ id }) => id)
  }
  assert.deepEqual(await find('q=vaas&held=true'), [held])
  assert.deepEqual(await find('q=vaas&held=true&number_from=3'), [])
  assert.deepEqual(await find(`q=stilleven&seller=${ids.seller}&number_to=1`), [running.lot])
  assert.deepEqual(await find(`consignment=${ids.spareConsignment}`), [])
  const items = async (query: string) => (await readAll(`/staff/v1/items/search?${query}`)).map(({ id }) => id)
  assert.deepEqual(await items(`q=stilleven&consignment=${ids.consignment}`), [ids.item])
  assert.deepEqual(await items(`q=stilleven&seller=${ids.spareSeller}`), [])
  assert.deepEqual(await items('q=vaas&offered=open&without=image'), [ids.plainItem])
})

test('a page of staff has up to 1,000 lots, and its cursor is no cursor of the other interface', async () => {
  const ofMany = Array.from({ length: 1_001 }, (_, index) => index + 1)
  const many = { ...session, id: uuid(1_950), external_reference: 'many' }
  const stored = ofMany.map((lot_number) => ({ type: 'lot', session: many.id, item: ids.item, lot_number }))
  await service.load([houseLine(slug), many, ...stored])
  const query = `session=${many.id}&limit=1000`
  const first = await service.get(`/staff/v1/lots?${query}`, key)
  const { data, next_cursor } = first.json<{ data: Json[]; next_cursor: string }>()
  assert.deepEqual(
    data.map((each) => each['lot_number']),
    ofMany.slice(0, 1_000),
  )
  const rest = await readAll(`/staff/v1/lots?${query}&cursor=${next_cursor}`)
  assert.deepEqual(
    rest.map((each) => each['lot_number']),
    [1_001],
  )
  const foreign = await service.get(`/api/v2/lots?session=${many.id}&limit=100&cursor=${next_cursor}`, key)
  assert.equal(foreign.statusCode, 400)
  const { next_cursor: theirs } = (await service.get(`/api/v2/lots?session=${many.id}`, key)).json<{
    next_cursor: string
  }>()
  assert.equal((await service.get(`/staff/v1/lots?session=${many.id}&cursor=${theirs}`, key)).statusCode, 400)
})

test('a page of staff with large items ends before its limit, and the pages together have every lot', async () => {
  const large = { ...session, id: uuid(1_960), external_reference: 'large' }
  const description = 'x'.repeat(60_000)
  const numbers = Array.from({ length: 150 }, (_, index) => index + 1)
  const stored = numbers.flatMap((lot_number) => [
    { type: 'item', ref: `large-${lot_number}`, external_reference: `L-${lot_number}`, title: 'Boek', description },
    { type: 'lot', session: large.id, item: `large-${lot_number}`, lot_number },
  ])
  await service.load([houseLine(slug), large, ...stored])
  const house = (await findHouse(service.db, slug))!
  const { rows } = await sql<{ id: string }>`
    select item_id as id from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and s.external_reference = 'large'`.execute(service.db)
  // As the job of the load does.
  await writeDocuments(
    { db: service.db, house: { ...house, generation: await readGeneration(service.db) } },
    rows.map(({ id }) => id),
  )
  const found: unknown[] = []
  for (let cursor = ''; ;) {
    const url = `/staff/v1/lots?session=${large.id}&limit=1000&expand[]=item${cursor}`
    const page = (await get(url, key)).json<{ data: Lot[]; has_more: boolean; next_cursor: string }>()
    found.push(...page.data.map((each) => each['lot_number']))
    if (cursor === '') assert.ok(page.data.length < numbers.length && page.has_more, `${page.data.length}`)
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(found, numbers)
})

test('staff learn how results of new sessions are recorded, what their key may do, and where the lists are', async () => {
  const { house, key: own, resources } = (await service.get('/staff/v1', key)).json<Record<string, object>>()
  const theirs = (await service.get('/api/v2', key)).json<Record<string, object>>()
  assert.deepEqual(house, { ...theirs['house'], results: 'by-staff' })
  assert.deepEqual(own, theirs['key'])
  for (const address of Object.values(resources as Record<string, string>))
    await get(address.replace(publicUrl, ''), key)
  assert.deepEqual((await service.get('/staff/v1/', key)).json(), { house, key: own, resources })
})
