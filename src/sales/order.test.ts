import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur, houseLine } from '../../test/support/lines.ts'
import { at, openSaleHouse, reasonOf, describeRefusal, type ShownLot } from '../../test/support/sale-house.ts'
import { lockRecord } from '../../test/support/locks.ts'
import { placeBid } from '../lots/bids.ts'
import { changeLot } from '../lots/changes.ts'
import { addLots } from '../lots/adding.ts'
import { planOrder } from '../cli/files/order-file.ts'
import { renumberLots } from './order.ts'
import type { CommandError } from '../cli/command-error.ts'
import { changeSession } from './sessions.ts'

const office = await openSaleHouse()
after(() => office.close())

const now = office.at('08:00:00')
const inOrder = (lots: string[], from = 1) => lots.map((lot, index) => ({ lot, lot_number: from + index }))
const read = (lot: string) => office.read<ShownLot & { lot_number: number; starting_bid: unknown }>(`lots/${lot}`)
const numbersOf = async (lots: string[]) => Promise.all(lots.map(async (lot) => (await read(lot)).lot_number))
const closesOf = async (lots: string[]) =>
  Promise.all(lots.map(async (lot) => (await read(lot)).closes_at?.slice(11, 16)))

test('lots swap their numbers in one write, their closing times follow, and the journal has one row', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}])
  const [one, two, three] = lots as [string, string, string]
  await renumberLots(now, session, inOrder([three, one, two]))
  assert.deepEqual(await numbersOf(lots), [2, 3, 1])
  assert.deepEqual(await closesOf(lots), ['12:01', '12:02', '12:00'])
  const before = await office.snapshot()
  await renumberLots(office.at('11:00:00'), session, inOrder([three, one, two]))
  assert.deepEqual(await office.snapshot(), before, 'a repetition changes nothing, in any state')
  const { rows } = await sql<{ changes: string }>`
    select changes::text as changes from catalogue.journal where record = ${session}`.execute(office.db)
  assert.equal(rows.length, 1)
  assert.equal((JSON.parse(rows[0]!.changes) as unknown[]).length, 3)
})

test('a lot gets a free number, and its close, while the session is in preparation', async () => {
  const { lots } = await office.loadSale({}, [{}, {}])
  await changeLot(now, lots[0]!, { lot_number: 9 })
  assert.deepEqual(await numbersOf(lots), [9, 2])
  assert.deepEqual(await closesOf(lots), ['12:01', '12:00'])
  const before = await office.snapshot()
  assert.equal(await reasonOf(changeLot(now, lots[0]!, { lot_number: 2 })), 'number_taken')
  assert.equal(await reasonOf(changeLot(office.at('09:55:01'), lots[0]!, { lot_number: 8 })), 'opens_soon')
  assert.deepEqual(await office.snapshot(), before)
  await placeBid(office.at('11:00:00'), { lot: lots[1]!, amount: 5000 })
  assert.equal(await reasonOf(changeLot(now, lots[0]!, { lot_number: 8 })), 'has_bids')
  await changeLot(office.at('11:00:00'), lots[0]!, { starting_bid: 6000 })
  assert.deepEqual((await read(lots[0]!)).starting_bid, eur(6000))
  assert.equal(await reasonOf(changeLot(office.at('11:00:00'), lots[1]!, { starting_bid: 1 })), 'has_bids')
})

test('fixed numbers stay until they are no longer fixed', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  await changeSession(now, session, { numbers_fixed: true })
  const before = await office.snapshot()
  assert.equal(await reasonOf(changeLot(now, lots[0]!, { lot_number: 7 })), 'numbers_fixed')
  assert.equal(await reasonOf(renumberLots(now, session, inOrder(lots, 5))), 'numbers_fixed')
  await changeLot(now, lots[0]!, { lot_number: 1 })
  assert.deepEqual(await office.snapshot(), before)
  await changeSession(now, session, { numbers_fixed: false })
  await renumberLots(now, session, inOrder(lots, 5))
  assert.deepEqual(await numbersOf(lots), [5, 6])
})

test('an order that lacks a lot, names one twice, an archived or a foreign one changes nothing', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}])
  const other = await office.loadSale({}, [{}])
  await changeLot(now, lots[2]!, { archived: true })
  const [one, two, archived] = lots as [string, string, string]
  const before = await office.snapshot()
  const refused = (order: string[]) => reasonOf(renumberLots(now, session, inOrder(order, 4)))
  assert.equal(await refused([one]), 'lots')
  assert.equal(await refused([one, two, one]), 'lots.2')
  assert.equal(await refused([one, archived, two]), 'lots.1')
  assert.equal(await refused([one, two, other.lots[0]!]), 'lots.2')
  assert.deepEqual(await office.snapshot(), before)
  await renumberLots(now, session, inOrder([two, one], 3))
})

test('two renumberings, and a lot that is added meanwhile, leave each number to one lot', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}])
  const [one, two, three] = lots as [string, string, string]
  const renumber = (order: string[], from: number) => () => renumberLots(now, session, inOrder(order, from))
  const add = (lot_number: number) => () =>
    addLots(now, [{ session, item: office.ids.item, lot_number, starting_bid: null, again: true }])
  const race = async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
    const outcomes = await office.whileLocked((tx) => lockRecord(tx, 'sessions', session), first, second)
    return outcomes.map((outcome) => (outcome.status === 'rejected' ? describeRefusal(outcome.reason) : 'done'))
  }
  assert.deepEqual(await race(renumber([three, two, one], 1), renumber([two, three, one], 2)), ['done', 'done'])
  assert.deepEqual(await numbersOf(lots), [4, 2, 3])
  const [renumbered, late] = await race(renumber([three, two, one], 5), add(7))
  assert.equal(renumbered, 'done')
  assert.match(late!, /the session has a lot 7 already/)
  const [added, lacking] = await race(add(8), renumber([one, two, three], 6))
  assert.equal(added, 'done')
  assert.match(lacking!, /these are missing: 8$/)
  assert.deepEqual(await numbersOf(lots), [7, 6, 5])
})

test('a renumbering waits for a first bid, and is refused then', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  const outcomes = await office.whileLocked<unknown>(
    (tx) => lockRecord(tx, 'lots', lots[0]!),
    () => placeBid(office.at('11:00:00'), { lot: lots[0]!, amount: 5000 }),
    () => renumberLots(now, session, inOrder(lots.toReversed())),
  )
  assert.equal(outcomes[0]!.status, 'fulfilled')
  assert.match(describeRefusal(outcomes[1]!.status === 'rejected' && outcomes[1]!.reason), /has had a bid/)
  assert.deepEqual(await numbersOf(lots), [1, 2])
})

test('a file orders lots by reference, id or present number, and a second column keeps gaps', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  const other = '00000000-0000-4000-8000-00000000aaaa'
  await office.load([houseLine('house'), { type: 'item', id: other, external_reference: 'V-7', title: 'Klok' }])
  await addLots(now, [{ session, item: other, lot_number: 3, starting_bid: null }])
  const plan = (text: string) =>
    planOrder(now, session, { name: 'order', stream: Readable.from([Buffer.from(text)]), directory: '' })
  const numbers = async (text: string) => (await plan(text)).map(({ old, lot_number }) => [old, lot_number])
  assert.deepEqual(await numbers(`V-7\n2\nlot_${lots[0]}\n`), [
    [3, 1],
    [2, 2],
    [1, 3],
  ])
  assert.deepEqual(await numbers(`\uFEFFLot;Number\r\nV-7;10\r\n1;20\r\n2;21\r\n`), [
    [3, 10],
    [1, 20],
    [2, 21],
  ])
  const problems = async (text: string) =>
    plan(text).then(
      () => assert.fail('it was read'),
      (error: unknown) => (error as CommandError).problems,
    )
  assert.deepEqual(await problems('1\nV-8\n1\n'), [
    'order:2: lot: the session has no lot "V-8", by number, item or id',
    'order:3: lot: line 1 has the lot 1 too',
    'order: these lots are missing: 2, 3',
  ])
  assert.deepEqual(await problems('1,5\n2,5\n3,\n'), [
    'order:2: number: line 1 has the number 5 too',
    'order:3: number: "" is not a lot number',
  ])
  assert.match((await problems('I-1\nV-7\n'))[0]!, /^order:1: lot: "I-1" may be the lots 1 /)
})

test('PATCH /staff/v1 numbers lots as commands do; a rehearsal and a key of another house change nothing', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  await office.load([houseLine('other')])
  const [key, foreign] = [await office.issueKey('house'), await office.issueKey('other')]
  const url = `/staff/v1/sessions/${session}/order`
  const patch = (body: unknown, path = url, as = key) => office.request({ method: 'PATCH', url: path, key: as, body })
  const body = { lots: lots.toReversed().map((lot) => `lot_${lot}`), from: 8 }
  const before = await office.snapshot()
  assert.equal((await patch(body, `${url}?dry_run=true`)).statusCode, 200)
  assert.equal((await patch(body, url, foreign)).statusCode, 404)
  const lacking = await patch({ lots: [`lot_${lots[0]}`] })
  assert.equal(lacking.statusCode, 422)
  assert.equal((await patch({ ...body, from: 2_147_483_647 })).statusCode, 422)
  assert.deepEqual(await office.snapshot(), before)
  assert.equal((await patch(body)).statusCode, 200)
  assert.deepEqual(await numbersOf(lots), [9, 8])
  const one = await patch({ lot_number: 8 }, `/staff/v1/lots/${lots[0]}`)
  assert.deepEqual([one.statusCode, one.json<{ reason: string }>().reason], [409, 'number_taken'])
  const moved = await patch({ lot_number: 3 }, `/staff/v1/lots/${lots[0]}`)
  assert.equal(moved.json<{ data: { lot_number: number } }>().data.lot_number, 3)
  assert.equal(at('12:00:00').toISOString(), (await read(lots[0]!)).closes_at)
})
