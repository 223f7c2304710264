import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur } from '../../test/support/lines.ts'
import { printMoney } from '../values/typed-money.ts'
import { placeBid } from './bids.ts'
import { openSaleHouse, refusal, type ShownLot } from '../../test/support/sale-house.ts'

import { changeSession } from '../sales/sessions.ts'

const office = await openSaleHouse()
after(() => office.close())

const bid = async (time: string, lot: string, amount: number) =>
  JSON.parse((await placeBid(office.at(time), { lot, amount })).json) as ShownLot

test('a bid raises the current bid, advances the lot and is recorded with its time and an identity', async () => {
  const { auction, session, lots } = await office.loadSale({}, [{}, {}])
  const [lot, other] = lots
  const parents = [await office.read(`auctions/${auction}`), await office.read(`sessions/${session}`)]
  const untouched = await office.read(`lots/${other}`)
  const before = await office.read(`lots/${lot}`)
  const shown = await bid('11:00:00', lot!, 5000)
  assert.deepEqual(shown, { ...before, current_bid: eur(5000), updated_at: '2099-05-08T11:00:00.000Z' })
  assert.deepEqual(await office.read(`lots/${lot}`), shown)
  await bid('11:30:00', lot!, 6000)
  const bids = await office.bidsOn(lot!)
  assert.deepEqual(
    bids.map(({ amount, placed_at }) => [amount, placed_at.toISOString()]),
    [
      [5000, '2099-05-08T11:00:00.000Z'],
      [6000, '2099-05-08T11:30:00.000Z'],
    ],
  )
  assert.ok(bids.every(({ public_id }) => public_id !== null))
  const { rows } = await sql<{
    revision: string
  }>`select revision from catalogue.lots where public_id = ${lot}`.execute(office.db)
  assert.equal(rows[0]!.revision, '3')
  assert.deepEqual([await office.read(`auctions/${auction}`), await office.read(`sessions/${session}`)], parents)
  assert.deepEqual(await office.read(`lots/${other}`), untouched)
})

const least = (amount: number) => `amount must be at least ${printMoney(eur(amount))}`

test('a bid below the starting bid, or below the current bid and its increment, is refused and changes nothing', async () => {
  const { lots } = await office.loadSale({}, [{}, { current_bid: eur(10000) }, { starting_bid: null }])
  const [fresh, bidOn, free] = lots as [string, string, string]
  const before = await office.snapshot()
  assert.equal(await refusal(bid('11:00:00', fresh, 4999)), least(5000))
  assert.equal(await refusal(bid('11:00:00', bidOn, 10999)), least(11000))
  assert.equal(await refusal(bid('11:00:00', free, 0)), least(1))
  assert.deepEqual(await office.snapshot(), before)
  assert.deepEqual((await bid('11:00:00', fresh, 5000)).current_bid, eur(5000))
  assert.equal(await refusal(bid('11:00:00', fresh, 5499)), least(5500))
  assert.deepEqual((await bid('11:00:00', bidOn, 11000)).current_bid, eur(11000))
  assert.deepEqual((await bid('11:00:00', free, 1)).current_bid, eur(1))
})

test('without a strategy any higher bid is accepted', async () => {
  const { lots } = await office.loadSale({ increment_strategy: null })
  await bid('11:00:00', lots[0]!, 5000)
  assert.equal(await refusal(bid('11:00:00', lots[0]!, 5000)), least(5001))
  await bid('11:00:00', lots[0]!, 5001)
})

test('each precondition alone refuses a bid, which then changes nothing', async () => {
  const cases: [expected: RegExp, session: Record<string, unknown>, lot: Record<string, unknown>, time?: string][] = [
    [/^the session ses_\S+ is not published$/, { published: false }, {}],
    [/^the session ses_\S+ is not published$/, { hidden: true }, {}],
    [/^the session ses_\S+ has no opening time$/, { opens_at: null }, {}],
    [/^the session ses_\S+ opens at 2099-05-08T10:00:00.000Z$/, {}, {}, '09:59:59.999'],
    [/^the session ses_\S+ is finished$/, { finished: true }, {}],
    [/^bidding is disabled in the session ses_\S+$/, { customer_bidding_enabled: false }, {}],
    [/^the lot lot_\S+ is not active$/, {}, { active: false }],
    [/^the lot lot_\S+ is not active$/, {}, { active: null }],
    [/^the lot lot_\S+ has no closing time$/, {}, { closes_at: null }],
    [/^the lot lot_\S+ closed at 2099-05-08T12:00:00.000Z$/, {}, {}, '12:00:00'],
    [/^the lot lot_.* is archived$/, {}, { archived: true }],
  ]
  const sales = []
  for (const [, session, lot] of cases) sales.push(await office.loadSale(session, [lot]))
  const before = await office.snapshot()
  for (const [index, [expected, , , time = '11:00:00']] of cases.entries()) {
    assert.match(await refusal(bid(time, sales[index]!.lots[0]!, 5000)), expected)
  }
  const unknown = '00000000-0000-4000-8000-00000000dead'
  assert.equal(await refusal(bid('11:00:00', unknown, 5000)), `there is no lot lot_${unknown} in the house house`)
  assert.deepEqual(await office.snapshot(), before)
})

test('each late bid moves the close again; the schedule stays', async () => {
  const { lots } = await office.loadSale()
  const lot = lots[0]!
  const closes = async (time: string, amount: number) => {
    const { closes_at, timed } = await bid(time, lot, amount)
    return [closes_at, timed?.scheduled_closes_at]
  }
  const scheduled = '2099-05-08T12:00:00.000Z'
  assert.deepEqual(await closes('11:57:59.999', 5000), [scheduled, scheduled])
  assert.deepEqual(await closes('11:58:00.000', 5500), [scheduled, scheduled])
  assert.deepEqual(await closes('11:59:30.250', 6000), ['2099-05-08T12:01:30.250Z', scheduled])
  assert.deepEqual(await closes('12:01:30.249', 6500), ['2099-05-08T12:03:30.249Z', scheduled])
  assert.equal(await refusal(closes('12:03:30.249', 7000)), `the lot lot_${lot} closed at 2099-05-08T12:03:30.249Z`)
})

test('the extension is the session’s, else the house’s, else two minutes', async () => {
  const timed = { first_closes_at: '2099-05-08T12:00:00Z', group_size: 1, interval_seconds: 60 }
  const own = { ...timed, extension_threshold_seconds: 10, extension_seconds: 30 }
  const { lots } = await office.loadSale({ timed: own })
  assert.equal((await bid('11:59:49.999', lots[0]!, 5000)).closes_at, '2099-05-08T12:00:00.000Z')
  assert.equal((await bid('11:59:50.000', lots[0]!, 5500)).closes_at, '2099-05-08T12:00:20.000Z')

  const inheriting = await office.loadSale({ timed })
  const house = {
    ...office.house,
    defaults: { ...office.house.defaults, extension_threshold_seconds: 600, extension_seconds: 900 },
  }
  const context = { ...office.at('11:51:00'), house }
  const shown = JSON.parse((await placeBid(context, { lot: inheriting.lots[0]!, amount: 5000 })).json) as ShownLot
  assert.equal(shown.closes_at, '2099-05-08T12:06:00.000Z')
})

test('all lots of a live session close at once, and no bid extends them', async () => {
  const { lots } = await office.loadSale({ kind: 'live', timed: null, live: { closes_at: '2099-05-08T12:00:00Z' } }, [
    { closes_at: null, scheduled_closes_at: null },
  ])
  const shown = await bid('11:59:59.999', lots[0]!, 5000)
  assert.equal(shown.closes_at, '2099-05-08T12:00:00.000Z')
  assert.ok(!('timed' in shown))
  assert.equal(
    await refusal(bid('12:00:00', lots[0]!, 9000)),
    `the lot lot_${lots[0]} closed at 2099-05-08T12:00:00.000Z`,
  )
})

test('staff stop and resume bidding', async () => {
  const { session, lots } = await office.loadSale()
  const lot = lots[0]!
  await bid('11:00:00', lot, 5000)
  for (const flag of ['customer_bidding_enabled', 'published']) {
    await changeSession(office.at('11:10:00'), session, { [flag]: false })
    await refusal(bid('11:10:00', lot, 90000))
    await changeSession(office.at('11:10:00'), session, { [flag]: true })
  }
  await bid('11:20:00', lot, 6000)
})
