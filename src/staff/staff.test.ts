import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { allPermissions, permissions } from '../context.ts'
import { listOperations, openLiveSessions, readDocument } from '../../test/support/contract.ts'
import { catalogueOf, eur } from '../../test/support/lines.ts'
import { checksum } from '../../test/support/rehearsing.ts'
import { startService, type Call } from '../../test/support/service.ts'

const [ours, theirs] = [catalogueOf(1), catalogueOf(2)]
const service = await startService({ records: [...ours.lines, ...theirs.lines] })
after(() => service.close())
await openLiveSessions(service, [ours, theirs])
const key = await service.issueKey(ours.slug)
const { ids } = ours
const bids = `/staff/v1/lots/${ids.liveLot}/bids`

type Row = {
  at: string
  actor: { type: string; id: string; name: string | null }
  operation: string
  record: string | null
  changes: { record: string | null; field: string; old?: unknown; new?: unknown }[]
  reason: string | null
  request_id: string | null
}

const send = (method: string, url: string, body?: unknown, changes: Partial<Call> = {}) =>
  service.request({ method, url, key, ...(body !== undefined && { body }), ...changes })

async function journal(query = ''): Promise<Row[]> {
  const reply = await service.get(`/staff/v1/journal?limit=100&${query}`, key)
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<{ data: Row[] }>().data
}

/** The rows that some work leaves. */
async function rowsOf(work: () => Promise<unknown>): Promise<Row[]> {
  const before = await journal()
  await work()
  const now = await journal()
  return now.slice(0, now.length - before.length)
}

const refused = async (reply: ReturnType<typeof send>) => {
  const { statusCode, payload } = await reply
  const { type, reason } = JSON.parse(payload) as { type: string; reason?: string }
  return `${statusCode} ${type.split('/').at(-1)} ${reason ?? ''}`.trim()
}

test('a key without staff gets 403 on every path, known or not, and a key to bid on all but a bid', async () => {
  const storefront = await service.issueKey(ours.slug, permissions)
  const bidder = await service.issueKey(ours.slug, ['bids'])
  const bidding = await service.issueKey(ours.slug, [...permissions, 'bids'])
  const operations = listOperations(await readDocument(service)).filter(({ path }) => path.startsWith('/staff/v1'))
  const calls = operations.map((operation) => [operation.method, operation.urlOf(ids), operation.name] as const)
  const unknown = [
    ['GET', '/staff/v1', ''],
    ['GET', '/staff/v1/', ''],
    ['GET', '/staff/v1/nowhere', ''],
    ['PUT', '/staff/v1/journal', ''],
    ['POST', '/staff/v1/openapi.json/x', ''],
  ] as const
  for (const [method, url, name] of [...calls, ...unknown])
    for (const each of [storefront, bidder, bidding]) {
      if (name === 'placeBid' && each !== storefront) continue
      const reply = await send(method, url, method === 'GET' ? undefined : {}, { key: each })
      assert.equal(reply.statusCode, 403, `${method} ${url} ${reply.payload}`)
      assert.equal(reply.headers['allow'], undefined)
    }
  assert.equal((await service.request({ url: '/staff/v1/openapi.json' })).statusCode, 200)
  assert.equal((await send('GET', '/staff/v1/nowhere')).statusCode, 404)
})

test('a key to bid places bids, and a bid and its refusals leave their rows', async () => {
  const bidder = await service.issueKey(ours.slug, ['bids'])
  const [placed] = await rowsOf(async () => {
    const reply = await send('POST', bids, { amount: eur(20_000) }, { key: bidder })
    assert.equal(reply.statusCode, 200, reply.payload)
    assert.deepEqual(reply.json<{ data: { current_bid: unknown } }>().data.current_bid, eur(20_000))
  })
  assert.equal(placed!.record, ids.liveLot)
  assert.equal(placed!.operation, 'placeBid')
  const [amount, , current, close] = placed!.changes
  assert.match(String(amount!.record), /^bid_/)
  assert.deepEqual([amount!.field, amount!.new], ['amount', eur(20_000)])
  assert.deepEqual([current!.field, current!.new], ['current_bid', eur(20_000)])
  assert.deepEqual([close!.field, close!.old, close!.new], ['closes_at', close!.old, close!.old])

  const rows = await rowsOf(async () => {
    const reply = await send('POST', bids, { amount: eur(20_100) }, { key: bidder })
    assert.equal(reply.statusCode, 422)
    const [error] = reply.json<{ errors: { field: string; code: string; minimum: unknown }[] }>().errors
    assert.deepEqual([error!.field, error!.code, error!.minimum], ['amount', 'out_of_range', eur(21_000)])
  })
  assert.equal(rows.length, 1)
  assert.match(rows[0]!.reason!, /^amount must be at least/)
  assert.deepEqual(rows[0]!.changes[0], { record: null, field: 'amount', old: null, new: eur(20_100) })
  assert.ok(rows[0]!.changes.some(({ field }) => field === 'closes_at'))
  const url = `/staff/v1/lots/${ids.lot}/bids`
  const early = await rowsOf(async () => {
    assert.equal(await refused(send('POST', url, { amount: eur(1) })), '409 conflict not_open')
  })
  assert.deepEqual(
    early.map(({ record, reason }) => [record, reason?.startsWith('the session opens at')]),
    [[ids.lot, true]],
  )
  const list = await service.get(bids, key)
  assert.deepEqual(
    list.json<{ data: { amount: unknown }[] }>().data.map((bid) => bid.amount),
    [eur(20_000), eur(100)],
  )
})

test('each write leaves one row with its key, its request and what changed', async () => {
  const anna = await service.issueKey(ours.slug, allPermissions)
  await sql`update catalogue.api_keys set name = 'Anna' where id = (select max(id) from catalogue.api_keys)`.execute(
    service.db,
  )
  const long = 'x'.repeat(300)
  let request = ''
  const rows = await rowsOf(async () => {
    const body = { external_reference: 'J-1', title: 'Kan', description: long, categories: [ids.category] }
    const reply = await send('POST', '/api/v2/items', { ...body, consignment: ids.consignment }, { key: anna })
    assert.equal(reply.statusCode, 201, reply.payload)
    request = String(reply.headers['request-id'])
    const item = String(reply.headers['location'])
    await send('PATCH', item, { title: 'Kruik', categories: [], translations: { en: { title: 'Jug' } } }, { key: anna })
    await send('PATCH', item, { title: 'Kruik' }, { key: anna })
  })
  assert.equal(rows.length, 2, 'a repeated value leaves no row')
  const [changed, created] = rows as [Row, Row]
  assert.deepEqual([created.actor.type, created.actor.name, created.operation], ['key', 'Anna', 'createItem'])
  assert.equal(created.request_id, request)
  const valueOf = (row: Row, field: string) => row.changes.find((each) => each.field === field)
  assert.deepEqual(valueOf(created, 'description')!.new, { length: 300 })
  assert.deepEqual(valueOf(created, 'seller')!.new, ids.seller, 'it comes from the consignment')
  assert.deepEqual(
    changed.changes.map(({ field, old, new: next }) => [field, old, next]),
    [
      ['title', 'Kan', 'Kruik'],
      ['categories', [ids.category], null],
      ['translations.en.title', null, 'Jug'],
    ],
  )
  assert.deepEqual(
    (await journal('actor=Anna')).map(({ operation }) => operation),
    ['updateItem', 'createItem'],
  )
  assert.ok((await journal(`actor=${created.actor.id}`)).length >= 2)
  assert.equal(
    (await journal('operation=createItem')).every(({ operation }) => operation === 'createItem'),
    true,
  )
  assert.deepEqual(await journal('since=2099-01-01T00:00:00Z'), [])
})

test('rehearsals, replays, refusals and failed writes leave no row', async () => {
  const headers = { 'idempotency-key': 'one lot' }
  const lots = { lots: [1, 2].map(() => ({ item: ids.plainItem, again: true })) }
  const add = `/staff/v1/sessions/${ids.draftSession}/lots`
  const before = await checksum(service.db)
  const tried = await send('POST', `${add}?dry_run=true`, lots)
  assert.equal(tried.statusCode, 200)
  assert.deepEqual(
    tried.json<{ data: { id: null; lot_number: number }[] }>().data.map(({ id, lot_number }) => [id, lot_number]),
    [
      [null, 1],
      [null, 2],
    ],
  )
  assert.equal((await send('POST', `${bids}?dry_run=true`, { amount: eur(1) })).statusCode, 422)
  assert.equal((await send('POST', '/api/v2/items', { title: 'x', external_reference: 'I-1' })).statusCode, 409)
  assert.equal((await send('POST', `${add}?dry_run=true`, { lots: [{ item: theirs.ids.item }] })).statusCode, 422)
  assert.equal(await checksum(service.db), before)
  const rows = await rowsOf(async () => {
    for (const _ of [1, 2]) assert.equal((await send('POST', add, lots, { headers })).statusCode, 201)
  })
  assert.equal(rows.length, 1)
  assert.equal(rows[0]!.record, ids.draftSession, 'a write of several lots is about their session')
  const lot = rows[0]!.changes[0]!.record!
  assert.deepEqual(
    (await journal(`record=${lot}`)).map(({ record }) => record),
    [ids.draftSession],
  )
  assert.equal(
    await refused(send('POST', add, { lots: [{ item: ids.item, lot_number: 2 }] })),
    '409 conflict number_taken',
  )
})

test('a key of another house sees and changes nothing of ours', async () => {
  const foreign = await service.issueKey(theirs.slug)
  const before = await journal()
  const calls = [
    ['PATCH', `/staff/v1/auctions/${ids.auction}`, { published: false }],
    ['PATCH', `/staff/v1/sessions/${ids.session}`, { published: false }],
    ['PATCH', `/staff/v1/lots/${ids.lot}`, { archived: true }],
    ['POST', bids, { amount: eur(90_000) }],
    ['GET', bids, undefined],
  ] as const
  for (const [method, url, body] of calls)
    assert.equal((await send(method, url, body, { key: foreign })).statusCode, 404, url)
  const rows = (await service.get('/staff/v1/journal?limit=100', foreign)).json<{ data: Row[] }>().data
  assert.ok(!JSON.stringify(rows).includes(ids.liveLot) && rows.length > 0)
  assert.deepEqual(await journal(), before)
})

test('keys are named without their values', async () => {
  const { rows } = await sql<{ changes: string }>`select changes from catalogue.journal where kind = 'key'`.execute(
    service.db,
  )
  assert.doesNotMatch(JSON.stringify(rows), /permissions.*new|ack_/)
})

test('If-Match takes the ETag of the catalogue interface', async () => {
  for (const [path, body] of [
    [`auctions/${ids.draftAuction}`, { published: true }],
    [`sessions/${ids.draftSession}`, { customer_bidding_enabled: true }],
    [`lots/${ids.lot}`, { starting_bid: eur(7000) }],
  ] as const) {
    const etag = String((await service.get(`/api/v2/${path}`, key)).headers['etag'])
    const change = (ifMatch: string) => send('PATCH', `/staff/v1/${path}`, body, { headers: { 'if-match': ifMatch } })
    assert.equal((await change('"x"')).statusCode, 412, path)
    const reply = await change(etag)
    assert.equal(reply.statusCode, 200, reply.payload)
    assert.equal(reply.headers['etag'], (await service.get(`/api/v2/${path}`, key)).headers['etag'])
    assert.equal((await change(etag)).statusCode, 412)
  }
})

test('of two clerks who number the lots with the ETag of one session, the second gets 412', async () => {
  const session = `sessions/${ids.draftSession}`
  const added = await send('POST', `/staff/v1/${session}/lots`, {
    lots: [1, 2].map(() => ({ item: ids.plainItem, again: true })),
  })
  assert.equal(added.statusCode, 201, added.payload)
  const all = await service.walk<{ id: string }>(`/api/v2/lots?session=${ids.draftSession}`, key)
  const lots = all.map(({ id }) => id)
  const etagOf = async () => String((await service.get(`/api/v2/${session}`, key)).headers['etag'])
  const seen = await etagOf()
  const number = (ifMatch: string, from: number, order = lots) =>
    send('PATCH', `/staff/v1/${session}/order`, { lots: order, from }, { headers: { 'if-match': ifMatch } })
  const replies = await Promise.all([number(seen, 10), number(seen, 20)])
  assert.deepEqual(
    replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 412],
  )
  const now = await etagOf()
  assert.equal(replies.find(({ statusCode }) => statusCode === 200)!.headers['etag'], now)
  await send('PATCH', `/staff/v1/lots/${lots[0]}`, { lot_number: 30 })
  assert.equal((await number(now, 40)).statusCode, 412, 'a number of one lot is part of the order')
  assert.equal((await number(await etagOf(), 40, lots.toReversed())).statusCode, 200)
  const settled = await etagOf()
  assert.equal((await number(settled, 40, lots.toReversed())).statusCode, 200)
  assert.equal(await etagOf(), settled, 'a repetition changes nothing')
})

test('staff end a session, whose results may be left out only if they say so; a repetition changes nothing', async () => {
  const foreign = await service.issueKey(theirs.slug)
  const url = `/staff/v1/sessions/${theirs.ids.session}`
  const change = (body: unknown) => send('PATCH', url, body, { key: foreign })
  for (const wrong of [{ early: true }, { finished: false }]) assert.equal((await change(wrong)).statusCode, 422)
  assert.equal(await refused(change({ finished: true, early: true })), '409 conflict without_result')
  const finished = { finished: true, early: true, allow_without_result: true }
  const [first, again] = [await change(finished), await change({ finished: true })]
  assert.deepEqual([first.statusCode, again.statusCode, again.payload], [200, 200, first.payload])
})

test('a list of lots to add, or of results, that is empty or too long is refused', async () => {
  const lot = { item: ids.plainItem, again: true }
  const result = { lot: ids.liveLot, state: 'unsold' }
  for (const [path, name, entry] of [
    ['lots', 'lots', lot],
    ['results', 'results', result],
  ] as const)
    for (const [entries, code] of [
      [[], 'too_short'],
      [Array.from({ length: 5001 }, () => entry), 'too_long'],
    ] as const) {
      const reply = await send('POST', `/staff/v1/sessions/${ids.liveSession}/${path}`, { [name]: entries })
      assert.equal(reply.statusCode, 422, reply.payload)
      const [error] = reply.json<{ errors: { field: string; code: string }[] }>().errors
      assert.deepEqual([error!.field, error!.code], [name, code])
    }
})

test('a strategy is refused unless one step begins at 0, no two begin together, and its name is free', async () => {
  const strategies = '/staff/v1/increment_strategies'
  const step = (from: number, increment: number) => ({ from: eur(from), increment: eur(increment) })
  const errorsOf = async (body: unknown) => {
    const reply = await send('POST', strategies, body)
    assert.equal(reply.statusCode, 422, reply.payload)
    return reply.json<{ errors: { field: string; code: string }[] }>().errors.map(({ field, code }) => [field, code])
  }
  assert.deepEqual(await errorsOf({ name: 'Schritte', steps: [] }), [['steps', 'invalid']])
  assert.deepEqual(await errorsOf({ name: 'Schritte', steps: [step(5, 1), step(9, 1), step(5, 2)] }), [
    ['steps.2.from', 'duplicate'],
    ['steps', 'invalid'],
  ])
  assert.deepEqual(await errorsOf({ name: ' Schritte', steps: [step(0, 1)] }), [['name', 'invalid']])
  const body = { name: 'Schritte', steps: [step(0, 100), step(1000, 500)] }
  const [row] = await rowsOf(async () => {
    assert.equal((await send('POST', strategies, body)).statusCode, 201)
    assert.equal(await refused(send('POST', strategies, body)), '409 duplicate-reference')
  })
  assert.deepEqual(
    row!.changes.map(({ field, new: value }) => [field, value]),
    Object.entries(body),
  )
})

test('a list goes on in the interface in which it began, whichever interface was asked first', async () => {
  for (const [first, then] of [
    ['/api/v2', '/staff/v1'],
    ['/staff/v1', '/api/v2'],
  ]) {
    for (const interfaceOf of [first, then]) {
      const page = await service.get(`${interfaceOf}/items?limit=1`, key)
      const { next_cursor } = page.json<{ next_cursor: string }>()
      const next = await service.get(`${interfaceOf}/items?limit=1&cursor=${next_cursor}`, key)
      assert.equal(next.statusCode, 200, next.payload)
    }
  }
})
