import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { changeAuction } from '../auctions/auctions.ts'
import { at, openSaleHouse, refusal } from '../../test/support/sale-house.ts'
import { lockRecord } from '../../test/support/locks.ts'
import { findRecord } from '../cli/names.ts'
import { placeBid } from '../lots/bids.ts'
import { delaySession } from './delay.ts'
import { changeSession, type SessionChange } from './sessions.ts'
import { houseLine } from '../../test/support/lines.ts'

const office = await openSaleHouse()
after(() => office.close())

type Shown = Record<string, unknown> & { updated_at: string }
const unknown = '00000000-0000-4000-8000-00000000dead'

test('publishing an auction only sets the flag, and repeating it changes nothing', async () => {
  const { auction } = await office.loadSale()
  const before = await office.read<Shown>(`auctions/${auction}`)
  assert.equal(before.published, false)
  const published = JSON.parse((await changeAuction(office.at('09:00:00'), auction, { published: true })).json) as Shown
  assert.deepEqual(published, { ...before, published: true, updated_at: '2099-05-08T09:00:00.000Z' })
  assert.deepEqual(await office.read(`auctions/${auction}`), published)
  assert.deepEqual(
    JSON.parse((await changeAuction(office.at('09:30:00'), auction, { published: true })).json),
    published,
  )
  const draft = JSON.parse((await changeAuction(office.at('09:40:00'), auction, { published: false })).json) as Shown
  assert.deepEqual(draft, { ...before, updated_at: '2099-05-08T09:40:00.000Z' })
})

test('every move of a session only sets its flag, and repeating it changes nothing', async () => {
  const { session } = await office.loadSale({ published: false, customer_bidding_enabled: false })
  const moves: SessionChange[] = [
    { published: true },
    { customer_bidding_enabled: true },
    { customer_bidding_enabled: false },
    { customer_bidding_enabled: true },
    { published: false },
    { finished: true },
    { published: true },
    { customer_bidding_enabled: false },
  ]
  let expected = await office.read<Shown>(`sessions/${session}`)
  for (const [index, move] of moves.entries()) {
    const time = `09:0${index}:00`
    const moved = await changeSession(office.at(time), session, move, { early: true, allowWithoutResult: true })
    expected = { ...expected, ...move, updated_at: `2099-05-08T${time}.000Z` }
    assert.deepEqual(JSON.parse(moved.json), expected, JSON.stringify(move))
    assert.deepEqual(await changeSession(office.at('09:59:00'), session, move), moved, `${JSON.stringify(move)} again`)
  }
  const { rows } = await sql<{ revision: string }>`
    select revision from catalogue.sessions where public_id = ${session}`.execute(office.db)
  assert.equal(rows[0]!.revision, String(1 + moves.length))
})

test('a hidden session stays hidden when it is published', async () => {
  const { session } = await office.loadSale({ published: false, hidden: true })
  const published = JSON.parse((await changeSession(office.at('09:00:00'), session, { published: true })).json) as Shown
  assert.equal(published.published, false)
  const patched = await office.patch(`sessions/${session}`, { title: 'Nieuw' })
  assert.equal(patched.status, 409)
})

test('bidding cannot be enabled in a finished session; unknown and archived records are refused; nothing changes', async () => {
  const { session } = await office.loadSale({ finished: true, customer_bidding_enabled: false })
  const enabled = await office.loadSale({ finished: true })
  const archived = await office.loadSale()
  await sql`update catalogue.auctions set archived = true where public_id = ${archived.auction}`.execute(office.db)
  const before = await office.snapshot()
  const now = office.at('09:00:00')
  assert.equal(
    await refusal(changeSession(now, session, { customer_bidding_enabled: true })),
    `the session ses_${session} is finished`,
  )
  assert.match(await refusal(changeSession(now, enabled.session, { customer_bidding_enabled: true })), /is finished$/)
  assert.equal(
    await refusal(changeSession(now, unknown, { published: true })),
    `there is no session ses_${unknown} in the house house`,
  )
  assert.equal(
    await refusal(changeAuction(now, unknown, { published: true })),
    `there is no auction auc_${unknown} in the house house`,
  )
  for (const published of [true, false]) {
    const message = await refusal(changeAuction(now, archived.auction, { published }))
    assert.equal(message, `the auction auc_${archived.auction} is archived`)
  }
  assert.deepEqual(await office.snapshot(), before)
})

test('a record is found by its id in all houses, prefixed or bare, and refused if the id is not of exactly one record', async () => {
  const { session } = await office.loadSale()
  for (const id of [session, `ses_${session}`, session.toUpperCase()]) {
    const found = await findRecord(office.db, 'session', id)
    assert.deepEqual([found.house.slug, found.uuid], ['house', session])
  }
  await office.load([
    houseLine('elsewhere'),
    { type: 'auction', ref: 'elsewhere', external_reference: 'A', title: 'Elders' },
    { type: 'session', id: session, auction: 'elsewhere', external_reference: 'S', titles: {}, kind: 'live' },
  ])
  const find = (id: string) => refusal(findRecord(office.db, 'session', id))
  assert.equal(
    await find(session),
    `several houses have the session ses_${session}: elsewhere, house (say which with --house)`,
  )
  assert.equal(await find(unknown), `there is no session ses_${unknown}`)
  const hint = 'it looks like ses_290583ad-…; a reference needs --house'
  assert.equal(await find(`lot_${session}`), `"lot_${session}" is not the id of a session: ${hint}`)
  assert.equal(await find('nonsense'), `"nonsense" is not the id of a session: ${hint}`)
})

test('an auction published before a waiting correction keeps its text; an earlier correction is published', async () => {
  const publish = (uuid: string) => () => changeAuction(office.at('09:00:00'), uuid, { published: true })
  const patch = (uuid: string) => () => office.patch(`auctions/${uuid}`, { title: 'Najaar' })
  const race = async (first: 'publish' | 'patch') => {
    const { auction } = await office.loadSale()
    const outcomes = await office.whileLocked<unknown>(
      (tx) => lockRecord(tx, 'auctions', auction),
      ...(first === 'publish' ? [publish(auction), patch(auction)] : [patch(auction), publish(auction)]),
    )
    assert.ok(outcomes.every(({ status }) => status === 'fulfilled'))
    const { title, published } = await office.read<Shown>(`auctions/${auction}`)
    return [title, published]
  }
  assert.deepEqual(await race('publish'), ['Voorjaar', true])
  assert.deepEqual(await race('patch'), ['Najaar', true])
})

test('a session published before a waiting correction keeps its values; an earlier correction is published', async () => {
  const race = async (first: 'publish' | 'patch') => {
    const { session } = await office.loadSale({ published: false }, [])
    const publish = () => changeSession(office.at('09:00:00'), session, { published: true })
    const patch = () => office.patch(`sessions/${session}`, { title: 'Ochtend' })
    const outcomes = await office.whileLocked<unknown>(
      (tx) => lockRecord(tx, 'sessions', session),
      ...(first === 'publish' ? [publish, patch] : [patch, publish]),
    )
    assert.ok(outcomes.every(({ status }) => status === 'fulfilled'))
    const { title, published } = await office.read<Shown>(`sessions/${session}`)
    return [title, published]
  }
  assert.deepEqual(await race('publish'), ['Zitting', true])
  assert.deepEqual(await race('patch'), ['Ochtend', true])
})

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
