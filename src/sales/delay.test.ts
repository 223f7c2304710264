import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { houseLine } from '../../test/support/lines.ts'
import { at, openSaleHouse, refusal } from '../../test/support/sale-house.ts'
import { placeBid } from '../lots/bids.ts'
import { delaySession } from './delay.ts'
import { changeSession } from './sessions.ts'

const office = await openSaleHouse()
after(() => office.close())

const delay = (clock: string, session: string, seconds = 1800) =>
  delaySession(office.at(clock), session, { seconds, reason: 'storing' })
const timesOf = async (lots: string[]) =>
  Promise.all(
    lots.map(async (lot) => {
      const { closes_at, timed } = await office.read(`lots/${lot}`)
      return [closes_at, timed?.scheduled_closes_at].map((time) => time?.slice(11, 19))
    }),
  )

test('lots that have not closed move by the same time, with bids and extensions; closed ones stay', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}])
  await placeBid(office.at('12:00:30'), { lot: lots[1]!, amount: 5000 })
  await delay('12:00:40', session)
  assert.deepEqual(await timesOf(lots), [
    ['12:00:00', '12:00:00'],
    ['12:32:30', '12:31:00'],
    ['12:32:00', '12:32:00'],
  ])
  const { rows } = await sql<{ reason: string; changes: string }>`
    select reason, changes::text as changes from catalogue.journal where record = ${session} order by at desc limit 1`.execute(
    office.db,
  )
  assert.equal(rows[0]!.reason, 'storing')
  assert.match(rows[0]!.changes, /"delayed_seconds"[^}]*1800/)
  const changed = (JSON.parse(rows[0]!.changes) as { record: string; field: string }[])
    .filter(({ field }) => field === 'closes_at')
    .map(({ record }) => record.slice(-36))
  assert.deepEqual(changed.toSorted(), [lots[1]!, lots[2]!].map((lot) => lot.slice(-36)).toSorted())
})

test('before the first close the schedule of the session moves too', async () => {
  const { session, lots } = await office.loadSale({}, [{}])
  const { json } = await delay('09:58:00', session, 60)
  const { timed } = JSON.parse(json) as { timed: { first_closes_at: string } }
  assert.equal(timed.first_closes_at, at('12:01:00').toISOString())
  assert.deepEqual(await timesOf(lots), [['12:01:00', '12:01:00']])
})

test('no time moves beyond the last that an answer can print', async () => {
  const last = '9999-12-31T23:59:59.000Z'
  const timed = { first_closes_at: '9999-12-01T00:00:00Z', group_size: 1, interval_seconds: 60 }
  const close = { closes_at: '9999-12-31T23:59:59.999Z', scheduled_closes_at: timed.first_closes_at }
  const sale = await office.loadSale({ timed }, [close, { ...close, scheduled_closes_at: null }])
  const { json } = await delay('11:00:00', sale.session, 31 * 24 * 60 * 60)
  assert.equal((JSON.parse(json) as { timed: { first_closes_at: string } }).timed.first_closes_at, last)
  const [lot, unscheduled] = await Promise.all(sale.lots.map((each) => office.read(`lots/${each}`)))
  assert.deepEqual([lot!.closes_at, lot!.timed?.scheduled_closes_at], [close.closes_at, last])
  assert.deepEqual([unscheduled!.closes_at, unscheduled!.timed?.scheduled_closes_at], [close.closes_at, null])
})

test('a finished session, and one whose lots have all closed, are not delayed', async () => {
  const { session } = await office.loadSale()
  const before = await office.snapshot()
  assert.match(await refusal(delay('12:00:00', session)), /have closed/)
  assert.deepEqual(await office.snapshot(), before)
  await changeSession(office.at('12:00:00'), session, { finished: true }, { early: true, allowWithoutResult: true })
  assert.match(await refusal(delay('11:00:00', session)), /is finished/)
})

test('a bid under way extends its lot first, and the delay comes on top', async () => {
  const { session, lots } = await office.loadSale()
  const outcomes = await office.whileLocked<unknown>(
    (tx) => sql`lock table catalogue.bids in share mode`.execute(tx),
    () => placeBid(office.at('11:59:30'), { lot: lots[0]!, amount: 5000 }),
    () => delay('11:59:40', session, 600),
  )
  assert.ok(
    outcomes.every(({ status }) => status === 'fulfilled'),
    JSON.stringify(outcomes),
  )
  assert.deepEqual(await timesOf(lots), [['12:11:30', '12:10:00']])
})

test('a live session closes later as a whole, and its lots are shown as changed', async () => {
  const live = { kind: 'live', timed: null, live: { closes_at: at('12:00:00').toISOString() } }
  const { session, lots } = await office.loadSale(live, [{ closes_at: null, scheduled_closes_at: null }])
  await changeSession(office.at('08:00:00'), session, { terms: { live: { closes_at: at('13:00:00').toISOString() } } })
  const prepared = await office.read(`lots/${lots[0]}`)
  assert.deepEqual(
    [prepared.closes_at, prepared.updated_at],
    [at('13:00:00').toISOString(), at('08:00:00').toISOString()],
  )
  await delay('11:00:00', session)
  const delayed = await office.read(`lots/${lots[0]}`)
  assert.deepEqual(
    [delayed.closes_at, delayed.updated_at],
    [at('13:30:00').toISOString(), at('11:00:00').toISOString()],
  )
})

test('POST /staff/v1/sessions/{id}/delay delays, and neither a rehearsal nor a key of another house does', async () => {
  const { session, lots } = await office.loadSale()
  await office.load([houseLine('other')])
  const [key, foreign] = [await office.issueKey('house'), await office.issueKey('other')]
  const url = `/staff/v1/sessions/${session}/delay`
  const post = (body: unknown, path = url, as = key) => office.request({ method: 'POST', url: path, key: as, body })
  const body = { seconds: 60, reason: 'storing' }
  const before = await office.snapshot()
  assert.equal((await post(body, `${url}?dry_run=true`)).statusCode, 200)
  assert.equal((await post(body, url, foreign)).statusCode, 404)
  assert.equal((await post({ seconds: -60, reason: 'x' })).statusCode, 422)
  assert.equal((await post({ seconds: 60 })).statusCode, 422)
  assert.deepEqual(await office.snapshot(), before)
  assert.equal((await post(body)).statusCode, 200)
  assert.deepEqual(await timesOf(lots), [['12:01:00', '12:01:00']])
})
