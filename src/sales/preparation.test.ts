import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur, houseLine } from '../../test/support/lines.ts'
import { at, openSaleHouse, reasonOf, refusal, describeRefusal } from '../../test/support/sale-house.ts'
import { exportOf } from '../../test/support/exports.ts'
import { lockRecord, whileLocked } from '../../test/support/locks.ts'
import { checksum } from '../../test/support/rehearsing.ts'
import { placeBid } from '../lots/bids.ts'
import { changeLot } from '../lots/changes.ts'
import { addLots } from '../lots/adding.ts'
import { recordResults } from '../lots/results.ts'
import { renumberLots } from './order.ts'
import { changeSession, deleteSession } from './sessions.ts'

const office = await openSaleHouse()
after(() => office.close())

const now = office.at('08:00:00')
const time = (clock: string) => at(clock).toISOString()
const later = { opens_at: time('11:00:00'), timed: { first_closes_at: time('13:00:00'), interval_seconds: 120 } }

const closesOf = async (lots: string[]) =>
  Promise.all(
    lots.map(async (lot) => {
      const { closes_at, timed } = await office.read(`lots/${lot}`)
      assert.equal(timed!.scheduled_closes_at, closes_at)
      return closes_at?.slice(11, 16) ?? null
    }),
  )

async function rowsOf(session: string) {
  const { rows } = await sql<{ changes: string; reason: string | null }>`
    select changes::text as changes, reason from catalogue.journal where record = ${session} order by at, id`.execute(
    office.db,
  )
  return rows.map(({ changes, reason }) => {
    const parsed = JSON.parse(changes) as { record: string; field: string; old: unknown; new: unknown }[]
    return { reason, changes: parsed.map(({ field, old, new: next }) => [field, old, next]) }
  })
}

test('the terms of a published session with lots change, and the closing times with them', async () => {
  const { session, lots } = await office.loadSale({}, [{}, { active: false, closes_at: null }, {}])
  const strategy = randomUUID()
  const step = { from: eur(0), increment: eur(100) }
  await office.load([houseLine('house'), { type: 'increment_strategy', id: strategy, name: 'Fijn', steps: [step] }])
  const terms = {
    ...later,
    title: 'Avond',
    settings: { buyer_premium_percentage: '25' },
    increment_strategy: `inc_${strategy}`,
  }
  const { json } = await changeSession(now, session, { terms })
  const shown = JSON.parse(json) as Record<string, unknown> & { timed: Record<string, unknown> }
  assert.deepEqual(
    [shown['title'], shown['opens_at'], shown['settings'], String(shown['increment_strategy']).slice(4)],
    ['Avond', time('11:00:00'), { buyer_premium_percentage: '25' }, strategy],
  )
  assert.deepEqual([shown.timed['interval_seconds'], shown.timed['group_size']], [120, 1])
  assert.deepEqual(await closesOf(lots), ['13:00', null, '13:02'])
  const sum = await checksum(office.db)
  await changeSession(office.at('10:58:00'), session, { terms })
  assert.equal(await checksum(office.db), sum, 'a repetition changes nothing, in any state')
})

test('a new opening that is too early is refused as such, and the stored one is not called past', async () => {
  const { session } = await office.loadSale()
  const open = (opensAt: string) =>
    changeSession(office.at('09:00:00'), session, { terms: { opens_at: time(opensAt) } })
  const late = ': name a later one'
  const opened = `with its new opening, the session ses_${session} has opened${late}`
  assert.equal(await refusal(open('08:00:00')), opened)
  const soon = `with its new opening, the session ses_${session} opens in less than five minutes${late}`
  assert.equal(await refusal(open('09:04:59')), soon)
})

test('a change leaves one row in the journal, without the computed closing times', async () => {
  const { session } = await office.loadSale()
  await changeSession(now, session, { terms: { timed: { group_size: 2 }, title: 'Nacht' } })
  const changes = [
    ['title', 'Zitting', 'Nacht'],
    ['timed.group_size', 1, 2],
  ]
  assert.deepEqual(await rowsOf(session), [{ reason: null, changes }])
})

test('the terms stay from five minutes before the old and the new opening, after a bid and after the end', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  const set = (clock: string, terms: object = { title: 'Avond' }) => changeSession(office.at(clock), session, { terms })
  const before = await office.snapshot()
  assert.equal(await reasonOf(set('09:55:01')), 'opens_soon')
  assert.equal(await reasonOf(set('10:30:00')), 'opens_soon')
  assert.equal(await reasonOf(set('09:00:00', { opens_at: time('09:04:59') })), 'opens_soon')
  assert.equal(await reasonOf(set('09:00:00', { opens_at: time('08:00:00') })), 'opens_soon')
  // The moment passes while the change is prepared, or while it waits for the lots.
  for (const early of [1, 2, 3]) {
    let reads = 0
    const slow = office.at('09:55:00', () => at(++reads > early ? '09:55:01' : '09:55:00'))
    assert.equal(await reasonOf(changeSession(slow, session, { terms: { title: 'Avond' } })), 'opens_soon')
  }
  assert.deepEqual(await office.snapshot(), before)
  await set('09:55:00')
  await placeBid(office.at('11:00:00'), { lot: lots[1]!, amount: 5000 })
  assert.equal(await reasonOf(set('09:00:00', later)), 'has_bids')
  await changeSession(office.at('11:00:00'), session, { finished: true }, { early: true, allowWithoutResult: true })
  assert.equal(await reasonOf(set('09:00:00', later)), 'finished')
})

test('a close that is not later than the opening, a block of the other kind and a foreign strategy are refused', async () => {
  const { session } = await office.loadSale()
  const foreign = randomUUID()
  await office.load([
    houseLine('other'),
    { type: 'increment_strategy', id: foreign, name: 'x', steps: [{ from: eur(0), increment: eur(1) }] },
  ])
  const before = await office.snapshot()
  for (const [terms, fields] of [
    [{ opens_at: time('12:00:00') }, 'timed.first_closes_at'],
    [{ timed: { first_closes_at: time('09:00:00') } }, 'timed.first_closes_at'],
    [{ live: { closes_at: time('13:00:00') } }, 'live'],
    [{ increment_strategy: `inc_${foreign}` }, 'increment_strategy'],
  ] as const)
    assert.equal(await reasonOf(changeSession(now, session, { terms })), fields)
  assert.deepEqual(await office.snapshot(), before)
})

test('a bid and a change of the times wait for each other: no lot with a bid gets another close', async () => {
  for (const first of ['bid', 'change'] as const) {
    const { session, lots } = await office.loadSale({}, [{}, {}])
    const bid = () => placeBid(office.at('11:30:00'), { lot: lots[0]!, amount: 5000 })
    const change = () => changeSession(now, session, { terms: { ...later, opens_at: time('11:45:00') } })
    const [one, other] = await office.whileLocked<unknown>(
      (tx) =>
        sql`select from catalogue.lots where house_id = ${office.house.id} and public_id = ${lots[0]} for update`.execute(
          tx,
        ),
      ...(first === 'bid' ? [bid, change] : [change, bid]),
    )
    assert.equal(one!.status, 'fulfilled', first)
    const words = describeRefusal(other!.status === 'rejected' && other!.reason)
    assert.match(words, first === 'bid' ? /has had a bid/ : /the session .*opens at/)
    const { current_bid, closes_at } = await office.read(`lots/${lots[0]}`)
    assert.deepEqual(
      [current_bid?.amount ?? null, closes_at],
      first === 'bid' ? [5000, time('12:00:00')] : [null, time('13:00:00')],
    )
  }
})

test('a live session closes when its terms say, and PATCH /staff/v1/sessions takes the same fields', async () => {
  const live = { kind: 'live', timed: null, live: { closes_at: time('12:00:00') } }
  const { session } = await office.loadSale(live, [{ closes_at: null, scheduled_closes_at: null }])
  const key = await office.issueKey('house')
  const url = `/staff/v1/sessions/${session}`
  const patch = (body: unknown, path = url, as = key) => office.request({ method: 'PATCH', url: path, key: as, body })
  const body = { opens_at: time('10:30:00'), live: { closes_at: time('14:00:00') }, published: false }
  const foreign = await office.issueKey('other')
  const before = await office.snapshot()
  assert.equal((await patch(body, `${url}?dry_run=true`)).statusCode, 200)
  assert.equal((await patch(body, url, foreign)).statusCode, 404)
  assert.deepEqual(await office.snapshot(), before)
  const reply = await patch(body)
  const shown = reply.json<{ data: { live: unknown; opens_at: string; published: boolean } }>().data
  assert.deepEqual([shown.live, shown.opens_at, shown.published], [body.live, body.opens_at, false])
  assert.equal((await patch({ timed: { group_size: 0 } })).statusCode, 422)
  assert.equal((await patch({ published: true })).statusCode, 200)
  const soon = await patch({ opens_at: new Date().toISOString() })
  assert.deepEqual([soon.statusCode, soon.json<{ reason: string }>().reason], [409, 'opens_soon'])
  assert.match(await refusal(changeSession(now, session, { terms: { timed: { group_size: 2 } } })), /live session/)
})

test('of a session that is not published and has no bids and results, no opening counts: a date typed wrongly can be mended', async () => {
  const draft = { published: false, opens_at: time('07:00:00') }
  const timed = { first_closes_at: time('07:30:00'), group_size: 1, interval_seconds: 60 }
  const { session, lots } = await office.loadSale({ ...draft, timed }, [{}, {}])
  const [one, two] = lots as [string, string]
  await changeSession(now, session, { terms: { title: 'Avond', timed: { interval_seconds: 120 } } })
  await renumberLots(now, session, [
    { lot: two, lot_number: 1 },
    { lot: one, lot_number: 2 },
  ])
  assert.deepEqual(await closesOf(lots), ['07:32', '07:30'])
  await changeLot(now, one, { lot_number: 7, starting_bid: 2000 })
  assert.deepEqual(
    (await office.read<{ starting_bid: object }>(`lots/${one}`)).starting_bid,
    eur(2000),
    'its close, too, may be typed wrongly',
  )
  await changeLot(now, one, { archived: true })
  const past = { opens_at: time('06:00:00') }
  await changeSession(now, session, { terms: past })
  await changeSession(now, session, { terms: later })
  assert.deepEqual(await closesOf([two]), ['13:00'])

  await changeSession(now, session, { terms: past })
  await changeSession(now, session, { published: true })
  const before = await office.snapshot()
  assert.equal(await reasonOf(changeSession(now, session, { terms: later })), 'opens_soon')
  assert.equal(await reasonOf(changeLot(now, two, { lot_number: 7 })), 'opens_soon')
  assert.equal(await reasonOf(changeLot(now, two, { archived: true })), 'opens_soon')
  assert.equal(await reasonOf(changeLot(office.at('14:00:00'), two, { starting_bid: 2000 })), 'closed')
  assert.deepEqual(await office.snapshot(), before)
  await recordResults(office.at('14:00:00'), { results: [{ lot: two, state: 'withdrawn' }] })
  await changeSession(now, session, { published: false })
  assert.equal(await reasonOf(changeSession(now, session, { terms: later })), 'opens_soon', 'it has a result')
})

test('a rehearsal warns of each time that has passed, and of those of a session that it publishes', async () => {
  const { session } = await office.loadSale({ published: false })
  const key = await office.issueKey('house')
  const send = async (method: 'PATCH' | 'POST', url: string, body: object) => {
    const reply = await office.request({ method, url, key, body })
    assert.ok(reply.statusCode < 300, reply.body)
    return reply.json<{ warnings?: unknown }>().warnings
  }
  const body = { opens_at: '2020-01-01T10:00:00Z', timed: { first_closes_at: '2020-01-01T11:00:00Z' } }
  const both = [
    { code: 'past', field: 'opens_at' },
    { code: 'past', field: 'timed.first_closes_at' },
  ]
  const url = `/staff/v1/sessions/${session}`
  assert.deepEqual(await send('PATCH', `${url}?dry_run=true`, body), both)
  assert.equal(await send('PATCH', `${url}?dry_run=true`, { title: 'Avond' }), undefined)
  assert.equal(await send('PATCH', `${url}?dry_run=true`, { published: true }), undefined)
  assert.equal(await send('PATCH', url, body), undefined, 'only a rehearsal warns')
  assert.deepEqual(await send('PATCH', `${url}?dry_run=true`, { published: true }), both)
  const { auction } = await office.read<{ auction: string }>(`sessions/${session}`)
  const made = { auction, title: 'Nieuw', external_reference: 'N', ...body }
  assert.deepEqual(await send('POST', '/api/v2/sessions?dry_run=true', made), both)
})

test('a session that is not published and has no lots is deleted: its reference is free, and the feed says so', async () => {
  const { session, lots } = await office.loadSale({ published: false }, [{}])
  const { auction } = await office.read<{ auction: string }>(`sessions/${session}`)
  const call = async (method: 'DELETE' | 'GET' | 'POST', url: string, body?: object) => {
    const reply = await office.request({ method, url, key: await office.issueKey('house'), ...(body && { body }) })
    return { status: reply.statusCode, ...(reply.body === '' ? {} : reply.json<{ reason?: string; data?: never }>()) }
  }
  const remove = async (id = session) => {
    const { status, reason } = await call('DELETE', `/staff/v1/sessions/${id}`)
    return [status, reason]
  }
  const before = await office.snapshot()
  assert.deepEqual(await remove(), [409, 'in_use'])
  assert.deepEqual(await office.snapshot(), before)
  await changeLot(now, lots[0]!, { archived: true })
  assert.deepEqual(await remove(), [204, undefined])
  assert.deepEqual(await remove(), [404, undefined])
  assert.equal((await call('GET', `/api/v2/sessions/${session}`)).status, 404)
  assert.deepEqual((await office.read<{ sessions: string[] }>(`auctions/${auction}`)).sessions, [])
  assert.equal(await reasonOf(changeSession(now, session, { terms: later })), undefined, 'it is gone')
  await assert.rejects(addLots(now, [{ session, item: office.ids.item, lot_number: 1, starting_bid: null }]))
  assert.match(await refusal(changeLot(now, lots[0]!, { archived: true })), /is archived$/)
  const feed = (await office.get('/api/v2/changes?types[]=session&types[]=lot&limit=100', office.key)).json<{
    data: { id: string; deleted: boolean }[]
  }>()
  for (const id of [`ses_${session}`, `lot_${lots[0]}`])
    assert.equal(feed.data.find((row) => row.id === id)?.deleted ?? true, true, id)
  const { text } = await exportOf(office, 'house')
  assert.ok(!text.includes(session) && !text.includes(lots[0]!), 'an export has neither')
  const again = { auction, title: 'Nieuw', external_reference: session, opens_at: time('11:00:00') }
  const made = await call('POST', '/api/v2/sessions', { ...again, live: { closes_at: time('12:00:00') } })
  assert.equal(made.status, 201)

  const shown = await office.loadSale({}, [])
  assert.deepEqual(await remove(shown.session), [409, 'published'])
  const finished = await office.loadSale({ published: false, finished: true }, [{}])
  assert.deepEqual(await remove(finished.session), [409, 'finished'])
  const bidden = await office.loadSale({}, [{}])
  await placeBid(office.at('11:00:00'), { lot: bidden.lots[0]!, amount: 5000 })
  await changeSession(now, bidden.session, { published: false })
  assert.deepEqual(await remove(bidden.session), [409, 'has_bids'])
  const decided = await office.loadSale({ published: false }, [{}])
  await recordResults(now, { results: [{ lot: decided.lots[0]!, state: 'withdrawn' }] })
  assert.deepEqual(await remove(decided.session), [409, 'has_result'])
})

test('a load into a session that is being deleted waits, and is then refused: no lot is left without its session', async () => {
  const { session } = await office.loadSale({ published: false }, [])
  const lot = { type: 'lot', session, item: office.ids.item, lot_number: 1 }
  const [deleted, loaded] = await whileLocked<unknown>(
    office.db,
    (tx) => lockRecord(tx, 'sessions', session),
    () => deleteSession(now, session),
    () => office.load([houseLine('house'), lot]),
  )
  assert.equal(deleted!.status, 'fulfilled')
  assert.match(String(loaded?.status === 'rejected' && loaded.reason), /no stored session has this id/)
})
