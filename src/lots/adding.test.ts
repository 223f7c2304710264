import { changeLot } from './changes.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eur, houseLine } from '../../test/support/lines.ts'
import { describeRefusal, openSaleHouse, refusal, type ShownLot } from '../../test/support/sale-house.ts'
import { lockRecord } from '../../test/support/locks.ts'
import { placeBid } from './bids.ts'
import { addLots } from './adding.ts'
import { changeSession } from '../sales/sessions.ts'

const office = await openSaleHouse()
after(() => office.close())

const now = office.at('08:00:00')
const unknown = '00000000-0000-4000-8000-00000000dead'
const newLot = (session: string, lot_number = 1) => {
  return { session, item: office.ids.item, lot_number, starting_bid: 5000, again: true }
}

test("a new lot is inactive and has the interface's document; session and auction stay unchanged", async () => {
  const { auction, session } = await office.loadSale({}, [])
  const before = [await office.read(`auctions/${auction}`), await office.read(`sessions/${session}`)]
  const added = JSON.parse((await addLots(now, [newLot(session, 7)]))[0]!) as ShownLot
  assert.deepEqual(added, {
    id: added.id,
    lot_number: 7,
    active: false,
    title: 'Vaas',
    starting_bid: eur(5000),
    current_bid: null,
    sold: false,
    result: null,
    notice: null,
    notice_translations: {},
    closes_at: null,
    timed: { scheduled_closes_at: null },
    item: `itm_${office.ids.item}`,
    session: `ses_${session}`,
    created_at: '2099-05-08T08:00:00.000Z',
    updated_at: '2099-05-08T08:00:00.000Z',
  })
  assert.deepEqual(await office.read(`lots/${added.id}`), added)
  const listed = await office.get(`/api/v2/lots?auction=${auction}`, office.key)
  assert.deepEqual(listed.json<{ data: unknown[] }>().data, [added])
  assert.deepEqual([await office.read(`auctions/${auction}`), await office.read(`sessions/${session}`)], before)

  const bare = JSON.parse((await addLots(now, [{ ...newLot(session, 8), starting_bid: null }]))[0]!) as {
    starting_bid: unknown
  }
  assert.equal(bare.starting_bid, null)
})

test('a lot can be added to a session that is published and has opened, but not to a finished one', async () => {
  const { session } = await office.loadSale({}, [])
  await addLots(office.at('11:00:00'), [newLot(session)])
  await changeSession(office.at('11:00:00'), session, { finished: true }, { early: true, allowWithoutResult: true })
  const before = await office.snapshot()
  assert.equal(await refusal(addLots(now, [newLot(session, 2)])), `the session ses_${session} is finished`)
  assert.deepEqual(await office.snapshot(), before)
})

test('the number must be free among the unarchived lots of the session, the item may repeat', async () => {
  const { session, lots } = await office.loadSale()
  const before = await office.snapshot()
  assert.equal(await refusal(addLots(now, [newLot(session, 1)])), 'the session has a lot 1 already')
  assert.deepEqual(await office.snapshot(), before)
  await addLots(now, [newLot(session, 2)])
  await changeLot(now, lots[0]!, { archived: true })
  await addLots(now, [newLot(session, 1)])
})

test('an item that is archived, unknown or of another house is refused, and nothing changes', async () => {
  const { session } = await office.loadSale({}, [])
  const foreign = '00000000-0000-4000-8000-0000000000f1'
  await office.load([houseLine('other'), { type: 'item', id: foreign, external_reference: 'F', title: 'Vreemd' }])
  const before = await office.snapshot()
  const add = (item: string) => refusal(addLots(now, [{ ...newLot(session), item }]))
  assert.equal(await add(office.ids.archivedItem), `the item itm_${office.ids.archivedItem} is archived`)
  assert.equal(await add(unknown), `there is no item itm_${unknown} in the house house`)
  assert.equal(await add(foreign), `there is no item itm_${foreign} in the house house`)
  assert.equal(await refusal(addLots(now, [newLot(unknown)])), `there is no session ses_${unknown} in the house house`)
  assert.deepEqual(await office.snapshot(), before)
})

test('of many concurrent additions with one number, one succeeds', async () => {
  const { session } = await office.loadSale({}, [])
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => addLots(now, [newLot(session, 3)])))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.equal(refused.length, 7)
  for (const { reason } of refused) assert.match(describeRefusal(reason), /^the session has a lot 3 already$/)
})

test('a session that gets a lot before a waiting correction is not corrected; a lot may follow a correction', async () => {
  const add = (session: string) => () => addLots(now, [newLot(session)])
  const patch = (session: string) => () => office.patch(`sessions/${session}`, { title: 'Ochtend' })

  const first = await office.loadSale({ published: false }, [])
  const outcomes = await office.whileLocked<unknown>(
    (tx) => lockRecord(tx, 'items', office.ids.item),
    add(first.session),
    patch(first.session),
  )
  assert.deepEqual(outcomes[1], {
    status: 'fulfilled',
    value: { status: 409, detail: `The session ses_${first.session} holds lots.` },
  })
  assert.equal(outcomes[0]!.status, 'fulfilled')

  const second = await office.loadSale({ published: false }, [])
  const both = await office.whileLocked<unknown>(
    (tx) => lockRecord(tx, 'sessions', second.session),
    patch(second.session),
    add(second.session),
  )
  assert.deepEqual(both[0], { status: 'fulfilled', value: { status: 200, detail: undefined } })
  assert.equal(both[1]!.status, 'fulfilled')
})

test('a session that is finished before the lot gets its lock takes no lot', async () => {
  const { session } = await office.loadSale({}, [])
  const [finished, added] = await office.whileLocked<unknown>(
    (tx) => lockRecord(tx, 'sessions', session),
    async () => (await changeSession(now, session, { finished: true }, { early: true, allowWithoutResult: true })).json,
    () => addLots(now, [newLot(session)]),
  )
  assert.equal(finished!.status, 'fulfilled')
  assert.ok(added!.status === 'rejected')
  assert.match(describeRefusal(added!.reason), /is finished$/)
})

test('archiving only sets the flag, may be repeated, and removes the lot from the interface', async () => {
  const { session, lots } = await office.loadSale({}, [{}, { active: false }])
  const [lot] = lots
  const before = await office.read(`lots/${lot}`)
  const archived = await changeLot(now, lot!, { archived: true })
  assert.deepEqual(JSON.parse(archived.json), { ...before, updated_at: '2099-05-08T08:00:00.000Z' })
  assert.equal((await office.get(`/api/v2/lots/${lot}`, office.key)).statusCode, 404)
  assert.deepEqual(await changeLot(office.at('09:00:00'), lot!, { archived: true }), archived)
  assert.equal((await office.patch(`sessions/${session}`, { title: 'Ochtend' })).status, 409)
  assert.equal(
    await refusal(changeLot(now, unknown, { archived: true })),
    `there is no lot lot_${unknown} in the house house`,
  )
})

test('archiving an active lot moves up the schedule at once, and is refused when the preparation is over', async () => {
  const { lots } = await office.loadSale({}, [{}, {}, { active: false, closes_at: null, scheduled_closes_at: null }])
  const before = await office.snapshot()
  for (const time of ['09:55:01', '10:30:00'])
    assert.match(
      await refusal(changeLot(office.at(time), lots[0]!, { archived: true })),
      /opens in less than five minutes|has opened/,
    )
  assert.deepEqual(await office.snapshot(), before)
  await changeLot(now, lots[0]!, { archived: true })
  assert.equal((await office.read(`lots/${lots[1]}`)).closes_at, '2099-05-08T12:00:00.000Z')
  await placeBid(office.at('11:00:00'), { lot: lots[1]!, amount: 5000 })
  assert.match(await refusal(changeLot(now, lots[1]!, { archived: true })), /has had a bid/)
})
