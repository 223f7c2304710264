import { changeLot } from './changes.ts'
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { sql } from 'kysely'
import { whileLocked } from '../../test/support/locks.ts'
import { eur, uuid, type Line } from '../../test/support/lines.ts'
import { checksum, countJobs, openWriting } from '../../test/support/writing.ts'

import { changeSession } from '../sales/sessions.ts'
import { Problem } from '../problems.ts'
import { recalculateSession } from './closing.ts'
import { setLotActive } from './switching.ts'

const opens_at = '2099-05-01T10:00:00Z'
const timed = { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 }
const session = (number: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'session',
  id: uuid(number),
  auction: uuid(1),
  external_reference: String(number),
  titles: { nl: 'Zitting' },
  kind: 'timed',
  opens_at,
  timed,
  ...fields,
})
const lot = (number: number, of: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'lot',
  id: uuid(number),
  session: uuid(of),
  item: uuid(2),
  lot_number: number,
  ...fields,
})
const pathOf = (number: number) => `lots/${uuid(number)}`

const service = await openWriting([
  { type: 'auction', id: uuid(1), external_reference: 'A', title: 'x', published: true },
  { type: 'item', id: uuid(2), external_reference: 'I', title: 'Vaas' },
  {
    type: 'item',
    id: uuid(3),
    external_reference: 'twice',
    title: 'x',
    translations: [
      { locale: 'en', title: 'a' },
      { locale: 'en', title: 'b' },
    ],
  },
  session(10, { published: true }),
  lot(100, 10, { active: null }),
  lot(101, 10, { archived: true }),
  session(11, { finished: true }),
  lot(110, 11),
  lot(111, 11, { active: true }),
  session(12, { opens_at: '2020-05-01T10:00:00Z' }),
  lot(120, 12),
  lot(121, 12, { active: true }),
  lot(122, 12, { lot_number: null }),
  session(13),
  lot(130, 13),
  lot(131, 13, { archived: true }),
  { type: 'bid', lot: uuid(131), amount: eur(1) },
  session(14, { timed: { ...timed, group_size: 0 } }),
  lot(140, 14),
  session(15, { kind: 'live', timed: null, live: { closes_at: null } }),
  lot(150, 15),
  session(16),
  lot(160, 16, { lot_number: null }),
  lot(161, 16, { lot_number: null, active: true }),
  lot(162, 16, { item: uuid(3) }),
  session(17),
  lot(170, 17),
  lot(171, 17),
  session(19),
  lot(190, 19),
  lot(191, 19),
  session(20, { opens_at: '2098-05-01T10:00:00Z' }),
  lot(200, 20),
  session(21, { opens_at: null }),
  lot(210, 21),
  session(22, { opens_at: null }),
  lot(220, 22),
  { type: 'bid', lot: uuid(220), amount: eur(1) },
  session(23, { finished: true, opens_at: '2020-05-01T10:00:00Z' }),
  lot(230, 23),
  { type: 'bid', lot: uuid(230), amount: eur(1) },
  session(24, { opens_at: '2020-05-01T10:00:00Z', timed: { ...timed, group_size: 0 } }),
  lot(240, 24),
  { type: 'bid', lot: uuid(240), amount: eur(1) },
  session(18),
  ...Array.from({ length: 40 }, (_, index) => lot(1800 + index, 18)),
])
after(() => service.close())
const { db, patch, show, errorsOf, refusal, repeats } = service

test('a switch on or off queues one job for the session’s closing times, and at most one waits', async () => {
  const before = await show(pathOf(100))
  const on = await patch(`${pathOf(100)}?expand[]=session&expand[]=item`, { active: true })
  assert.equal(on.status, 200)
  assert.deepEqual(on.data, await show(`${pathOf(100)}?expand[]=session&expand[]=item`))
  assert.ok(on.data['updated_at']! > before['updated_at']!)
  const off = await patch(pathOf(100), { active: false })
  assert.deepEqual(off.data, { ...before, updated_at: off.data['updated_at'] })
  assert.equal(await countJobs(db), 1)
})

test("repeating a lot's value, with unset read as false, changes no row and leaves no job, in any state", async () => {
  await repeats(pathOf(100), { active: false })
  for (const [number, active] of [
    [110, false],
    [111, true],
    [120, false],
    [121, true],
    [122, false],
    [160, false],
  ] as const) {
    await repeats(pathOf(number), { active })
  }
})

test('a switch is refused for the first reason that holds of finished, opened, opens_soon, has_bids and no_schedule, before the lot’s number is checked', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2098-05-01T09:56:00Z') })
  const reasons = [
    [110, 'finished'],
    [111, 'finished'],
    [120, 'opened'],
    [122, 'opened'],
    [200, 'opens_soon'],
    [130, 'has_bids'],
    [140, 'no_schedule'],
    [210, 'no_schedule'],
    [220, 'has_bids'],
    [230, 'finished'],
    [240, 'opened'],
  ] as const
  const before = await checksum(db)
  for (const [number, reason] of reasons) {
    const answer = await patch(pathOf(number), { active: number !== 111 })
    assert.deepEqual(
      [answer.status, answer.problem, answer.reason],
      [409, 'lot-not-changeable', reason],
      String(number),
    )
  }
  assert.equal(await checksum(db), before)
  assert.equal((await patch(pathOf(160), { active: true })).reason, undefined)
})

test('a lot without a number can be switched off, not on', async () => {
  assert.deepEqual(await errorsOf('PATCH', pathOf(160), { active: true }), ['active invalid'])
  assert.equal((await patch(pathOf(161), { active: false })).status, 200)
})

test('a live session needs no schedule and gets no job', async () => {
  const jobs = await countJobs(db)
  assert.equal((await patch(pathOf(150), { active: true })).status, 200)
  assert.equal(await countJobs(db), jobs)
})

test('the body is exactly active, a boolean; an archived lot is not found', async () => {
  assert.deepEqual(await errorsOf('PATCH', pathOf(100), {}), ['active required'])
  assert.deepEqual(await errorsOf('PATCH', pathOf(100), { active: null, lot_number: 1 }), [
    'active not_clearable',
    'lot_number unknown_field',
  ])
  for (const active of ['true', 1, 0, []])
    assert.deepEqual(await errorsOf('PATCH', pathOf(999), { active }), ['active wrong_type'])
  assert.equal(await refusal('PATCH', pathOf(101), { active: true }), '404 not-found')
})

test('a change that cannot be read back is rolled back with its job', async () => {
  assert.equal(await refusal('PATCH', pathOf(162), { active: true }), '500 integrity-unavailable')
  assert.equal(await refusal('PATCH', pathOf(162), { active: false }), '500 integrity-unavailable')
})

test('a write is rolled back if its session comes within five minutes of its opening meanwhile', async () => {
  const before = await checksum(db)
  const late = setLotActive(service.at('2099-05-01T09:54:59Z', '2099-05-01T09:55:00.001Z'), uuid(170), true)
  await assert.rejects(late, (error) => error instanceof Problem && error.code === 'lot-not-changeable')
  assert.equal(await checksum(db), before)
  await setLotActive(service.at('2099-05-01T09:54:59Z', '2099-05-01T09:55:00.000Z'), uuid(170), true)
})

test('a write that races with archiving the lot or finishing its session is all or nothing', async () => {
  const context = service.at('2099-01-01T00:00:00Z')
  const call = { method: 'PATCH', url: `/api/v2/${pathOf(171)}`, key: service.key, body: { active: true } }
  const [activation] = await Promise.all([service.request(call), changeLot(context, uuid(171), { archived: true })])
  assert.ok([200, 404].includes(activation.statusCode))
  const numbers = Array.from({ length: 20 }, (_, index) => 1800 + index)
  const [, ...answers] = await Promise.all([
    changeSession(context, uuid(18), { finished: true }, { early: true, allowWithoutResult: true }),
    ...numbers.map((number) => patch(pathOf(number), { active: true })),
  ])
  for (const [index, { status }] of answers.entries()) {
    assert.ok([200, 409].includes(status))
    assert.equal((await show(pathOf(numbers[index]!)))['active'], status === 200)
  }
  await sql`update catalogue.sessions set finished = false where public_id = ${uuid(18)}`.execute(db)
})

test('switches, schedule calculations and item changes run together without a deadlock, and the final schedule is complete', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => 1800 + index)
  const { rows } = await sql<{ id: string }>`select id from catalogue.sessions where public_id = ${uuid(18)}`.execute(
    db,
  )
  const recalculate = () =>
    recalculateSession({ db, house: service.house, clock: () => new Date('2099-01-01') }, rows[0]!.id)
  const answers = await Promise.all([
    ...numbers.map((number) => patch(pathOf(number), { active: number % 4 > 0 })),
    ...numbers.slice(0, 10).map(async (number) => patch(`items/${uuid(2)}`, { title: `Vaas ${number}` })),
    ...numbers.slice(0, 10).map(async () => recalculate().then(() => ({ status: 200 }))),
  ])
  assert.ok(answers.every(({ status }) => status === 200))
  await recalculate()
  const closes = (await service.walk(`/api/v2/lots?session=${uuid(18)}`, service.key)).map((each) => each['closes_at'])
  const active = numbers.map((number) => number % 4 > 0)
  let place = 0
  assert.deepEqual(
    closes,
    active.map((each) => (each ? new Date(Date.parse(timed.first_closes_at) + place++ * 60_000).toISOString() : null)),
  )
})

test("an item's change advances its current lots, not archived ones; a repeated value advances none", async () => {
  const stampsOf = async () => {
    const { rows } = await sql<{ updated_at: Date; revision: string; archived: boolean }>`
      select l.updated_at, l.revision, l.archived from catalogue.lots l join catalogue.items i on i.house_id = l.house_id and i.id = l.item_id
      where i.public_id = ${uuid(2)} order by l.id`.execute(db)
    return rows
  }
  const before = await stampsOf()
  assert.equal((await patch(`items/${uuid(2)}`, { weight: '3 kg' })).status, 200)
  const changed = await stampsOf()
  for (const [index, { updated_at, revision, archived }] of changed.entries()) {
    assert.equal(updated_at > before[index]!.updated_at, !archived)
    assert.equal(Number(revision) - Number(before[index]!.revision), archived ? 0 : 1)
  }
  await repeats(`items/${uuid(2)}`, { weight: '3 kg' })
  assert.deepEqual(await stampsOf(), changed)
})

test('a lot that is archived during its switch is not found', async () => {
  const [outcome] = await whileLocked(
    db,
    (tx) => sql`update catalogue.lots set archived = true where public_id = ${uuid(190)}`.execute(tx),
    () => patch(pathOf(190), { active: true }),
  )
  assert.equal((outcome as PromiseFulfilledResult<{ status: number }>).value.status, 404)
  const { rows } = await sql`select from catalogue.lots where public_id = ${uuid(190)} and active`.execute(db)
  assert.equal(rows.length, 0)
})

test("closing times are calculated soon by the database's clock, independent of the instance's clock", async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  const { status } = await patch(pathOf(191), { active: true })
  mock.timers.reset()
  assert.equal(status, 200)
  const { rows } = await sql<{
    soon: boolean
  }>`select run_at < now() + interval '1 minute' as soon from graphile_worker.jobs
    order by id desc limit 1`.execute(db)
  assert.deepEqual(rows, [{ soon: true }])
})
