import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { changeAuction } from '../auctions/auctions.ts'
import { openSaleHouse, refusal } from '../../test/support/sale-house.ts'
import { lockRecord } from '../../test/support/locks.ts'
import { findRecord } from '../cli/names.ts'
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
