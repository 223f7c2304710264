import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openLiveSessions } from '../../../test/support/contract.ts'
import { catalogueOf, houseLine, runningSale, uuid } from '../../../test/support/lines.ts'
import { Conflict, etag, Invalid, NotFound, type CatalogueError, type JournalEntry, type Lot } from '../src/index.ts'
import { createNetwork } from './network.ts'
import { serveCatalogue } from './service.ts'

const { service, ids, catalogue, connect, close } = await serveCatalogue()
after(close)
const { slug } = catalogueOf(1)
const running = { session: `ses_${uuid(1801)}`, lot: `lot_${uuid(1802)}` } as const
await openLiveSessions(service, [{ slug, ids }])
await service.load([houseLine(slug), ...runningSale(ids, running)])
const { staff } = catalogue
const eur = (amount: number) => ({ amount, currency: 'EUR' })

async function read<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of list) all.push(each)
  return all
}

async function latest(): Promise<JournalEntry> {
  return (await staff.journal.list({ limit: 1 }).page()).data[0]!
}

const conflict = (reason: string) => (error: Conflict) => {
  assert.ok(error instanceof Conflict)
  assert.deepEqual([error.status, error.code, error.reason], [409, 'conflict', reason])
  return true
}

// A call of each operation. What it returns is compared with a later read.
const operations: Record<string, () => Promise<[given: unknown, stored: unknown]>> = {
  async changeAuction() {
    const auction = await staff.auctions.update(ids.draftAuction, { published: true }, { expand: ['sessions'] })
    assert.equal(auction.published, true)
    return [auction, await catalogue.auctions.get(ids.draftAuction, { expand: ['sessions'] })]
  },
  async changeSession() {
    const change = { timed: { group_size: 3 }, numbers_fixed: false, published: true }
    const session = await staff.sessions.update(ids.draftSession, change, { expand: ['auction'] })
    assert.ok(session.kind === 'timed' && session.timed.group_size === 3 && session.auction.published)
    return [session, await staff.sessions.get(ids.draftSession, { expand: ['auction'] })]
  },
  async addLots() {
    const item = { item: ids.spareItem, starting_bid: eur(5000) }
    const lots = await staff.sessions.addLots(ids.draftSession, { lots: [item, { item: ids.item, again: true }] })
    assert.deepEqual(
      lots.map(({ item: { length }, lot_number }) => [length, lot_number]),
      [
        [40, 1],
        [40, 2],
      ],
    )
    return [lots, await read(staff.lots.list({ session: ids.draftSession }))]
  },
  async changeLots() {
    const { id } = (await catalogue.lots.list({ session: ids.session }).page()).data[0]!
    const lots = await staff.sessions.updateLots(ids.session, {
      lots: [{ lot: id, starting_bid: eur(7000), notice: 'Kras' }],
    })
    assert.deepEqual([lots[0]!.starting_bid, lots[0]!.notice], [eur(7000), 'Kras'])
    return [lots, [await staff.lots.get(id)]]
  },
  async orderLots() {
    const lots = (await read(catalogue.lots.list({ session: ids.draftSession }))).map(({ id }) => id).toReversed()
    const session = await staff.sessions.orderLots(ids.draftSession, { lots, from: 11 })
    assert.deepEqual(
      (await read(catalogue.lots.list({ session: ids.draftSession }))).map(({ id, lot_number: n }) => [id, n]),
      lots.map((id, index) => [id, 11 + index]),
    )
    return [session, await staff.sessions.get(ids.draftSession)]
  },
  async delaySession() {
    const before = await catalogue.lots.get(running.lot)
    const session = await staff.sessions.delay(running.session, { seconds: 60, reason: 'the network was down' })
    const { closes_at } = await catalogue.lots.get(running.lot)
    assert.equal(Date.parse(closes_at!) - Date.parse(before.closes_at!), 60_000)
    return [session, await staff.sessions.get(running.session)]
  },
  async placeBid() {
    const lot = await staff.bids.place(running.lot, { amount: eur(20_000) })
    assert.deepEqual(lot.current_bid, eur(20_000))
    return [lot, await staff.lots.get(running.lot)]
  },
  async listBids() {
    const [bid] = await read(staff.bids.list(running.lot))
    assert.deepEqual([bid!.amount, bid!.lot], [eur(20_000), running.lot])
    return [(await catalogue.lots.get(running.lot)).current_bid, bid!.amount]
  },
  async countBids() {
    const counts = await staff.bids.count(running.session)
    assert.deepEqual(counts, [{ lot: running.lot, bids: (await read(staff.bids.list(running.lot))).length }])
    return [counts[0]!.lot, running.lot]
  },
  async cancelBid() {
    const [bid] = await read(staff.bids.list(running.lot))
    const lot = await staff.bids.cancel(bid!.id!, { reason: 'a wrong paddle' })
    assert.equal((await read(staff.bids.list(running.lot)))[0]!.cancel_reason, 'a wrong paddle')
    return [lot, await staff.lots.get(running.lot)]
  },
  async changeLot() {
    const lot = await staff.lots.update(
      ids.liveLot,
      { notice_translations: { en: 'not signed' } },
      { expand: ['item'] },
    )
    assert.deepEqual([lot.notice_translations.en, lot.item.title], ['not signed', 'Vaas'])
    return [lot, await staff.lots.get(ids.liveLot, { expand: ['item'] })]
  },
  async recordResults() {
    const results = [{ lot: ids.liveLot, state: 'sold', amount: eur(25_000) }] as const
    const lots = await staff.sessions.recordResults(ids.liveSession, { results })
    assert.deepEqual(lots[0]!.result?.amount, eur(25_000))
    return [lots, [await staff.lots.get(ids.liveLot)]]
  },
  async findItems() {
    const found = await read(staff.items.list({ offered: 'sold', without: 'estimate', expand: ['images'] }))
    assert.deepEqual(found[0]?.images, [])
    return [found, [await catalogue.items.get(ids.plainItem, { expand: ['images'] })]]
  },
  async archiveItem() {
    const { id } = await catalogue.items.create({ external_reference: 'I-9', title: 'Kom' })
    const item = await staff.items.update(id, { archived: true })
    return [(await catalogue.items.get(id).catch((error: unknown) => error)) instanceof NotFound && item.id, id]
  },
  async changeItems() {
    const change = { categories: [], makers: [ids.maker], delivery_class: null }
    const items = await staff.items.updateMany({ items: [{ item: ids.spareItem, ...change }] })
    assert.deepEqual(items[0]!.makers, [ids.maker])
    return [items, [await catalogue.items.get(ids.spareItem)]]
  },
  async createIncrementStrategy() {
    const strategy = await staff.incrementStrategies.create({
      name: 'Steep',
      steps: [{ from: eur(0), increment: eur(1000) }],
    })
    return [strategy, await catalogue.incrementStrategies.get(strategy.id)]
  },
  async createSeller() {
    const seller = await staff.sellers.create({ profile_name: 'Jansen' })
    return [seller, await catalogue.sellers.get(seller.id)]
  },
  async changeSeller() {
    const seller = await staff.sellers.update(ids.spareSeller, { profile_name: 'De Vries' })
    assert.equal(seller.name, 'De Vries')
    return [seller, await catalogue.sellers.get(ids.spareSeller)]
  },
  async deleteSeller() {
    await staff.sellers.delete(ids.spareSeller)
    return [await missing(catalogue.sellers.get(ids.spareSeller)), true]
  },
  async createCategory() {
    const category = await staff.categories.create({ names: { nl: 'Pendules' }, parent: ids.category })
    assert.deepEqual([category.slug, category.parent], ['pendules', ids.category])
    return [category, await catalogue.categories.get(category.id)]
  },
  async changeCategory() {
    const category = await staff.categories.update(ids.spareCategory, { names: { nl: 'Overig' } })
    return [category, await catalogue.categories.get(ids.spareCategory)]
  },
  async deleteCategory() {
    await staff.categories.delete(ids.spareCategory)
    return [await missing(catalogue.categories.get(ids.spareCategory)), true]
  },
  async createMaker() {
    const maker = await staff.makers.create({ name: 'Breguet' })
    return [maker, await catalogue.makers.get(maker.id)]
  },
  async changeMaker() {
    const maker = await staff.makers.update(ids.spareMaker, { active: false })
    return [maker, await catalogue.makers.get(ids.spareMaker)]
  },
  async deleteMaker() {
    await staff.makers.delete(ids.spareMaker)
    return [await missing(catalogue.makers.get(ids.spareMaker)), true]
  },
  async createDeliveryClass() {
    const delivery = await staff.deliveryClasses.create({ name: 'Post' })
    return [delivery, await catalogue.deliveryClasses.get(delivery.id)]
  },
  async changeDeliveryClass() {
    const delivery = await staff.deliveryClasses.update(ids.spareDeliveryClass, { instructions: 'Op vrijdag.' })
    return [delivery, await catalogue.deliveryClasses.get(ids.spareDeliveryClass)]
  },
  async deleteDeliveryClass() {
    await staff.deliveryClasses.delete(ids.spareDeliveryClass)
    return [await missing(catalogue.deliveryClasses.get(ids.spareDeliveryClass)), true]
  },
  async createConsignment() {
    const consignment = await staff.consignments.create({ number: '2026-77', seller: ids.seller })
    return [consignment, await catalogue.consignments.get(consignment.id)]
  },
  async changeConsignment() {
    const consignment = await staff.consignments.update(ids.spareConsignment, { locked: true })
    return [consignment, await catalogue.consignments.get(ids.spareConsignment)]
  },
  async deleteConsignment() {
    await staff.consignments.delete(ids.spareConsignment)
    return [await missing(catalogue.consignments.get(ids.spareConsignment)), true]
  },
  async deleteSession() {
    await staff.sessions.delete(ids.spareSession)
    return [await missing(catalogue.sessions.get(ids.spareSession)), true]
  },
  async listJournal() {
    const rows = await read(staff.journal.list({ operation: 'recordResults' }))
    assert.deepEqual(
      rows.map(({ record, actor: { type } }) => [record, type]),
      [[ids.liveSession, 'key']],
    )
    const about = await read(staff.journal.list({ record: ids.liveLot, since: '2020-01-01T00:00:00Z' }))
    return [about.map(({ operation }) => operation), ['recordResults', 'changeLot']]
  },
  async discoverStaff() {
    const { house, key, resources } = await staff.discover()
    assert.deepEqual(house, { ...(await catalogue.house()), results: 'by-staff' })
    assert.ok(resources.lots.endsWith('/staff/v1/lots'))
    return [key, (await catalogue.discover()).key]
  },
  async getStaffLot() {
    const { staff: seen, ...lot } = await staff.lots.get(ids.liveLot, { expand: ['item', 'session'] })
    assert.deepEqual(seen, { held: false, bids: 1, has_had_bid: true })
    return [lot, { ...(await catalogue.lots.get(ids.liveLot, { expand: ['item', 'session'] })) }]
  },
  async listStaffLots() {
    const lots = await read(staff.lots.list({ session: ids.liveSession, held: false, number_from: 1, limit: 1000 }))
    return [lots, [await staff.lots.get(ids.liveLot)]]
  },
  async searchStaffLots() {
    const page = await staff.lots.search({ q: 'vaas', seller: ids.seller, facets: ['result'] }).page()
    assert.deepEqual([page.total, page.facets.result], [0, []])
    return [(await staff.lots.search({ q: 'vaas', held: false }).page()).data[0], await staff.lots.get(ids.liveLot)]
  },
  async getStaffSession() {
    const { staff: seen, ...session } = await staff.sessions.get(ids.session, { expand: ['counts', 'auction'] })
    assert.deepEqual(seen, { results: 'by-staff', numbers_fixed: false })
    return [session, { ...(await catalogue.sessions.get(ids.session, { expand: ['counts', 'auction'] })) }]
  },
  async listStaffSessions() {
    const sessions = await read(staff.sessions.list({ auction: ids.auction, published: true }))
    return [sessions.find(({ id }) => id === ids.session), await staff.sessions.get(ids.session)]
  },
  async searchStaffItems() {
    const { data } = await staff.items.search({ q: 'vaas', offered: 'sold' }).page()
    return [data, [await catalogue.items.get(ids.plainItem)]]
  },
}

async function missing(read: Promise<unknown>): Promise<boolean> {
  await assert.rejects(read, NotFound)
  return true
}

test('every operation of the OpenAPI document of staff has a method that this file tests', async () => {
  const document = (await service.request({ url: '/staff/v1/openapi.json' })).json<{
    paths: Record<string, Record<string, { operationId: string }>>
  }>()
  const named = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((each) => each.operationId),
  )
  assert.deepEqual(new Set(named), new Set(Object.keys(operations)))
})

for (const [name, call] of Object.entries(operations))
  test(`${name} returns what a later read has`, async () => {
    const [given, stored] = await call()
    assert.deepEqual(given, stored)
  })

test('a refusal by the state of a record is a Conflict with its reason', async () => {
  await assert.rejects(staff.bids.place(ids.lot, { amount: eur(5000) }), conflict('not_open'))
  await assert.rejects(staff.lots.update(running.lot, { result: { state: 'sold' } }), conflict('not_closed'))
  await assert.rejects(staff.sellers.create({ seller_number: 12 }), { code: 'duplicate-reference' })
  await assert.rejects(staff.categories.delete(ids.category), conflict('in_use'))
})

test('a refused end of a session says how many lots are the cause', async () => {
  const problem = { type: 'http://x/problems/conflict', title: 'x', reason: 'without_result', count: 12 }
  const { staff: refused } = connect({ fetch: async () => Response.json(problem, { status: 409 }) })
  await assert.rejects(refused.sessions.update(ids.session, { finished: true }), (error: Conflict) => {
    assert.deepEqual([error.reason, error.count], ['without_result', 12])
    return error instanceof Conflict
  })
})

test('a refused write of several records says which records would have to change', async () => {
  const results = [{ lot: running.lot, state: 'unsold' }] as const
  await assert.rejects(staff.sessions.recordResults(running.session, { results }), (error: Conflict) => {
    assert.deepEqual(
      [error.reason, error.count, error.conflicts?.map(({ record, reason }) => [record, reason])],
      ['not_closed', 1, [[running.lot, 'not_closed']]],
    )
    return error instanceof Conflict
  })
})

test('a bid that is too low is refused with the least amount', async () => {
  await staff.bids.place(running.lot, { amount: eur(10_000) })
  await assert.rejects(staff.bids.place(running.lot, { amount: eur(10_100) }), (error: Invalid) => {
    const [{ field, code, minimum }] = error.errors as [NonNullable<Invalid['errors']>[0]]
    assert.deepEqual([field, code, minimum], ['amount', 'out_of_range', eur(11_000)])
    return error instanceof Invalid
  })
})

test('a key with the permission bids alone places bids, and does nothing else', async () => {
  const { staff: bidder } = connect({ key: await service.issueKey(slug, ['bids']) })
  const { current_bid } = await bidder.bids.place(running.lot, { amount: eur(12_000) })
  assert.deepEqual(current_bid, eur(12_000))
  const forbidden = (error: CatalogueError) => error.status === 403 && error.code === 'missing-permission'
  const needsStaff = (error: CatalogueError) => forbidden(error) && error.permission === 'staff'
  await assert.rejects(bidder.bids.list(running.lot).page(), needsStaff)
  const { key } = await catalogue.discover()
  const others = key.permissions.filter((permission) => permission !== 'staff' && permission !== 'bids')
  const { staff: storefront } = connect({ key: await service.issueKey(slug, others) })
  await assert.rejects(storefront.bids.place(running.lot, { amount: eur(13_000) }), forbidden)
  await assert.rejects(storefront.journal.list().page(), needsStaff)
})

test('a rehearsal returns the outcome, and stores nothing', async () => {
  const { id } = await latest()
  const [lot] = await staff.sessions.addLots(
    ids.session,
    { lots: [{ item: ids.spareItem, again: true }] },
    { dryRun: true },
  )
  assert.deepEqual([lot!.id, lot!.lot_number], [null, 2])
  const seller = await staff.sellers.create({ seller_number: 900 }, { dryRun: true })
  assert.deepEqual([seller.id, seller.seller_number], [null, 900])
  const changed = await staff.lots.update(running.lot, { held: true }, { dryRun: true })
  assert.equal(changed.id, running.lot)
  const decided = await staff.sessions.recordResults(
    running.session,
    { results: [{ lot: running.lot, state: 'withdrawn' }] },
    { dryRun: true },
  )
  assert.equal(decided[0]!.result?.state, 'withdrawn')
  await assert.rejects(staff.bids.place(running.lot, { amount: eur(1) }, { dryRun: true }), Invalid)
  assert.equal((await latest()).id, id)
})

test('the ETag of a read of the catalogue guards a write of staff', async () => {
  const lot = await catalogue.lots.get(ids.lot)
  const first = await staff.lots.update(ids.lot, { starting_bid: eur(6000) }, { ifMatch: lot[etag] })
  await assert.rejects(staff.lots.update(ids.lot, { starting_bid: null }, { ifMatch: lot[etag] }), {
    code: 'precondition-failed',
  })
  const second = await staff.lots.update(ids.lot, { starting_bid: null }, { ifMatch: first[etag] })
  assert.equal(second.starting_bid, null)
  const maker = await staff.makers.create({ name: 'Kort' })
  await assert.rejects(staff.makers.delete(maker.id, { ifMatch: '"other"' }), Conflict)
  await staff.makers.delete(maker.id, { ifMatch: maker[etag] })
  await assert.rejects(async () => staff.makers.delete(maker.id, { ifMatch: undefined }), TypeError)
})

test('a write of staff whose answer is lost is repeated, and done once', async () => {
  const losing = () => connect(createNetwork('lost')).staff
  const bid = await losing().bids.place(running.lot, { amount: eur(14_000) })
  assert.deepEqual(bid.current_bid, eur(14_000))
  assert.equal((await read(staff.bids.list(running.lot))).filter(({ amount }) => amount.amount === 14_000).length, 1)
  const lots: Lot[] = await losing().sessions.addLots(ids.session, { lots: [{ item: ids.spareItem, again: true }] })
  const stored = await read(catalogue.lots.list({ session: ids.session }))
  assert.deepEqual(
    stored.filter(({ item }) => item === ids.spareItem).map(({ id }) => id),
    lots.map(({ id }) => id),
  )
  const { id } = await staff.makers.create({ name: 'Lang' })
  await losing().makers.delete(id)
  await assert.rejects(catalogue.makers.get(id), NotFound)

  const options = { idempotencyKey: 'the desk, lot 14' }
  const killed = connect({ ...createNetwork('lost'), retries: 0 }).staff
  const body = { amount: eur(15_000) }
  await assert.rejects(killed.bids.place(running.lot, body, options), { uncertain: true })
  assert.deepEqual((await staff.bids.place(running.lot, body, options)).current_bid, eur(15_000))
})

test('the journal is read row by row, the latest first, page after page', async () => {
  const all = await read(staff.journal.list())
  const paged = await read(staff.journal.list({ limit: 2 }))
  assert.deepEqual(paged, all)
  assert.ok(all.length > 10 && all.every(({ at }, index) => index === 0 || at <= all[index - 1]!.at))
  assert.deepEqual(await read(staff.journal.list({ since: '2099-01-01T00:00:00Z' })), [])
  const { id } = all[0]!.actor
  assert.ok((await read(staff.journal.list({ actor: id! }))).length > 0)
})
