import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur } from '../../test/support/lines.ts'
import { openSaleHouse, refusal } from '../../test/support/sale-house.ts'
import type { Names } from './names.ts'
import type { Printer } from '../sentences.ts'
import { recalculateClosingTimes } from '../lots/closing.ts'
import type { Payloads } from '../jobs/queue.ts'
import { chooseLots, findLotsOfFile, switchLots } from './chosen-lots.ts'
import { readNumberedLots } from './files/lot-file.ts'
import { CommandError, createPrinter } from './command-error.ts'
import { addLots } from '../lots/adding.ts'

const office = await openSaleHouse()
after(() => office.close())
const now = office.at('08:00:00')
const inactive = (count: number) => Array.from({ length: count }, () => ({ active: false, closes_at: null }))

const change = (uuids: string[], active = true, context = now) => switchLots(context, { uuids }, active)
const areActive = (lots: string[]) => Promise.all(lots.map(async (lot) => (await office.read(`lots/${lot}`)).active))

async function recalculations(session: string): Promise<Payloads['recalculate_session'][]> {
  const { rows } = await sql<{ payload: Payloads['recalculate_session'] }>`
    select j.payload from graphile_worker._private_jobs j join catalogue.sessions s on s.id::text = j.payload ->> 'session'
    where s.public_id = ${session}`.execute(office.db)
  return rows.map(({ payload }) => payload)
}

const print = (names: Names): Printer => createPrinter(names, { utc: true })

function chooseFromFile(text: string) {
  const announced: string[] = []
  const source = { name: 'lots', stream: Readable.from([Buffer.from(text)]), directory: '' }
  const announce = ({ uuid }: { uuid: string }, lots: number) => announced.push(`${uuid} ${lots}`)
  const found = readNumberedLots(source).then((file) => findLotsOfFile(now, file, announce, print))
  return found.then((chosen) => ({ chosen, announced }))
}

test('lots are switched on together, and the closing times of their session follow', async () => {
  const { session, lots } = await office.loadSale({}, [...inactive(3), {}])
  const { documents, changed } = await change(lots)
  assert.equal(changed, 3)
  assert.deepEqual(
    documents.map((json) => JSON.parse(json) as unknown),
    await Promise.all(lots.map((lot) => office.read(`lots/${lot}`))),
  )
  assert.deepEqual(await areActive(lots), [true, true, true, true])
  const [payload] = await recalculations(session)
  await recalculateClosingTimes(
    { db: office.db, media: office.media, isLastAttempt: false, clock: () => now.now },
    payload!,
  )
  assert.equal((await office.read(`lots/${lots[3]}`)).closes_at, '2099-05-08T12:03:00.000Z')
  assert.equal((await change(lots.slice(0, 1), false)).changed, 1)
  assert.deepEqual(await areActive(lots), [false, true, true, true])
})

test('the conditions of the interface hold, and one lot that does not meet them keeps all unchanged', async () => {
  const right = await office.loadSale({}, inactive(2))
  const wrong: [session: Record<string, unknown>, lot: Record<string, unknown>, message: RegExp][] = [
    [{ finished: true }, {}, /^the session ses_.* is finished$/],
    [{ opens_at: null }, {}, /^the session ses_.* has no opening time$/],
    [{ opens_at: office.at('08:04:59').now }, {}, /^the session ses_.* opens in less than five minutes/],
    [{ timed: { first_closes_at: null } }, {}, /^the session ses_.* lacks a first closing time/],
    [{}, { lot_number: null }, /^lot_number is missing in the lot lot_/],
  ]
  for (const [session, lot, message] of wrong) {
    const sale = await office.loadSale(session, [{ active: false, ...lot }])
    const before = await office.snapshot()
    assert.match(await refusal(change([...right.lots, ...sale.lots])), message)
    assert.deepEqual(await office.snapshot(), before)
  }
  const unknown = '00000000-0000-4000-8000-00000000dead'
  assert.equal(await refusal(change([...right.lots, unknown])), `there is no lot lot_${unknown} in the house house`)
  const sold = await office.loadSale({}, inactive(2))
  await office.load([
    { type: 'house', slug: 'house', name: 'house', default_locale: 'nl', currency: 'EUR' },
    { type: 'bid', lot: sold.lots[0], amount: eur(5000) },
  ])
  assert.match(await refusal(change([sold.lots[1]!])), /^a lot of the session ses_.* has had a bid$/)
  assert.deepEqual(await areActive([...right.lots, ...sold.lots]), [false, false, false, false])
})

test('lots are not switched if the five minutes before the opening begin meanwhile', async () => {
  const { lots } = await office.loadSale({}, inactive(2))
  const before = await office.snapshot()
  const context = office.at('09:54:59', () => office.at('09:55:01').now)
  assert.match(await refusal(change(lots, true, context)), /less than five minutes/)
  assert.deepEqual(await office.snapshot(), before)
})

test('the lots of a session are chosen by number, and every range must contain one', async () => {
  const { session, lots } = await office.loadSale({}, [...inactive(4), { active: false, lot_number: 9 }])
  await addLots(now, [{ session, item: office.ids.item, lot_number: -3, starting_bid: null, again: true }])
  const choose = async (...ranges: [first: number, last: number][]) =>
    (
      await chooseLots(
        now,
        session,
        new Map(),
        ranges.map(([first, last]) => ({ first, last })),
      )
    ).uuids
  assert.deepEqual(await choose([2, 3], [9, 9]), [lots[1], lots[2], lots[4]])
  assert.equal((await choose([-3, 9])).length, 6)
  assert.equal((await chooseLots(now, session, new Map())).uuids.length, 6)
  assert.equal(await refusal(choose([1, 2], [5, 8])), `there is no lot ses_${session}/5 to 8`)
  assert.equal(await refusal(choose([7, 7])), `there is no lot ses_${session}/7`)
  const several = `there is no lot ses_${session}/7, nor ses_${session}/5 to 8, nor ses_${session}/10`
  assert.equal(await refusal(choose([7, 7], [1, 4], [5, 8], [10, 10])), several)
  const empty = await office.loadSale({}, [])
  assert.equal(await refusal(chooseLots(now, empty.session, new Map())), `the session ses_${empty.session} has no lots`)
})

test('the file that added lots also switches them on, and a refusal names each wrong line', async () => {
  const { session, lots } = await office.loadSale({}, inactive(2))
  const { chosen, announced } = await chooseFromFile(
    `session,item,number,starting_bid\n${session},I-1,2,5000\nses_${session},I-1,1,\n`,
  )
  assert.deepEqual(chosen.uuids, [lots[1], lots[0]])
  assert.deepEqual(announced, [`${session} 2`])
  assert.equal((await switchLots(now, chosen, true)).changed, 2)

  const wrong = chooseFromFile(`number;session\n1;${session}\n7;${session}\n1;nowhere\n1;${session}\n`)
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof CommandError)
    assert.equal(error.problems.length, 3)
    assert.match(error.problems[0]!, /^lots:3: number: there is no lot [0-9a-f-]{36}\/7$/)
    assert.match(error.problems[1]!, /^lots:4: session: there is no session "nowhere"/)
    assert.match(error.problems[2]!, /^lots:5: number: line 2 has the lot 1 too$/)
    return true
  })
  const finished = await office.loadSale({ finished: true }, inactive(1))
  const late = await chooseFromFile(`{"session":"${session}","number":1}\n{"session":"${finished.session}","number":1}`)
  assert.equal(
    await refusal(switchLots(now, late.chosen, true)),
    `lots:2: session: the session ses_${finished.session} is finished`,
  )
})

test('every lot of a file that prevents a switch is named in the order of the lines, a session by the first of its lots', async () => {
  const ready = await office.loadSale({}, inactive(1))
  const finished = await office.loadSale({ finished: true }, inactive(2))
  const bare = await office.loadSale({}, [{ active: false, lot_number: null }])
  const unknown = '00000000-0000-4000-8000-00000000dead'
  const uuids = [finished.lots[0]!, bare.lots[0]!, ready.lots[0]!, unknown, finished.lots[1]!]
  const file = { name: 'lots', lines: uuids.map((_, index) => index + 1), printer: print(new Map()) }
  await assert.rejects(switchLots(now, { uuids, file }, true), (error) => {
    assert.ok(error instanceof CommandError)
    assert.deepEqual(error.problems, [
      `lots:1: session: the session ses_${finished.session} is finished`,
      `lots:2: number: is missing in the lot lot_${bare.lots[0]}, and needed to switch it on`,
      `lots:4: number: there is no lot lot_${unknown} in the house house`,
    ])
    return true
  })
  assert.deepEqual(await areActive(ready.lots), [false])
})
