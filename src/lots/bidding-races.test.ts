import { changeLot } from './changes.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { recalculateSession } from './closing.ts'
import { leastBid } from './bidding.ts'
import { setLotActive } from './switching.ts'
import { inTransaction } from '../writes/transaction.ts'
import { placeBid } from './bids.ts'
import { at, describeRefusal, openSaleHouse, refusal } from '../../test/support/sale-house.ts'
import { lockRecord } from '../../test/support/locks.ts'

import { Problem } from '../problems.ts'
import { changeSession, type SessionChange } from '../sales/sessions.ts'

const office = await openSaleHouse()
after(() => office.close())

const steps = [
  { from: 0, increment: 500 },
  { from: 10000, increment: 1000 },
]
// Delays a bid that holds all its locks. Reads of bids go on.
const holdBids = sql`lock table catalogue.bids in share mode`
const holdJobs = sql`lock table graphile_worker._private_jobs in share mode`

const bid = (lot: string, amount: number, time = '11:00:00') => placeBid(office.at(time), { lot, amount })

function reasonIn(outcome: PromiseSettledResult<unknown>): string {
  assert.ok(outcome.status === 'rejected')
  return describeRefusal(outcome.reason)
}

async function assertSerial(lot: string) {
  const bids = await office.bidsOn(lot)
  let current_bid: number | null = null
  let placed = 0
  for (const { amount, placed_at } of bids) {
    assert.ok(amount >= leastBid({ starting_bid: 5000, current_bid }, steps), `${amount} after ${current_bid}`)
    assert.ok(placed_at.getTime() >= placed)
    current_bid = amount
    placed = placed_at.getTime()
  }
  assert.equal((await office.read(`lots/${lot}`)).current_bid?.amount ?? null, current_bid)
  return bids.length
}

test('parallel bids on one lot run one after another: each exceeds the one before by the increment', async () => {
  const { lots } = await office.loadSale()
  const lot = lots[0]!
  const amounts = Array.from({ length: 60 }, (_, index) => 5000 + ((index * 7919) % 60) * 250)
  const outcomes = await Promise.allSettled(amounts.map((amount) => bid(lot, amount)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of refused) assert.match(describeRefusal(reason), /^amount must be at least /)
  assert.equal(await assertSerial(lot), amounts.length - refused.length)
})

test('bids on different lots don’t wait for one another, not even first ones', async () => {
  const { lots } = await office.loadSale({}, [{}, {}])
  await inTransaction(office, async ({ db: tx }) => {
    await lockRecord(tx, 'lots', lots[0]!)
    await bid(lots[1]!, 5000)
    await bid(lots[1]!, 6000)
  })
  const outcomes = await office.whileLocked(
    (tx) => lockRecord(tx, 'lots', lots[0]!),
    () => bid(lots[0]!, 5000),
    () => bid(lots[0]!, 6000),
  )
  assert.ok(outcomes.every(({ status }) => status === 'fulfilled'))
})

test('a bid that waits for its lot beyond the close is refused, because its time is read under the lock', async () => {
  const { lots } = await office.loadSale()
  let time = at('11:59:59')
  const [outcome] = await office.whileLocked(
    async (tx) => lockRecord(tx, 'lots', lots[0]!),
    async () => {
      const placing = placeBid(
        office.at('11:59:59', () => time),
        { lot: lots[0]!, amount: 5000 },
      )
      time = at('12:00:00')
      return placing
    },
  )
  assert.match(reasonIn(outcome!), /^the lot lot_\S+ closed at/)
  assert.deepEqual(await office.bidsOn(lots[0]!), [])
})

test('the end of bidding waits for a running bid, and a later bid is refused', async () => {
  const moves: [move: SessionChange, obstacle: RegExp][] = [
    [{ finished: true }, /^the session ses_\S+ is finished$/],
    [{ customer_bidding_enabled: false }, /bidding is disabled/],
    [{ published: false }, /^the session ses_\S+ is not published$/],
  ]
  for (const [move, obstacle] of moves) {
    const { session, lots } = await office.loadSale({}, [{}, {}])
    // Both wait: the bid for the table, the move for the bid.
    const both = await office.whileLocked(
      (tx) => holdBids.execute(tx),
      () => bid(lots[0]!, 5000),
      () => changeSession(office.at('11:00:00'), session, move, { early: true, allowWithoutResult: true }),
    )
    assert.ok(both.every(({ status }) => status === 'fulfilled'))
    assert.match(await refusal(bid(lots[0]!, 9000)), obstacle)

    const again = await office.loadSale({}, [{}, {}])
    const [moved, late] = await office.whileLocked(
      (tx) => lockRecord(tx, 'lots', again.lots[1]!),
      () => changeSession(office.at('11:00:00'), again.session, move, { early: true, allowWithoutResult: true }),
      () => bid(again.lots[0]!, 5000),
    )
    assert.equal(moved!.status, 'fulfilled')
    assert.match(reasonIn(late!), obstacle)
  }
})

test('a bid that waits for the archiving of its lot is refused', async () => {
  const { lots } = await office.loadSale()
  const outcomes = await office.whileLocked(
    (tx) => lockRecord(tx, 'lots', lots[0]!),
    () => changeLot(office.at('08:00:00'), lots[0]!, { archived: true }),
    () => bid(lots[0]!, 5000),
  )
  assert.equal(outcomes[0]!.status, 'fulfilled')
  assert.match(reasonIn(outcomes[1]!), /is archived/)
})

test('a stream of bids does not delay the finish of a session, and leaves no bid after it', async () => {
  const { session, lots } = await office.loadSale(
    {},
    Array.from({ length: 6 }, () => ({})),
  )
  const placed: string[] = []
  const bidders = lots.map(async (lot) => {
    for (let amount = 100_000; ; amount += 1000) {
      const outcome = await bid(lot, amount).catch((error: unknown) => error)
      if (outcome instanceof Error) return outcome
      placed.push(lot)
    }
  })
  while (placed.length < 60) await new Promise((resolve) => setImmediate(resolve))
  await changeSession(office.at('11:00:00'), session, { finished: true }, { early: true, allowWithoutResult: true })
  const count = async () => (await Promise.all(lots.map((lot) => office.bidsOn(lot)))).flat().length
  const atEnd = await count()
  const ends = await Promise.all(bidders)
  assert.ok(
    ends.every((end) => end instanceof Problem && end.reason === 'finished'),
    String(ends),
  )
  assert.equal(await count(), atEnd)
  assert.equal(placed.length, atEnd)
})

test('a lot with a bid is never switched, whatever runs between check and commit', async () => {
  // The first bid is under way: the switch waits for it, then finds it.
  const first = await office.loadSale({}, [{}, {}])
  const outcomes = await office.whileLocked<unknown>(
    (tx) => holdBids.execute(tx),
    () => bid(first.lots[0]!, 5000),
    () => office.patch(`lots/${first.lots[1]}`, { active: false }),
  )
  assert.equal(outcomes[0]!.status, 'fulfilled')
  const detail = `A lot of the session ses_${first.session} has had a bid.`
  assert.deepEqual(outcomes[1], { status: 'fulfilled', value: { status: 409, detail } })
  assert.equal((await office.read(`lots/${first.lots[1]}`)).active, true)

  // The switch is under way: the bid waits for it, then finds the lot switched off.
  const second = await office.loadSale({}, [{}, {}])
  const reversed = await office.whileLocked<unknown>(
    (tx) => holdJobs.execute(tx),
    () => office.patch(`lots/${second.lots[0]}`, { active: false }),
    () => bid(second.lots[0]!, 5000),
  )
  assert.deepEqual(reversed[0], { status: 'fulfilled', value: { status: 200, detail: undefined } })
  assert.match(reasonIn(reversed[1]!), /^the lot lot_\S+ is not active$/)
  assert.deepEqual(await office.bidsOn(second.lots[0]!), [])
})

test('a switch is rolled back if its session comes within five minutes of its opening before the commit', async () => {
  const { lots } = await office.loadSale()
  const before = await office.snapshot()
  const context = office.at('09:54:59', () => at('09:55:01'))
  await assert.rejects(setLotActive(context, lots[0]!, false), { code: 'lot-not-changeable' })
  assert.deepEqual(await office.snapshot(), before)
})

test('a recalculation that waits for the first bid keeps the close that the bid moved', async () => {
  const { session, lots } = await office.loadSale()
  const { rows } = await sql<{ id: string }>`select id from catalogue.sessions where public_id = ${session}`.execute(
    office.db,
  )
  const outcomes = await office.whileLocked<unknown>(
    (tx) => holdBids.execute(tx),
    () => bid(lots[0]!, 5000, '11:59:00'),
    () => recalculateSession({ db: office.db, house: office.house, clock: () => at('09:59:59') }, rows[0]!.id),
  )
  assert.ok(outcomes.every(({ status }) => status === 'fulfilled'))
  assert.equal((await office.read(`lots/${lots[0]}`)).closes_at, '2099-05-08T12:01:00.000Z')
})

test('many concurrent bids, switches and moves give serial histories', async () => {
  const { session, lots } = await office.loadSale(
    {},
    Array.from({ length: 5 }, () => ({})),
  )
  const work = Array.from({ length: 75 }, (_, index) => async () => {
    const lot = lots[(index * 3) % 5]!
    if (index % 25 === 24)
      return changeSession(office.at('11:00:00'), session, { customer_bidding_enabled: index % 50 === 49 })
    if (index % 10 === 9) return office.patch(`lots/${lot}`, { active: false })
    const current = (await office.read(`lots/${lot}`)).current_bid?.amount ?? 4500
    return bid(lot, current + 500 + (index % 4) * 500)
  })
  const outcomes = await Promise.allSettled(work.map((each) => each()))
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected' && !(outcome.reason instanceof Problem))
  assert.deepEqual(failed, [])
  for (const lot of lots) await assertSerial(lot)
})
