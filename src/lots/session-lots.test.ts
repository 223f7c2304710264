import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { whileLocked } from '../../test/support/locks.ts'
import { eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { checksum, countJobs, openWriting } from '../../test/support/writing.ts'
import { permissions } from '../context.ts'
import { setLotsOfSessionActive } from './switching.ts'

const timed = { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 }
const session = (number: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'session',
  id: uuid(number),
  auction: uuid(1),
  external_reference: String(number),
  titles: { nl: 'Zitting' },
  kind: 'timed',
  opens_at: '2099-05-01T10:00:00Z',
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
const lotsOf = (of: number, count: number, fields: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, index) => lot(of * 10 + index, of, fields))
const id = (number: number) => `lot_${uuid(number)}`
const pathOf = (number: number) => `sessions/${uuid(number)}/lots`

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
  lot(101, 10, { active: true }),
  lot(102, 10),
  lot(103, 10, { archived: true }),
  session(11, { kind: 'live', timed: null, live: { closes_at: null } }),
  ...lotsOf(11, 3),
  session(12),
  ...lotsOf(12, 3),
  lot(125, 12, { lot_number: null }),
  lot(126, 12, { lot_number: null }),
  lot(127, 12, { lot_number: null, active: true }),
  session(13),
  ...lotsOf(13, 2),
  lot(132, 13, { item: uuid(3) }),
  session(14),
  ...lotsOf(14, 2),
  session(15),
  ...lotsOf(15, 3),
  session(16),
  ...lotsOf(16, 3),
  session(17),
  session(21, { finished: true }),
  ...lotsOf(21, 2),
  session(22, { opens_at: '2020-05-01T10:00:00Z' }),
  ...lotsOf(22, 2),
  session(23, { opens_at: '2098-05-01T10:00:00Z' }),
  ...lotsOf(23, 2),
  session(24),
  ...lotsOf(24, 2),
  { type: 'bid', lot: uuid(240), amount: eur(1) },
  session(25, { timed: { ...timed, interval_seconds: 0 } }),
  ...lotsOf(25, 2),
])
await service.load([
  houseLine('other'),
  { type: 'auction', id: uuid(901), external_reference: 'A', title: 'x' },
  { type: 'item', id: uuid(902), external_reference: 'I', title: 'x' },
  session(903, { auction: uuid(901) }),
  lot(904, 903, { item: uuid(902) }),
])
after(() => service.close())
const { db, key, patch, show, errorsOf, refusal, request } = service

const active = async (numbers: number[]) =>
  Promise.all(numbers.map(async (number) => (await show(`lots/${uuid(number)}`))['active']))

test('lots are switched together with one recalculation; of each that changes the timestamp advances, of the others none', async () => {
  const before = await Promise.all([100, 101, 102].map((number) => show(`lots/${uuid(number)}`)))
  const feed = async (query: string) =>
    (await service.get(`/api/v2/changes?types[]=lot&limit=100${query}`, key)).json<{
      data: { id: string }[]
      next_cursor: string
    }>()
  const { next_cursor } = await feed('')
  const jobs = await countJobs(db)
  const ids = [id(102), uuid(100).toUpperCase(), id(101)]
  const { status, data } = await patch(pathOf(10), { active: true, lots: ids })
  assert.deepEqual([status, data], [200, { changed: 2, unchanged: 1 }])
  assert.equal(await countJobs(db), jobs + 1)
  const now = await Promise.all([100, 101, 102].map((number) => show(`lots/${uuid(number)}`)))
  assert.deepEqual(
    now.map((each, index) => [each['active'], each['updated_at']! > before[index]!['updated_at']!]),
    [
      [true, true],
      [true, false],
      [true, true],
    ],
  )
  const { data: changes } = await feed(`&after=${next_cursor}`)
  assert.deepEqual(changes.map((change) => change.id).toSorted(), [id(100), id(102)])
})

test('all are the lots that are not archived; a live session gets no recalculation, and an empty one has none to switch', async () => {
  const jobs = await countJobs(db)
  assert.deepEqual((await patch(pathOf(11), { active: true, lots: 'all' })).data, { changed: 3, unchanged: 0 })
  assert.equal(await countJobs(db), jobs)
  assert.deepEqual((await patch(pathOf(10), { active: false, lots: 'all' })).data, { changed: 3, unchanged: 0 })
  assert.deepEqual(await active([100, 101, 102]), [false, false, false])
  const { rows } = await sql`select from catalogue.lots where public_id = ${uuid(103)} and revision = 1`.execute(db)
  assert.equal(rows.length, 1)
  assert.deepEqual((await patch(pathOf(17), { active: true, lots: 'all' })).data, { changed: 0, unchanged: 0 })
})

test('lots that have the value already are not looked at: nothing is written, in any state', async () => {
  const before = await checksum(db)
  for (const number of [21, 22, 23, 24, 25])
    for (const lots of ['all', [id(number * 10), id(number * 10 + 1)]]) {
      const { status, data } = await patch(pathOf(number), { active: false, lots })
      assert.deepEqual([status, data], [200, { changed: 0, unchanged: 2 }])
    }
  assert.equal(await checksum(db), before)
})

test('a session that cannot be prepared answers 409 with the reason, before any id is looked at', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2098-05-01T09:56:00Z') })
  const reasons = [
    [21, 'finished'],
    [22, 'opened'],
    [23, 'opens_soon'],
    [24, 'has_bids'],
    [25, 'no_schedule'],
  ] as const
  const before = await checksum(db)
  for (const [number, reason] of reasons)
    for (const lots of ['all', [id(number * 10)], ['x', id(999), id(number * 10), 1]]) {
      const answer = await patch(pathOf(number), { active: true, lots })
      assert.deepEqual([answer.status, answer.problem, answer.reason], [409, 'lot-not-changeable', reason])
    }
  assert.equal(await checksum(db), before)
  assert.deepEqual(await errorsOf('PATCH', pathOf(21), { active: false, lots: [id(210), id(999)] }), [
    'lots.1 unavailable',
  ])
})

test('one wrong lot keeps all unchanged: malformed, repeated, unknown, archived, of another session or house, or without a number', async () => {
  const lots = [
    id(120),
    'lot_x',
    `itm_${uuid(2)}`,
    id(120).toUpperCase().replace('LOT', 'lot'),
    id(999),
    id(103),
    id(100),
    id(904),
    id(125),
    7,
    null,
    id(127),
    id(126),
  ]
  assert.deepEqual((await errorsOf('PATCH', pathOf(12), { active: true, lots })).toSorted(), [
    'lots.1 invalid',
    'lots.10 wrong_type',
    'lots.12 invalid',
    'lots.2 invalid',
    'lots.3 duplicate',
    'lots.4 unavailable',
    'lots.5 unavailable',
    'lots.6 unavailable',
    'lots.7 unavailable',
    'lots.8 invalid',
    'lots.9 wrong_type',
  ])
  assert.deepEqual(await active([120]), [false])
})

test('all lots are not switched on while one has no number; the errors name these lots', async () => {
  const url = `/api/v2/${pathOf(12)}`
  const reply = await request({ method: 'PATCH', url, key, body: { active: true, lots: 'all' } })
  assert.equal(reply.statusCode, 422)
  const message = 'lots names a lot without a number, which cannot be switched on.'
  const { errors, detail } = reply.json<{ errors: { lot: string }[]; detail: string }>()
  assert.deepEqual(
    errors.toSorted((one, other) => one.lot.localeCompare(other.lot)),
    [125, 126].map((number) => ({ field: 'lots', code: 'invalid', message, lot: id(number) })),
  )
  assert.equal(detail, 'The body has errors in these fields: lots.')
  assert.deepEqual(await active([120]), [false])
  assert.deepEqual((await patch(pathOf(12), { active: false, lots: 'all' })).data, { changed: 1, unchanged: 5 })
})

test('the body is exactly active and lots, from one id to five thousand; the session comes first', async () => {
  const cases: [body: unknown, errors: string[]][] = [
    [{}, ['active required', 'lots required']],
    [[], [' wrong_type']],
    [{ active: 'true', lots: 'all' }, ['active wrong_type']],
    [{ active: null, lots: [id(120), 'x'] }, ['active not_clearable', 'lots.1 invalid']],
    [{ active: true, lots: [] }, ['lots too_short']],
    [{ active: true, lots: 'every' }, ['lots invalid']],
    [{ active: true, lots: { 0: id(120) } }, ['lots wrong_type']],
    [{ active: true, lots: null }, ['lots not_clearable']],
    [{ active: true, lots: [id(120)], session: uuid(12) }, ['session unknown_field']],
    [{ active: true, lots: Array.from({ length: 5_001 }, (_, index) => id(index)) }, ['lots too_long']],
  ]
  const before = await checksum(db)
  for (const [body, errors] of cases) {
    assert.deepEqual((await patch(pathOf(12), body)).errors, errors)
    for (const missing of [999, 903]) assert.equal((await patch(pathOf(missing), body)).problem, 'not-found')
  }
  assert.equal(await checksum(db), before)
  const most = [id(120), ...Array.from({ length: 4_999 }, (_, index) => id(100_000 + index))]
  const errors = await errorsOf('PATCH', pathOf(12), { active: true, lots: most })
  assert.deepEqual([errors.length, errors[0], errors[99]], [100, 'lots.1 unavailable', 'lots.100 unavailable'])
})

test('a lot that cannot be shown is answered 500, and rolls the others back with their recalculation', async () => {
  for (const lots of ['all', [id(130), id(131), id(132)]])
    assert.equal(await refusal('PATCH', pathOf(13), { active: true, lots }), '500 integrity-unavailable')
  assert.deepEqual(await active([130, 131]), [false, false])
  assert.equal((await patch(pathOf(13), { active: true, lots: [id(130)] })).status, 200)
})

test('lots are not switched if the five minutes before the opening begin meanwhile', async () => {
  const before = await checksum(db)
  const body = { active: true, lots: 'all' }
  const late = setLotsOfSessionActive(service.at('2099-05-01T09:54:59Z', '2099-05-01T09:55:00.001Z'), uuid(14), body)
  await assert.rejects(late, { code: 'lot-not-changeable', reason: 'opens_soon' })
  assert.equal(await checksum(db), before)
})

test('If-Match means nothing here: no key needs it, none is read, and there is no ETag', async () => {
  const careful = await service.issueKey('house', permissions, { require_if_match: true })
  const url = `/api/v2/${pathOf(14)}`
  for (const [index, headers] of [{}, { 'if-match': '"x"' }, { 'if-match': 'x' }].entries()) {
    const body = { active: index % 2 === 0, lots: 'all' }
    const reply = await request({ method: 'PATCH', url, key: careful, body, headers })
    assert.deepEqual([reply.statusCode, reply.json()], [200, { data: { changed: 2, unchanged: 0 } }])
    assert.equal(reply.headers['etag'], undefined)
  }
})

test('a repeated request gets the first answer; with another body its key is refused', async () => {
  const call = (body: unknown) => {
    const headers = { 'idempotency-key': 'lots' }
    return request({ method: 'PATCH', url: `/api/v2/${pathOf(15)}`, key, headers, body })
  }
  const first = await call({ active: true, lots: [id(150), id(151)] })
  assert.deepEqual(first.json(), { data: { changed: 2, unchanged: 0 } })
  assert.equal((await patch(pathOf(15), { active: false, lots: 'all' })).status, 200)
  const again = await call({ lots: [id(150), id(151)], active: true })
  assert.deepEqual([again.statusCode, again.payload], [200, first.payload])
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.deepEqual(await active([150, 151, 152]), [false, false, false])
  assert.equal((await call({ active: true, lots: 'all' })).json<{ status: number }>().status, 422)
})

test('a lot that is archived meanwhile is unavailable if it is named, and none of all', async () => {
  for (const [number, lots, status] of [
    [160, [id(160), id(161)], 422],
    [161, 'all', 200],
  ] as const) {
    const [outcome] = await whileLocked(
      db,
      (tx) => sql`update catalogue.lots set archived = true where public_id = ${uuid(number)}`.execute(tx),
      () => patch(pathOf(16), { active: true, lots }),
    )
    assert.equal((outcome as PromiseFulfilledResult<{ status: number }>).value.status, status)
    const { rows } = await sql`select from catalogue.lots where public_id = ${uuid(number)} and active`.execute(db)
    assert.equal(rows.length, 0)
  }
  assert.deepEqual(await active([162]), [true])
})

test('concurrent requests for the same lots in any order are carried out one after the other', async () => {
  const ids = [150, 151, 152].map(id)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      patch(pathOf(15), { active: index % 2 === 0, lots: index % 3 === 0 ? ids.toReversed() : ids }),
    ),
  )
  for (const { status, data } of answers) {
    assert.equal(status, 200)
    assert.ok([0, 3].includes(Number(data['changed'])), 'all or none')
  }
  assert.equal(new Set(await active([150, 151, 152])).size, 1)
})
