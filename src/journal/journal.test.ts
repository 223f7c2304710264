import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { contextNow, permissions, type Permission } from '../context.ts'
import { createKey } from '../houses/api-keys.ts'
import { findHouse } from '../houses/locks.ts'
import { openLiveSessions } from '../../test/support/contract.ts'
import { catalogueOf, eur, houseLine, runningSale, uuid } from '../../test/support/lines.ts'
import { lockRecord, untilWaiting } from '../../test/support/locks.ts'
import { startService } from '../../test/support/service.ts'
import { inTransaction } from '../writes/transaction.ts'
import { readJournal, type ShownRow } from './queries.ts'
import { forgetJournal } from './tasks.ts'

const [ours, theirs] = [catalogueOf(1), catalogueOf(2)]
const { ids } = ours
const sale = { session: uuid(1_900), lot: uuid(1_901) }
const service = await startService({
  records: [...ours.lines, ...runningSale(ids, sale), ...theirs.lines],
})
after(() => service.close())
await openLiveSessions(service, [ours, theirs])
const key = await service.issueKey(ours.slug)
const lot = `lot_${sale.lot}`

type Sent = { status: number; body: { data?: { id: string }; reason?: string }; headers: Record<string, unknown> }

async function send(method: string, path: string, body?: unknown, headers = {}, as = key): Promise<Sent> {
  const url = path.startsWith('/') ? path : `/staff/v1/${path}`
  const sent = { method, url, key: as, headers, ...(body !== undefined && { body }) }
  const reply = await service.request(sent)
  return { status: reply.statusCode, body: JSON.parse(reply.payload || '{}') as Sent['body'], headers: reply.headers }
}

async function done(method: string, path: string, body?: unknown, headers = {}): Promise<Sent> {
  const sent = await send(method, path, body, headers)
  assert.ok(sent.status < 300, `${method} ${path} ${JSON.stringify(sent.body)}`)
  return sent
}

async function journal(query = '', as = key): Promise<ShownRow[]> {
  const reply = await service.get(`/staff/v1/journal?limit=100&${query}`, as)
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<{ data: ShownRow[] }>().data
}

/** The rows that some work leaves, the latest first. */
async function rowsOf(work: () => Promise<unknown>): Promise<ShownRow[]> {
  const before = new Set((await service.walk<ShownRow>('/staff/v1/journal?limit=100', key)).map(({ id }) => id))
  await work()
  return (await journal()).filter(({ id }) => !before.has(id))
}

const operationsOf = (rows: ShownRow[]) => rows.map(({ operation }) => operation)

test('rows about a record are in the order of its changes, also if the first request came last', async () => {
  const rows = await rowsOf(async () => {
    const numbered: Promise<Sent>[] = []
    await inTransaction({ db: service.db }, async ({ db: tx }) => {
      await lockRecord(tx, 'sessions', ids.session.slice(4))
      // It waits for the session. The second request needs only the lot.
      numbered.push(done('PATCH', `lots/${ids.lot}`, { lot_number: 41 }))
      await untilWaiting(service.db, 1)
      await done('PATCH', `lots/${ids.lot}`, { held: true })
    })
    await Promise.all(numbered)
  })
  assert.deepEqual(
    rows.map(({ changes }) => changes.map(({ field }) => field)),
    [['lot_number'], ['held']],
  )
  const paged = [...(await service.walk<ShownRow>(`/staff/v1/journal?limit=1&record=${ids.lot}`, key))]
  assert.deepEqual(paged.slice(0, 2), rows)
})

test('a refused bid leaves a row each time that it is decided, and none as a replay or a rehearsal', async () => {
  const headers = { 'idempotency-key': 'a bid' }
  const bid = () => send('POST', `lots/${lot}/bids`, { amount: eur(5_000) }, headers)
  await done('PATCH', `sessions/ses_${sale.session}`, { customer_bidding_enabled: false })
  const answers: Sent[] = []
  const rows = await rowsOf(async () => {
    for (const _ of [1, 2]) answers.push(await bid())
    await done('PATCH', `sessions/ses_${sale.session}`, { customer_bidding_enabled: true })
    for (const _ of [1, 2]) answers.push(await bid())
    answers.push(await send('POST', `lots/${lot}/bids?dry_run=true`, { amount: eur(1) }))
  })
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.reason]),
    [
      [409, 'bidding_disabled'],
      [409, 'bidding_disabled'],
      [200, undefined],
      [200, undefined],
      [422, undefined],
    ],
  )
  const [taken, switched, again, first] = rows as [ShownRow, ShownRow, ShownRow, ShownRow]
  assert.deepEqual(operationsOf(rows), ['placeBid', 'changeSession', 'placeBid', 'placeBid'])
  assert.equal(switched.reason, null)
  assert.equal(taken.reason, null)
  assert.deepEqual(
    [first, again, taken].map((row) => row.request_id),
    answers.slice(0, 3).map((answer) => answer.headers['request-id']),
  )
  for (const row of [first, again]) {
    assert.equal(row.reason, 'bidding is disabled in the session')
    const [amount, placed, close] = row.changes as [ShownRow['changes'][0], ShownRow['changes'][0], unknown]
    assert.deepEqual(amount, { record: null, field: 'amount', old: null, new: eur(5_000) })
    assert.deepEqual([placed.record, placed.field], [null, 'placed_at'])
    assert.ok(String(placed.new) <= row.at)
    const closes = '2099-01-01T00:00:00.000Z'
    assert.deepEqual(close, { record: lot, field: 'closes_at', old: closes, new: closes })
  }
})

test('the time that decided a bid is that of the bid', async () => {
  const [row] = await rowsOf(() => done('POST', `lots/${lot}/bids`, { amount: eur(6_000) }))
  const list = await service.read<{ id: string; placed_at: string }[]>(`/staff/v1/lots/${lot}/bids`, key)
  const [amount, placed] = row!.changes
  assert.equal(amount!.record, list[0]!.id)
  assert.deepEqual(placed, { record: list[0]!.id, field: 'placed_at', old: null, new: list[0]!.placed_at })
})

test('the filter finds a record by its id, of its kind only, in rows about it and in rows that change it', async () => {
  const lots = [1, 2].map(() => ({ item: ids.plainItem, again: true }))
  const added = await done('POST', `sessions/${ids.draftSession}/lots`, { lots })
  const made = (added.body.data as unknown as { id: string }[])[0]!.id
  const bare = made.slice(4)
  for (const record of [made, bare, made.toUpperCase().replace('LOT_', 'lot_')])
    assert.deepEqual(operationsOf(await journal(`record=${record}`)), ['addLots'], record)
  for (const prefix of ['auc', 'ses', 'itm', 'img', 'bid', 'key', 'sel'])
    assert.deepEqual(await journal(`record=${prefix}_${bare}`), [], prefix)
  const ofSession = await journal(`record=${ids.draftSession}`)
  assert.ok(operationsOf(ofSession).includes('addLots'))
  assert.deepEqual(await journal(`record=lot_${ids.draftSession.slice(4)}`), [])
  const foreign = await service.issueKey(theirs.slug)
  for (const record of [made, bare, ids.draftSession]) assert.deepEqual(await journal(`record=${record}`, foreign), [])
})

test('the filter finds what happened to a bid, and to a key', async () => {
  const bids = await service.read<{ id: string }[]>(`/staff/v1/lots/${lot}/bids`, key)
  await done('POST', `bids/${bids[0]!.id}/cancel`, { reason: 'typed wrong' })
  for (const record of [bids[0]!.id, bids[0]!.id.slice(4)])
    assert.deepEqual(operationsOf(await journal(`record=${record}`)), ['cancelBid', 'placeBid'], record)
  assert.deepEqual(await journal(`record=lot_${bids[0]!.id.slice(4)}`), [])
  assert.deepEqual(await journal(`record=bid_${sale.lot}`), [])
  const foreign = await service.issueKey(theirs.slug)
  assert.deepEqual(await journal(`record=${bids[0]!.id}`, foreign), [])
})

test('the filter finds an archived record and a deleted image', async () => {
  const item = (await done('POST', '/api/v2/items', { title: 'Kan', external_reference: 'J-2' })).body.data!.id
  await done('PATCH', `items/${item}`, { archived: true })
  assert.deepEqual(operationsOf(await journal(`record=${item}`)), ['archiveItem', 'createItem'])
  await done('DELETE', `/api/v2/items/${ids.item}/images/${ids.spareImage}`)
  const [row] = await journal(`record=${ids.spareImage}`)
  assert.deepEqual([row!.operation, row!.record], ['deleteImage', ids.item])
})

test('the record of a bulk write is the session, also if it changes one lot', async () => {
  const session = ids.draftSession
  let made = ''
  const rows = await rowsOf(async () => {
    const lots = [{ item: ids.plainItem, again: true }]
    made = ((await done('POST', `sessions/${session}/lots`, { lots })).body.data as unknown as { id: string }[])[0]!.id
    await done('PATCH', `/api/v2/sessions/${session}/lots`, { lots: [made], active: true })
    await done('PATCH', `/api/v2/sessions/${session}/lots`, { lots: 'all', active: true })
    await done('PATCH', `/api/v2/sessions/${session}/lots`, { lots: [made], active: false })
    await done('PATCH', `/api/v2/lots/${made}`, { active: true })
  })
  assert.deepEqual(rows.at(0)!.record, made, 'a write of one lot is about the lot')
  assert.deepEqual(new Set(rows.slice(1).map(({ record }) => record)), new Set([session]))
  const found = await journal(`record=${made}`)
  assert.deepEqual(
    found.map(({ id }) => id),
    rows.filter(({ changes }) => changes.some(({ record }) => record === made)).map(({ id }) => id),
  )
})

test('the row of a deleted image has the new places of those behind it', async () => {
  const item = ids.plainItem
  const uuids = [1_960, 1_961, 1_962, 1_963].map((number) => uuid(number))
  await service.load([
    houseLine(ours.slug),
    ...uuids.map((id, position) => ({
      type: 'image',
      id,
      item,
      external_reference: `J-${position}`,
      public: position !== 1,
      position,
    })),
  ])
  const remove = (id: string) => done('DELETE', `/api/v2/items/${item}/images/img_${id}`)
  const places = (row: ShownRow | undefined) =>
    row!.changes
      .filter(({ field }) => field === 'gallery_position')
      .map(({ record, old, new: next }) => [record, old, next])
  const [hidden, first] = (await rowsOf(async () => {
    await remove(uuids[0]!)
    await remove(uuids[1]!)
  })) as [ShownRow, ShownRow]
  assert.deepEqual(places(hidden), [])
  assert.deepEqual(places(first), [
    [`img_${uuids[2]}`, 1, 0],
    [`img_${uuids[3]}`, 2, 1],
  ])
  assert.equal(first.record, item)
})

test('a malformed id is refused like any other parameter', async () => {
  for (const record of ['lot_', 'lot_1', 'xyz_00000000-0000-4000-8000-000000000001', 'house-1', '', `${ids.lot}x`])
    await service.refused(`/staff/v1/journal?record=${record}`, key, 400, 'invalid-parameter')
})

test('the filter for an actor finds a key by its id and by its name', async () => {
  const house = (await findHouse(service.db, ours.slug))!
  const issue = async (name: string | null) =>
    (await createKey(service.db, house, [...permissions], name, new Date())).key
  const [named, unnamed] = [await issue('Bert'), await issue(null)]
  const make = (as: string, reference: string) =>
    send('POST', '/api/v2/items', { title: 'Kan', external_reference: reference }, {}, as)
  const rows = await rowsOf(async () => {
    await make(named, 'J-3')
    await make(unnamed, 'J-4')
  })
  const [last, first] = rows.map(({ actor }) => actor) as [ShownRow['actor'], ShownRow['actor']]
  assert.deepEqual([first.name, last.name], ['Bert', null])
  assert.equal((await journal('actor=Bert')).length, 1)
  assert.equal((await journal(`actor=${first.id}`)).length, 1)
  assert.equal((await journal(`actor=${last.id}`)).length, 1)
  assert.deepEqual(await journal('actor=key_nobody'), [])
})

test('a key reads the rows about the kinds that it may read, and only these', async () => {
  const make = (path: string, body: unknown) => done('POST', path, body)
  await make('/api/v2/auctions', { title: 'Winter', external_reference: 'J-A' })
  await make('/api/v2/items', { title: 'Kan', external_reference: 'J-5' })
  await make('sellers', { seller_number: 501, profile_name: 'Jansen' })
  await make('categories', { names: { nl: 'Zilver' } })
  const steps = [{ from: eur(0), increment: eur(100) }]
  await make('increment_strategies', { name: 'Klein', steps })
  const lots = [1, 2].map(() => ({ item: ids.plainItem, again: true }))
  await make(`sessions/${ids.draftSession}/lots`, { lots })
  const seen = async (...granted: Permission[]) => {
    const least = await service.issueKey(ours.slug, ['staff', ...granted])
    const rows = await service.walk<ShownRow>('/staff/v1/journal?limit=100', least)
    return [...new Set(operationsOf(rows))].filter((name) => /^(create|addLots)/.test(name)).toSorted()
  }
  const expected: Partial<Record<Permission, string[]>> = {
    'auctions.read': ['createAuction'],
    'lots.read': ['createItem'],
    'seller_profiles.read': ['createSeller'],
    'categories.read': ['createCategory'],
    'bidding_step_configurations.read': ['createIncrementStrategy'],
    'lots.write': [],
    'auctions.write': [],
  }
  for (const permission of permissions) assert.deepEqual(await seen(permission), expected[permission], permission)
  assert.deepEqual(await seen('auctions.read', 'lots.read'), ['addLots', 'createAuction', 'createItem'])
})

test('what only staff may know is named without its value, in each way to write it', async () => {
  const secrets = { commission_percentage: '17.25', private_notes: 'owes us', account_name: 'Bankrelatie' }
  const { account_name, ...terms } = secrets
  const rows = await rowsOf(async () => {
    const seller = (await done('POST', 'sellers', { seller_number: 601, account_name })).body.data!.id
    await done('PATCH', `sellers/${seller}`, { profile_name: 'Jansen', account_name: `${account_name} 2` })
    const consignment = (await done('POST', 'consignments', { number: 'J-1', seller, ...terms })).body.data!.id
    await done('PATCH', `consignments/${consignment}`, { ...terms, private_notes: 'owes us 2', archived: true })
    await done('DELETE', `sellers/${seller}`)
    const loaded = { type: 'seller', id: uuid(1_950), seller_number: 602, account_name }
    await service.load([
      houseLine(ours.slug),
      loaded,
      { type: 'consignment', number: 'J-2', seller: loaded.id, ...terms },
    ])
  })
  assert.equal(rows.length, 6)
  const printed = JSON.stringify(rows)
  for (const secret of ['17.25', 'owes us', 'Bankrelatie']) assert.ok(!printed.includes(secret), secret)
  const named = rows.flatMap(({ changes }) => changes.filter(({ field }) => Object.hasOwn(secrets, field)))
  assert.deepEqual(new Set(named.map(({ field }) => field)), new Set(Object.keys(secrets)))
  for (const change of named) assert.deepEqual(Object.keys(change).toSorted(), ['field', 'record'])
})

test('of a text beyond 200 characters the journal has the length, before and after', async () => {
  const [long, most] = ['🏺'.repeat(201), '🏺'.repeat(200)]
  const rows = await rowsOf(async () => {
    const body = { external_reference: 'J-6', title: most, description: long }
    const item = (await done('POST', '/api/v2/items', body)).body.data!.id
    await done('PATCH', `/api/v2/items/${item}`, { description: `${long}🏺` })
    await done('PATCH', `lots/${ids.lot}`, { notice: 'x'.repeat(300) })
  })
  const valueOf = (row: ShownRow | undefined, field: string) => {
    const { old, new: next } = row!.changes.find((change) => change.field.startsWith(field))!
    return [old, next]
  }
  const [notice, changed, created] = rows
  assert.deepEqual(valueOf(created, 'title'), [null, most])
  assert.deepEqual(valueOf(created, 'description'), [null, { length: 201 }])
  assert.deepEqual(valueOf(changed, 'description'), [{ length: 201 }, { length: 202 }])
  assert.deepEqual(valueOf(notice, 'notice'), [null, { length: 300 }])
})

test('a page of heavy rows ends early, and the pages together have each row once', async () => {
  const mebibyte = 1024 * 1024
  const sizes = [1.5, 1.5, 2, 1.5, 1.5, 9, 2, 2.5, 2, 0.5].map((size) => size * mebibyte)
  await sql`
    insert into catalogue.journal (house_id, at, id, actor_type, operation, kinds, changes, kept)
    select h.id, '2001-01-01T00:00:00Z'::timestamptz + place * interval '1 second', gen_random_uuid(), 'job', 'heavy', '{lot}',
      json_build_array(json_build_object('record', null, 'field', 'x', 'new', repeat('x', size)))::text, false
    from unnest(${sizes.toReversed()}::int[]) with ordinality row (size, place), catalogue.houses h where h.slug = ${ours.slug}`.execute(
    service.db,
  )
  type Page = { data: ShownRow[]; has_more: boolean; next_cursor: string | null }
  const walk = async (limit: number) => {
    const pages: Page[] = []
    for (let next = ''; pages.at(-1)?.has_more !== false; next = `&cursor=${pages.at(-1)!.next_cursor}`) {
      const reply = await service.get(`/staff/v1/journal?operation=heavy&limit=${limit}${next}`, key)
      pages.push(reply.json<Page>())
    }
    return pages
  }
  const pages = await walk(100)
  assert.deepEqual(
    pages.map(({ data }) => data.length),
    // Each page ends with the row that brings it to 6 MiB.
    [4, 2, 3, 1],
  )
  assert.equal(pages.at(-1)!.next_cursor, null)
  const rows = pages.flatMap(({ data }) => data)
  assert.deepEqual(
    rows.map(({ changes }) => String(changes[0]!.new).length),
    sizes,
  )
  const byTwo = await walk(2)
  assert.deepEqual(
    byTwo.map(({ data }) => data.length),
    [2, 2, 2, 2, 2],
  )
  assert.deepEqual(
    byTwo.flatMap(({ data }) => data),
    rows,
  )
  const house = (await findHouse(service.db, ours.slug))!
  const context = contextNow(service.db, house)
  assert.deepEqual(await readJournal(context, { operation: 'heavy' }), rows)
  assert.deepEqual(await readJournal(context, { operation: 'heavy' }, 5), rows.slice(0, 5))
  await sql`delete from catalogue.journal where operation = 'heavy'`.execute(service.db)
})

test('the clean-up leaves bids and results, and removes the rest with what names it', async () => {
  await done('POST', `lots/${lot}/bids`, { amount: eur(90_000) })
  const [bid] = await service.read<{ id: string }[]>(`/staff/v1/lots/${lot}/bids`, key)
  await done('POST', `bids/${bid!.id}/cancel`, { reason: 'typed wrong' })
  await done('PATCH', `lots/${lot}`, { result: { state: 'withdrawn' } })
  const sixWeeks = () => new Date(Date.now() + 42 * 24 * 60 * 60 * 1000)
  const before = await service.walk<ShownRow>('/staff/v1/journal?limit=100', key)
  // Without a limit, and of younger rows, nothing is removed.
  for (const days of [0, 43]) await forgetJournal(days)({ db: service.db, clock: sixWeeks })
  assert.deepEqual(await service.walk('/staff/v1/journal?limit=100', key), before)
  await forgetJournal(41)({ db: service.db, clock: sixWeeks })
  const rows = await service.walk<ShownRow>('/staff/v1/journal?limit=100', key)
  assert.deepEqual(new Set(operationsOf(rows)), new Set(['changeLot', 'placeBid', 'cancelBid']))
  assert.ok(rows.every(({ changes }) => changes.some(({ field }) => /^(result|amount|cancelled_at)$/.test(field))))
  assert.ok(
    rows.some(({ reason }) => reason === 'bidding is disabled in the session'),
    'a refused bid is one',
  )
  const { rows: named } = await sql`select from catalogue.journal_records`.execute(service.db)
  assert.equal(named.length, 0)
})
