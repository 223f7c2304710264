import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { eur, houseLine } from '../../test/support/lines.ts'
import { lockRecord } from '../../test/support/locks.ts'
import { at, openSaleHouse, reasonOf, refusal, type ShownLot } from '../../test/support/sale-house.ts'
import { listBids } from './bid-queries.ts'
import { cancelBid, placeBid } from './bids.ts'
import { changeLot, changeLots, type Reopening } from './changes.ts'
import { listLots } from './list-queries.ts'
import { delaySession } from '../sales/delay.ts'
import { addLots } from './adding.ts'
import { readResults, recordResultsOfFile } from '../cli/files/results-file.ts'
import { recordResults, type LotDecision } from './results.ts'
import { CommandError, createPrinter } from '../cli/command-error.ts'
import type { Context } from '../context.ts'
import type { Problem } from '../problems.ts'
import type { Print } from '../cli/files/lot-file.ts'
import { changeSession } from '../sales/sessions.ts'

const office = await openSaleHouse()
after(() => office.close())

type Result = { state: string; amount: unknown; at: string; after_sale: boolean; with: string | null } | null
type Decided = ShownLot & { sold: boolean; result: Result; notice: string | null; notice_translations: object }

const live = { kind: 'live', timed: null, live: { closes_at: '2099-05-08T12:00:00Z' } }
const noTimes = { closes_at: null, scheduled_closes_at: null }
const all = { early: true, allowWithoutResult: true }
const bid = (time: string, lot: string, amount: number) => placeBid(office.at(time), { lot, amount })
const record = (time: string, lot: string, decision: Partial<LotDecision>) =>
  recordResults(office.at(time), { results: [{ lot, state: 'sold', ...decision }] })
const read = (lot: string) => office.read<Decided>(`lots/${lot}`)
const resultOf = async (lot: string) => (await read(lot)).result
const stateOf = async (lot: string) => (await resultOf(lot))?.state
const takeBack = async (context: Context, lot: string, reopening: Reopening) =>
  (await changeLot(context, lot, { reopening })).json

test('a closed lot is sold at its highest bid, advances, and takes no bid any more; a repetition changes nothing', async () => {
  const { lots } = await office.loadSale()
  const lot = lots[0]!
  await bid('11:00:00', lot, 7000)
  assert.equal(await reasonOf(record('11:30:00', lot, {})), 'not_closed')
  const before = await read(lot)
  const { documents, changed } = await record('12:00:00', lot, {})
  assert.equal(changed, 1)
  const after = await read(lot)
  assert.deepEqual(JSON.parse(documents[0]!), after)
  assert.deepEqual(after, {
    ...before,
    sold: true,
    result: { state: 'sold', amount: eur(7000), at: '2099-05-08T12:00:00.000Z', after_sale: false, with: null },
    updated_at: '2099-05-08T12:00:00.000Z',
  })
  const snapshot = await office.snapshot()
  assert.equal((await record('12:05:00', lot, {})).changed, 0)
  assert.equal((await record('12:05:00', lot, { amount: 7000 })).changed, 0)
  assert.equal(await reasonOf(record('12:05:00', lot, { state: 'unsold' })), 'has_result')
  assert.equal(await reasonOf(record('12:05:00', lot, { amount: 8000 })), 'has_result')
  assert.deepEqual(await office.snapshot(), snapshot)
})

test('the database’s clock says whether a lot has closed, not the clock of a clerk', async () => {
  const of = (time: string) => ({ ...office.at('12:00:00', () => new Date(time)), databaseClock: undefined })
  const fast = of('2200-05-08T12:00:00Z')
  const open = await office.loadSale({ opens_at: '2020-01-01T00:00:00Z' })
  const [lot] = open.lots as [string]
  await placeBid(fast, { lot, amount: 5000 })
  assert.ok((await office.bidsOn(lot))[0]!.placed_at < new Date('2099-01-01'))
  assert.equal(await reasonOf(recordResults(fast, { results: [{ lot, state: 'sold' }] })), 'not_closed')
  assert.equal((await recordResults(fast, { session: open.session })).changed, 0)
  assert.equal(
    await reasonOf(recordResults(fast, { session: open.session, results: [{ lot, state: 'sold' }] })),
    'not_closed',
  )
  const closesAt = new Date('2300-01-01')
  assert.equal(await reasonOf(takeBack(fast, lot, { reason: 'a mistake', closesAt })), 'not_closed')
  assert.equal(
    await reasonOf(changeSession(fast, open.session, { finished: true }, { allowWithoutResult: true })),
    'not_closed',
  )
  await delaySession(fast, open.session, { seconds: 60, reason: 'a fire alarm' })
  assert.equal((await read(lot)).closes_at, '2099-05-08T12:01:00.000Z')

  const slow = of('2000-01-01T00:00:00Z')
  const over = { closes_at: '2020-01-02T00:00:00Z', scheduled_closes_at: '2020-01-02T00:00:00Z' }
  const timed = { first_closes_at: over.closes_at, group_size: 2, interval_seconds: 60 }
  const closed = await office.loadSale({ opens_at: '2020-01-01T00:00:00Z', timed }, [over, over])
  const [first, second] = closed.lots as [string, string]
  assert.equal(await reasonOf(placeBid(slow, { lot: first, amount: 5000 })), 'closed')
  assert.equal(await reasonOf(changeLot(slow, first, { starting_bid: 4000 })), 'closed')
  assert.equal(await reasonOf(delaySession(slow, closed.session, { seconds: 60, reason: 'late' })), 'closed')
  assert.equal((await recordResults(slow, { results: [{ lot: first, state: 'unsold' }] })).changed, 1)
  assert.equal((await recordResults(slow, { session: closed.session })).changed, 1)
  assert.equal(await stateOf(second), 'unsold')
  assert.ok(Date.parse((await resultOf(second))!.at) > Date.parse('2026-01-01'))
  await changeSession(slow, closed.session, { finished: true })
})

test('a price in the session is at least the highest bid and one minor unit, and null where none is published', async () => {
  const { lots } = await office.loadSale({}, [{}, {}])
  const [first, second] = lots as [string, string]
  await bid('11:00:00', first, 7000)
  assert.equal(await reasonOf(record('12:30:00', first, { amount: 6999 })), 'amount')
  assert.match(await refusal(record('12:30:00', first, { amount: 6999 })), /^amount must be at least €70\.00$/)
  assert.equal(await reasonOf(record('12:30:00', second, { amount: 0 })), 'amount')
  assert.match(await refusal(record('12:30:00', second, { amount: 0 })), /^amount must be at least €0\.01$/)
  await record('12:30:00', first, { amount: 7500 })
  assert.deepEqual((await resultOf(first))!.amount, eur(7500))
  assert.deepEqual((await read(first)).current_bid, eur(7000))
  await record('12:30:00', second, {})
  assert.deepEqual([await stateOf(second), (await resultOf(second))!.amount], ['sold', null])
})

test('a withdrawn lot takes no bids, nobody’s times change, and it keeps its number', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  const times = async () => Promise.all(lots.map(async (lot) => (await read(lot)).closes_at))
  const before = await times()
  await record('09:00:00', lots[0]!, { state: 'withdrawn' })
  assert.deepEqual(await times(), before)
  assert.equal(await refusal(bid('11:00:00', lots[0]!, 9000)), `the lot lot_${lots[0]} is withdrawn`)
  const again = { session, item: office.ids.item, lot_number: 1, starting_bid: null, again: true }
  assert.match(await refusal(addLots(office.at('11:00:00'), [again])), /the session has a lot 1 already/)
  assert.equal(await reasonOf(record('12:30:00', lots[0]!, {})), 'withdrawn')
  assert.equal((await read(lots[0]!)).sold, false)
})

test('a result taken back holds the lot; with a close it takes bids again until then, and its schedule stays', async () => {
  const { lots } = await office.loadSale()
  const lot = lots[0]!
  const open = (time: string, more: { closesAt?: Date; correct?: boolean } = {}, reason = 'a wrong hammer') =>
    takeBack(office.at(time), lot, { reason, ...more })
  await bid('11:00:00', lot, 7000)
  await record('12:00:00', lot, {})
  assert.equal(await reasonOf(open('12:01:00', {}, '')), 'reason')
  await open('12:01:00')
  assert.deepEqual([await resultOf(lot), (await read(lot)).sold], [null, false])
  assert.equal(await reasonOf(open('12:02:00', { closesAt: office.at('12:03:59').now })), 'closes_at')
  const closesAt = office.at('12:30:00').now
  const shown = JSON.parse(await open('12:02:00', { closesAt })) as Decided
  assert.deepEqual(
    [shown.closes_at, shown.timed],
    ['2099-05-08T12:30:00.000Z', { scheduled_closes_at: '2099-05-08T12:00:00.000Z' }],
  )
  assert.equal(await reasonOf(open('12:03:00', { closesAt })), 'not_closed')
  await bid('12:29:00', lot, 9000)
  assert.equal((await read(lot)).closes_at, '2099-05-08T12:31:00.000Z')
  await record('12:31:00', lot, {})
  assert.deepEqual((await resultOf(lot))!.amount, eur(9000))
})

test('a lot that was withdrawn before its close never closes earlier for being taken back', async () => {
  const { lots } = await office.loadSale()
  const lot = lots[0]!
  await record('10:30:00', lot, { state: 'withdrawn' })
  const open = (time: string) => takeBack(office.at('10:31:00'), lot, { reason: 'x', closesAt: office.at(time).now })
  assert.equal(await reasonOf(open('11:59:59')), 'closes_at')
  await open('12:00:00')
  assert.equal((await read(lot)).closes_at, '2099-05-08T12:00:00.000Z')
})

test('after the end a correction needs to be said, and a reason; bids never begin again', async () => {
  const { session, lots } = await office.loadSale()
  const lot = lots[0]!
  await record('12:00:00', lot, { state: 'unsold' })
  await changeSession(office.at('12:01:00'), session, { finished: true })
  const why = { correct: true, reason: 'typed wrongly' }
  assert.equal(await reasonOf(record('12:02:00', lot, { amount: 100 })), 'has_result')
  assert.equal(await reasonOf(record('12:02:00', lot, { amount: 100, correct: true })), 'reason')
  await record('12:02:00', lot, { amount: 6000, ...why })
  assert.equal(await stateOf(lot), 'sold')
  const open = (more: object) => takeBack(office.at('12:03:00'), lot, { reason: 'x', ...more })
  assert.equal(await reasonOf(open({})), 'finished')
  assert.equal(await reasonOf(open({ correct: true, closesAt: office.at('13:00:00').now })), 'finished')
  await open({ correct: true })
  assert.equal(await resultOf(lot), null)
})

test('in a live session each result replaces the one before until the end, active or not', async () => {
  const { session, lots } = await office.loadSale({ ...live, customer_bidding_enabled: false }, [
    { ...noTimes, active: false },
  ])
  const lot = lots[0]!
  assert.equal(await reasonOf(record('09:59:59', lot, { amount: 1000 })), 'not_open')
  await record('10:00:00', lot, { state: 'unsold' })
  await record('10:05:00', lot, { amount: 1000 })
  await record('10:06:00', lot, { state: 'withdrawn' })
  await record('10:07:00', lot, { amount: 2000 })
  assert.deepEqual((await resultOf(lot))!.amount, eur(2000))
  await changeSession(office.at('13:00:00'), session, { finished: true })
  assert.equal(await reasonOf(record('13:01:00', lot, { amount: 3000 })), 'has_result')
})

test('an unsold lot is sold after the sale, also after the end and below the highest bid; no other lot is', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  const [lot, other] = lots as [string, string]
  await bid('11:00:00', lot, 9000)
  assert.equal(await reasonOf(record('12:30:00', lot, { after_sale: true, amount: 100 })), 'without_result')
  await record('12:30:00', lot, { state: 'unsold' })
  await record('12:30:00', other, { state: 'withdrawn' })
  await changeSession(office.at('12:31:00'), session, { finished: true })
  await record('12:32:00', lot, { after_sale: true, amount: 8000 })
  assert.deepEqual(await resultOf(lot), {
    state: 'sold',
    amount: eur(8000),
    at: '2099-05-08T12:32:00.000Z',
    after_sale: true,
    with: null,
  })
  const why = { correct: true, reason: 'x' }
  assert.equal(await reasonOf(record('12:33:00', other, { after_sale: true, amount: 1, ...why })), 'withdrawn')
})

test('a lot is sold together with another one, which has the price and cannot be taken back meanwhile', async () => {
  const { lots } = await office.loadSale(live, [noTimes, noTimes, noTimes])
  const [first, second, third] = lots as [string, string, string]
  const foreign = (await office.loadSale(live, [noTimes])).lots[0]!
  await record('11:00:00', foreign, { amount: 1000 })
  assert.equal(await reasonOf(record('11:00:00', second, { with: first })), 'with')
  assert.equal(await reasonOf(record('11:00:00', second, { with: foreign })), 'with')
  assert.equal(await reasonOf(record('11:00:00', first, { with: first })), 'with')
  // One list may have both.
  await recordResults(office.at('11:00:00'), {
    results: [
      { lot: first, state: 'sold', amount: 5000 },
      { lot: second, state: 'sold', with: first },
    ],
  })
  assert.equal(await reasonOf(record('11:00:00', third, { with: first, amount: 100 })), 'amount')
  assert.equal(await reasonOf(record('11:00:00', third, { with: second })), 'with')
  const shown = await resultOf(second)
  assert.deepEqual([shown!.amount, shown!.with], [null, `lot_${first}`])
  assert.equal(await reasonOf(takeBack(office.at('11:01:00'), first, { reason: 'x' })), 'in_use')
  assert.equal(await reasonOf(record('11:01:00', first, { state: 'unsold' })), 'in_use')
  await record('11:01:00', first, { amount: 6000 })
  await takeBack(office.at('11:02:00'), second, { reason: 'x' })
  await takeBack(office.at('11:02:00'), first, { reason: 'x' })
  assert.equal(await resultOf(first), null)
})

test('one list frees a carried lot and changes its carrier, in any order of the list, or nothing', async () => {
  const { session, lots } = await office.loadSale(live, [noTimes, noTimes, noTimes])
  const [first, second, third] = lots as [string, string, string]
  await recordResults(office.at('11:00:00'), {
    results: [
      { lot: second, state: 'sold', with: first },
      { lot: third, state: 'sold', with: first },
      { lot: first, state: 'sold', amount: 5000 },
    ],
  })
  const decide = (results: LotDecision[]) => recordResults(office.at('11:01:00'), { session, results })
  const before = await office.snapshot()
  const isPassed = { lot: first, state: 'unsold' } as const
  assert.equal(await reasonOf(decide([isPassed, { lot: second, state: 'sold', amount: 900 }])), 'in_use')
  assert.equal(await reasonOf(decide([isPassed, { lot: second, state: 'sold', with: first }])), 'in_use')
  assert.deepEqual(await office.snapshot(), before)
  // The carrier passes, and another lot carries the third.
  await decide([isPassed, { lot: third, state: 'sold', with: second }, { lot: second, state: 'sold', amount: 900 }])
  const withs = async () => Promise.all(lots.map(async (lot) => [await stateOf(lot), (await resultOf(lot))!.with]))
  assert.deepEqual(await withs(), [
    ['unsold', null],
    ['sold', null],
    ['sold', `lot_${second}`],
  ])
  // Both change places.
  await decide([
    { lot: second, state: 'sold', with: third },
    { lot: third, state: 'sold', amount: 950 },
  ])
  assert.deepEqual(await withs(), [
    ['unsold', null],
    ['sold', `lot_${third}`],
    ['sold', null],
  ])
  assert.equal(await reasonOf(takeBack(office.at('11:02:00'), third, { reason: 'x' })), 'in_use')
  await takeBack(office.at('11:02:00'), second, { reason: 'x' })
  await takeBack(office.at('11:02:00'), third, { reason: 'x' })
})

test('of a list with one wrong result, nothing is recorded, and each wrong one is named', async () => {
  const { lots } = await office.loadSale({}, [{}, {}, {}])
  const before = await office.snapshot()
  const decisions: LotDecision[] = [
    { lot: lots[0]!, state: 'unsold' },
    { lot: lots[0]!, state: 'unsold' },
    { lot: '00000000-0000-4000-8000-00000000dead', state: 'unsold' },
    { lot: lots[2]!, state: 'unsold', after_sale: true },
  ]
  const error = (await recordResults(office.at('13:00:00'), { results: decisions }).catch(
    (each: unknown) => each,
  )) as Problem
  assert.deepEqual(
    error.errors!.map(({ index }) => index),
    [1, 2, 3],
  )
  assert.deepEqual(await office.snapshot(), before)
})

test('staff record what the bids say for closed lots; held ones stay, unless they are said to be unsold', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}, {}, { active: false }, {}])
  const [sold, unsold, held, except, inactive, open] = lots as [string, string, string, string, string, string]
  for (const lot of [sold, held, except]) await bid('11:00:00', lot, 7000)
  await changeLots(office.at('11:00:00'), [{ lot: held, held: true }])
  const choose = { except: [except] }
  const recorded = await recordResults(office.at('12:04:00'), { session: session, ...choose })
  assert.deepEqual([recorded.changed, recorded.held], [2, 1])
  const states = async () => Promise.all([sold, unsold, held, except, inactive, open].map(stateOf))
  assert.deepEqual(await states(), ['sold', 'unsold', undefined, undefined, undefined, undefined])
  assert.equal((await recordResults(office.at('12:04:30'), { session: session, ...choose })).changed, 0)
  assert.equal(await reasonOf(recordResults(office.at('12:04:30'), { session: session, unsold: [open] })), 'not_closed')
  assert.equal(await reasonOf(recordResults(office.at('12:04:30'), { session: session, unsold: [sold] })), 'has_result')
  await recordResults(office.at('12:04:30'), { session: session, unsold: [held] })
  assert.deepEqual(await states(), ['sold', 'unsold', 'unsold', 'sold', undefined, undefined])
  const inRoom = await office.loadSale(live, [noTimes])
  assert.match(await refusal(recordResults(office.at('13:00:00'), { session: inRoom.session })), /come from the room/)
})

const print: Print = (names) => createPrinter(names, { utc: true })

async function takeFile(session: string, text: string, why: object = {}) {
  const file = await readResults({ name: 'r.csv', stream: Readable.from([Buffer.from(text)]), directory: '' }, {})
  return {
    ignored: file.ignored,
    ...(await recordResultsOfFile(office.at('13:00:00'), session, file, why, print)),
  }
}

test('a file records results, all or none, and says which columns it does not store', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}, {}])
  await bid('11:00:00', lots[0]!, 7000)
  const text = 'number;state;amount;paddle;currency\n1;sold;75,00;12;EUR\n2;Unsold;;;\n3;withdrawn;;;\n'
  const taken = await takeFile(session, text)
  assert.deepEqual([taken.changed, taken.ignored], [3, ['paddle']])
  assert.deepEqual(await Promise.all(lots.map(stateOf)), ['sold', 'unsold', 'withdrawn', undefined])
  assert.deepEqual((await resultOf(lots[0]!))!.amount, eur(7500))
  assert.equal((await takeFile(session, text)).changed, 0)

  const problems = async (csv: string) => {
    const before = await office.snapshot()
    const error = await takeFile(session, csv).catch((each: unknown) => each)
    assert.ok(error instanceof CommandError, String(error))
    assert.deepEqual(await office.snapshot(), before)
    return error.problems
  }
  assert.deepEqual(await problems('number,state,amount\n1,unsold,\n2,unsold,\n'), [
    'r.csv:2: number: the lot 1 is sold already: say --correct to replace that',
  ])
  assert.deepEqual(
    await problems('number,state,amount,currency\n4,sold,USD 450,\n4,unsold,"1,00",\n9,sold,,\n4,sold,,USD\n').then(
      (all) => all.map((problem) => problem.replace(/: .*$/, '')),
    ),
    ['r.csv:2', 'r.csv:3', 'r.csv:3', 'r.csv:4', 'r.csv:5', 'r.csv:5'],
  )
  assert.deepEqual(await problems('number,state,amount\n4,gone,\n'), [
    'r.csv:2: state: "gone" is not a result: sold, unsold, withdrawn',
  ])
  await takeFile(session, 'number,state,amount\n1,sold,"80,00"\n', { correct: true })
  assert.deepEqual((await resultOf(lots[0]!))!.amount, eur(8000))
})

test('a row of a file that differs from a result of a live session is a problem without --correct; one that repeats a sale after the sale, or together, is not', async () => {
  const { session, lots } = await office.loadSale(live, [noTimes, noTimes, noTimes])
  const [first, second, third] = lots as [string, string, string]
  await record('11:00:00', first, { amount: 5000 })
  await record('11:00:00', second, { with: first })
  await record('11:00:00', third, { state: 'unsold' })
  await record('11:05:00', third, { amount: 3000, after_sale: true })
  const before = await office.snapshot()
  const same = 'number,state,amount\n1,sold,"50,00"\n2,sold,\n3,sold,"30,00"\n'
  assert.equal((await takeFile(session, same)).changed, 0)
  const other = 'number,state,amount\n1,sold,"51,00"\n3,unsold,\n'
  const error = await takeFile(session, other).catch((each: unknown) => each)
  assert.ok(error instanceof CommandError, String(error))
  assert.equal(error.problems.length, 2)
  assert.match(
    error.problems.join('\n'),
    /^r\.csv:2: number: the lot 1 is sold already.*\nr\.csv:3: number: the lot 3 is sold already/,
  )
  assert.deepEqual(await office.snapshot(), before)
  assert.equal((await takeFile(session, other, { correct: true })).changed, 2)
  assert.deepEqual((await resultOf(first))!.amount, eur(5100))
})

test('a file of 500 results is recorded, and its repetition changes nothing', async () => {
  const many = Array.from({ length: 500 }, () => noTimes)
  const { session, lots } = await office.loadSale(live, many)
  const rows = lots.map(
    (_, index) => `${index + 1},${index % 3 ? 'sold' : 'unsold'},${index % 3 ? `"${index},00"` : ''}`,
  )
  const text = `number,state,amount\n${rows.join('\n')}\n`
  assert.equal((await takeFile(session, text)).changed, 500)
  assert.equal((await takeFile(session, text)).changed, 0)
  assert.deepEqual((await resultOf(lots[499]!))!.amount, eur(49_900))
})

test('a cancelled bid stays, marked, and is not counted; the highest one left is current, and the close stays', async () => {
  const { session, lots } = await office.loadSale()
  const lot = lots[0]!
  await bid('11:00:00', lot, 5000)
  await bid('11:59:00', lot, 9000)
  const closes = (await read(lot)).closes_at
  const bids = await listBids(office.at('11:59:00'), lot)
  const cancel = (index: number, time = '11:59:30') =>
    cancelBid(office.at(time), { bid: bids[index]!.id!, reason: 'a wrong paddle' })
  for (const { id } of bids) assert.match(id!, /^bid_[0-9a-f-]{36}$/)
  await cancel(1)
  const shown = await read(lot)
  assert.deepEqual([shown.current_bid, shown.closes_at], [eur(5000), closes])
  assert.deepEqual(
    (await listLots(office.at('11:59:30'), { session })).map((each) => each.bids),
    [1],
  )
  const snapshot = await office.snapshot()
  await cancel(1, '11:59:40')
  assert.deepEqual(await office.snapshot(), snapshot)
  const [, marked] = await listBids(office.at('11:59:00'), lot)
  assert.deepEqual([marked!.cancelled_at, marked!.cancel_reason], ['2099-05-08T11:59:30.000Z', 'a wrong paddle'])
  await cancelBid(office.at('11:59:30'), { bid: bids[0]!.id!.slice(4), reason: 'by its bare id' })
  assert.equal((await read(lot)).current_bid, null)
  assert.equal((await office.patch(`lots/${lot}`, { active: false })).status, 409)
  await bid('12:00:30', lot, 5000)
  await record('12:30:00', lot, {})
  const [first] = await listBids(office.at('12:30:00'), lot)
  assert.notEqual(first!.cancelled_at, null)
  const last = (await listBids(office.at('12:30:00'), lot)).at(-1)!
  assert.equal(await reasonOf(cancelBid(office.at('12:31:00'), { bid: last.id!, reason: 'x' })), 'has_result')
  assert.match(await refusal(cancelBid(office.at('12:31:00'), { bid: 'nonsense', reason: 'x' })), /there is no bid/)
})

test('the end is refused while an active timed lot is open, or a lot lacks its result, unless both are accepted', async () => {
  const { session, lots } = await office.loadSale({}, [{}, { active: false }])
  const finish = (time: string, options = {}) => changeSession(office.at(time), session, { finished: true }, options)
  const details = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      const { reason, count } = (error as Problem).causes[0]!
      return { reason, count }
    })
  assert.deepEqual(await details(finish('11:00:00', { allowWithoutResult: true })), { reason: 'not_closed', count: 1 })
  assert.deepEqual(await details(finish('11:00:00', { early: true })), { reason: 'without_result', count: 2 })
  await record('11:00:00', lots[0]!, { state: 'withdrawn' })
  assert.deepEqual(await details(finish('11:00:00')), { reason: 'without_result', count: 1 })
  assert.match((await finish('11:00:00', all)).json, /"finished":true/)
})

test('who records the results of a session is settled when it opens', async () => {
  const { session } = await office.loadSale()
  await changeSession(office.at('09:59:59'), session, { results: 'automatic' })
  const late = () => changeSession(office.at('10:00:00'), session, { results: 'by-staff' })
  assert.deepEqual(
    [await reasonOf(late()), await refusal(late())],
    ['opens_soon', `the session ses_${session} has opened`],
  )
  await changeSession(office.at('10:00:00'), session, { results: 'automatic' })
})

test('an opening that changes in the same write decides who may still record the results', async () => {
  const { session } = await office.loadSale({ published: false, customer_bidding_enabled: false })
  const move = (opening: string) =>
    changeSession(office.at('11:00:00'), session, {
      results: 'automatic',
      terms: { opens_at: at(opening).toISOString() },
    })
  assert.deepEqual(
    [await reasonOf(move('10:30:00')), await refusal(move('10:30:00'))],
    ['opens_soon', `with its new opening, the session ses_${session} has opened: name a later one`],
  )
  assert.match((await move('11:30:00')).json, /"opens_at":"2099-05-08T11:30/)
  assert.equal(await reasonOf(changeSession(office.at('11:30:00'), session, { results: 'by-staff' })), 'opens_soon')
})

test('a notice is stored by language until the lot has a result', async () => {
  const { lots } = await office.loadSale()
  const lot = lots[0]!
  const notice = async (texts: object) => {
    await changeLot(office.at('11:00:00'), lot, { notices: texts })
    const shown = await read(lot)
    return [shown.notice, shown.notice_translations]
  }
  assert.deepEqual(await notice({ en: 'not signed' }), [null, { en: 'not signed' }])
  assert.deepEqual(await notice({ nl: 'niet gesigneerd', en: null }), ['niet gesigneerd', { nl: 'niet gesigneerd' }])
  assert.equal(await reasonOf(notice({ nl: ' ' })), 'notice_translations.nl')
  await record('12:00:00', lot, { state: 'unsold' })
  assert.equal(await reasonOf(notice({ nl: null })), 'has_result')
})

test('a late lot of a live session comes last and is active; an item that is sold or offered is not added unless asked', async () => {
  const item = randomUUID()
  await office.load([houseLine('house'), { type: 'item', id: item, title: 'x' }])
  const { session, lots } = await office.loadSale(live, [{ ...noTimes, item }])
  const lot = { session, item, starting_bid: null, active: true }
  assert.match(
    await refusal(addLots(office.at('11:00:00'), [lot])),
    /^the item itm_\S+ is in the lot lot_.*: say --again/,
  )
  assert.match(
    await refusal(addLots(office.at('09:00:00'), [{ ...lot, again: true }])),
    /^the session ses_\S+ opens at/,
  )
  const added = JSON.parse((await addLots(office.at('11:00:00'), [{ ...lot, again: true }]))[0]!) as Decided & {
    lot_number: number
  }
  assert.deepEqual([added.lot_number, added.active], [2, true])
  await record('11:00:00', lots[0]!, { amount: 100 })
  assert.match(await refusal(addLots(office.at('11:00:00'), [lot])), /^the item itm_\S+ is sold as the lot/)
})

test('clerks at once on one lot leave one result, and a bid never comes after it', async () => {
  const { lots } = await office.loadSale()
  const lot = lots[0]!
  let others: PromiseSettledResult<unknown>[] = []
  const [first] = await office.whileLocked<unknown>(
    (tx) => lockRecord(tx, 'lots', lot),
    () => bid('11:59:59', lot, 8000),
    async () => {
      others = await Promise.allSettled([
        record('12:03:00', lot, {}),
        record('12:03:00', lot, { state: 'unsold' }),
        bid('11:59:59', lot, 9000),
      ])
    },
  )
  const shown = await read(lot)
  const bids = await office.bidsOn(lot)
  const highest = bids.length === 0 ? null : eur(Math.max(...bids.map(({ amount }) => amount)))
  assert.deepEqual(shown.current_bid, highest)
  assert.notEqual(shown.result, null)
  if (shown.result!.state === 'sold') assert.deepEqual(shown.result!.amount, highest)
  assert.ok(bids.every(({ placed_at }) => placed_at.toISOString() <= shown.result!.at))
  assert.ok([first!, ...others].some(({ status }) => status === 'rejected'))
})
