import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { whileLocked } from '../../test/support/locks.ts'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { openWriting } from '../../test/support/writing.ts'
import { createSession } from './sessions.ts'

const auction = uuid(1)
const [first, second, foreign] = [11, 12, 13].map(uuid) as [string, string, string]
const opens_at = '2099-05-01T12:00:00.999+02:00'
const timed = { first_closes_at: '2099-05-08T10:00:00.500Z' }
const live = { closes_at: '2099-05-01T18:00:00Z' }
const legacy = (number: number, fields: Record<string, unknown>): Line => ({
  type: 'session',
  id: uuid(number),
  auction: uuid(2),
  external_reference: String(number),
  titles: { nl: 'Zitting' },
  kind: 'timed',
  opens_at: '2099-05-01T10:00:00.250Z',
  timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 },
  increment_strategy: first,
  ...fields,
})

const service = await openWriting(
  [
    { type: 'increment_strategy', id: second, name: 'Later', created_at: '2020-01-02T00:00:00Z' },
    { type: 'increment_strategy', id: first, name: 'First', created_at: '2020-01-01T00:00:00Z' },
    { type: 'auction', id: auction, external_reference: 'A', title: 'x', published: true },
    { type: 'auction', id: uuid(2), external_reference: 'B', title: 'x' },
    { type: 'auction', id: uuid(3), external_reference: 'C', title: 'x', archived: true },
    { type: 'item', id: uuid(5), external_reference: 'I', title: 'x' },
    legacy(21, {}),
    legacy(22, { published: true }),
    legacy(23, { published: true, hidden: true }),
    legacy(24, { hidden: true }),
    legacy(25, { finished: true }),
    legacy(26, {}),
    { type: 'lot', id: uuid(27), session: uuid(26), item: uuid(5), lot_number: 1, archived: true },
    ...[{ finished: true }, {}, { hidden: true }].flatMap((fields, index) => [
      legacy(81 + index, { published: true, ...fields }),
      { type: 'lot', id: uuid(84 + index), session: uuid(81 + index), item: uuid(5), lot_number: 1 },
    ]),
    legacy(28, { titles: { nl: 'Zitting', en: 'Sitting' }, settings: { buyer_premium_percentage: '22.50' } }),
    legacy(31, { opens_at: '2099-06-01T10:00:00.000900Z' }),
    legacy(32, { opens_at: '2099-06-01T10:00:00.000500Z' }),
    { type: 'auction', id: uuid(4), external_reference: 'D', title: 'x' },
    legacy(33, {
      auction: uuid(4),
      timed: {
        first_closes_at: '2099-05-08T10:00:00Z',
        group_size: 0,
        interval_seconds: -5,
        extension_seconds: -5,
        extension_threshold_seconds: 90_000,
      },
    }),
    legacy(29, { kind: 'live', timed: null, live }),
  ],
  { defaults: { extension_seconds: 90, interval_seconds: 45, buyer_premium_percentage: '18.0' } },
)
await service.load([
  houseLine('other'),
  { type: 'increment_strategy', id: foreign, name: 'x' },
  { type: 'auction', id: uuid(14), external_reference: 'A', title: 'x' },
])
after(() => service.close())
const { post, patch, show, errorsOf, refusal, repeats } = service

let number = 0
const bodyOf = (fields: Record<string, unknown>) => ({
  auction,
  title: 'Zitting',
  external_reference: `S-${++number}`,
  opens_at,
  ...fields,
})
async function create(fields: Record<string, unknown>) {
  const { status, data, errors } = await post('sessions', bodyOf(fields))
  assert.equal(status, 201, errors.join())
  assert.deepEqual(data, await show(`sessions/${data.id}`))
  return data as typeof data & { timed: Record<string, unknown>; settings: Record<string, unknown> }
}

test('a POST creates an empty draft session, at whole seconds, and a GET of its Location reads it back', async () => {
  const reply = await post('sessions?expand[]=auction', bodyOf({ auction: uuid(2), live }))
  assert.equal(reply.status, 201)
  assert.equal(reply.location, `/api/v2/sessions/${reply.data.id}`)
  assert.deepEqual(reply.data, await show(`sessions/${reply.data.id}?expand[]=auction`))
  const { id: _, created_at, updated_at, auction: expanded, ...rest } = reply.data
  assert.equal((expanded as { id: string }).id, `auc_${uuid(2)}`)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    title: 'Zitting',
    external_reference: 'S-1',
    kind: 'live',
    opens_at: '2099-05-01T10:00:00.000Z',
    live: { closes_at: '2099-05-01T18:00:00.000Z' },
    settings: { buyer_premium_percentage: '18' },
    increment_strategy: `inc_${first}`,
    published: false,
    finished: false,
    customer_bidding_enabled: false,
  })
})

test('each omitted field comes from the latest session, else from the house, else is built in', async () => {
  const { updated_at } = await show(`auctions/${auction}`)
  const one = await create({ timed })
  assert.deepEqual(one.timed, {
    first_closes_at: '2099-05-08T10:00:00.000Z',
    group_size: 1,
    interval_seconds: 45,
    extension_threshold_seconds: 120,
    extension_seconds: 90,
  })
  assert.deepEqual([one.settings, one['increment_strategy']], [{ buyer_premium_percentage: '18' }, `inc_${first}`])
  const two = await create({
    timed: { ...timed, group_size: 3, extension_threshold_seconds: 0 },
    increment_strategy: `inc_${second}`,
  })
  assert.deepEqual(two.timed, { ...one.timed, group_size: 3, extension_threshold_seconds: 0 })
  await create({ live, settings: { buyer_premium_percentage: '25.1230' } })
  const four = await create({ timed: { ...timed, interval_seconds: 7 } })
  assert.deepEqual(four.timed, { ...two.timed, interval_seconds: 7 })
  assert.deepEqual(
    [four.settings, four['increment_strategy']],
    [{ buyer_premium_percentage: '25.123' }, `inc_${second}`],
  )
  assert.equal((await show(`auctions/${auction}`))['updated_at'], updated_at)
})

test('each of many concurrent creates inherits from the session before', async () => {
  const sizes = [11, 12, 13, 14, 15, 16]
  const intervals = [101, 102, 103, 104, 105, 106]
  await Promise.all([
    ...sizes.map((group_size) => create({ timed: { ...timed, group_size } })),
    ...intervals.map((interval_seconds) => create({ timed: { ...timed, interval_seconds } })),
  ])
  const { rows } = await sql<{ group_size: number; interval_seconds: number }>`
    select group_size, interval_seconds from catalogue.sessions s
    join catalogue.auctions a on a.house_id = s.house_id and a.id = s.auction_id
    where a.public_id = ${auction} and s.kind = 'timed' order by s.id desc limit 13`.execute(service.db)
  for (const [index, before] of rows.slice(1).entries()) {
    const session = rows[index]!
    if (sizes.includes(session.group_size) && session.group_size !== before.group_size)
      assert.equal(session.interval_seconds, before.interval_seconds)
    else assert.equal(session.group_size, before.group_size)
  }
})

test('the latest session is the last created one, even if the clocks of the instances differ', async () => {
  const own = uuid(40)
  await service.load([
    houseLine('house'),
    { type: 'auction', id: own, external_reference: 'clocks', title: 'x' },
    ...['2020-03-01', '2020-01-01', '2020-02-01'].map((day, index) =>
      legacy(41 + index, {
        auction: own,
        created_at: `${day}T00:00:00Z`,
        timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 5 + index, interval_seconds: 60 },
      }),
    ),
  ])
  const createAt = async (clock: string, fields: { group_size?: number }) => {
    const body = { ...bodyOf({ auction: own }), timed: { ...timed, ...fields } }
    const { json } = await createSession(service.at(clock), body)
    return (JSON.parse(json) as { timed: { group_size: number } }).timed.group_size
  }
  assert.equal(await createAt('2026-01-01T12:00:00Z', {}), 5, 'of loaded ones the one that says so is the latest')
  await createAt('2026-01-01T12:00:00Z', { group_size: 2 })
  await createAt('2026-01-01T11:00:00Z', { group_size: 3 })
  assert.equal(await createAt('2026-01-01T11:30:00Z', {}), 3)
})

test('a create refuses an auction or a strategy that is archived or deleted meanwhile as unavailable', async () => {
  const [gone, dropped] = [uuid(50), uuid(51)]
  await service.load([
    houseLine('house'),
    { type: 'auction', id: gone, external_reference: 'gone', title: 'x' },
    { type: 'increment_strategy', id: dropped, name: 'x' },
  ])
  const outcomes = [
    await whileLocked(
      service.db,
      (tx) => sql`update catalogue.auctions set archived = true where public_id = ${gone}`.execute(tx),
      () => post('sessions', bodyOf({ auction: gone, timed })),
    ),
    await whileLocked(
      service.db,
      (tx) => sql`delete from catalogue.increment_strategies where public_id = ${dropped}`.execute(tx),
      () => post('sessions', bodyOf({ increment_strategy: dropped, timed })),
    ),
  ]
  assert.deepEqual(
    outcomes.map(([outcome]) => (outcome as PromiseFulfilledResult<{ errors: string[] }>).value.errors),
    [['auction unavailable'], ['increment_strategy unavailable']],
  )
})

test('a refusal names every error in the body and stores nothing', async () => {
  const cases: [body: unknown, errors: string[]][] = [
    [{}, ['auction required', 'title required', 'external_reference required', 'opens_at required', ' required']],
    [bodyOf({ timed, live }), [' invalid']],
    [bodyOf({ timed: null }), ['timed wrong_type']],
    [bodyOf({ live: { closes_at: '2099-05-01T10:00:00.700Z' } }), ['live.closes_at invalid']],
    [bodyOf({ title: 1, timed: { first_closes_at: opens_at } }), ['title wrong_type', 'timed.first_closes_at invalid']],
    [
      bodyOf({
        opens_at: '2099-05-01T10:00:00',
        timed: {
          group_size: 0,
          interval_seconds: 2147483648,
          extension_seconds: 86401,
          extension_threshold_seconds: 1.5,
          x: 1,
        },
      }),
      [
        'opens_at invalid',
        'timed.first_closes_at required',
        'timed.group_size out_of_range',
        'timed.interval_seconds out_of_range',
        'timed.extension_seconds out_of_range',
        'timed.extension_threshold_seconds wrong_type',
        'timed.x unknown_field',
      ],
    ],
    [
      bodyOf({
        timed,
        increment_strategy: null,
        settings: { buyer_premium_percentage: 20, vat: '1' },
        published: true,
      }),
      [
        'settings.buyer_premium_percentage wrong_type',
        'settings.vat unknown_field',
        'increment_strategy wrong_type',
        'published unknown_field',
      ],
    ],
    [
      bodyOf({ timed, auction: 'itm_x', settings: { buyer_premium_percentage: '100.0001' } }),
      ['auction invalid', 'settings.buyer_premium_percentage out_of_range'],
    ],
    [
      bodyOf({ timed, settings: { buyer_premium_percentage: '22.12345' }, external_reference: 'x'.repeat(256) }),
      ['external_reference too_long', 'settings.buyer_premium_percentage invalid'],
    ],
    [
      bodyOf({ timed, auction: uuid(14), increment_strategy: foreign }),
      ['auction unavailable', 'increment_strategy unavailable'],
    ],
    [bodyOf({ timed, auction: uuid(3) }), ['auction unavailable']],
  ]
  for (const [body, errors] of cases)
    assert.deepEqual((await errorsOf('POST', 'sessions', body)).toSorted(), errors.toSorted())
})

test('a house without a strategy can create no session', async () => {
  await service.load([houseLine('bare'), { type: 'auction', id: uuid(15), external_reference: 'A', title: 'x' }])
  const key = await service.issueKey('bare')
  const { status, errors, messages } = await post('sessions', bodyOf({ auction: uuid(15), live }), { key })
  assert.deepEqual([status, errors], [422, ['increment_strategy unavailable']])
  assert.deepEqual(messages, ['increment_strategy is left out, and the house has none to use.'])
})

test('each session of a house has its own reference, in any auction; of concurrent creates one is answered 201', async () => {
  await create({ external_reference: 'Once', live })
  const again = { external_reference: 'Once', live }
  assert.equal(await refusal('POST', 'sessions', bodyOf({ ...again, auction: uuid(2) })), '409 duplicate-reference')
  assert.equal(await refusal('POST', 'sessions', bodyOf({ ...again, auction: uuid(14) })), '409 duplicate-reference')
  const body = bodyOf({ external_reference: 'once', live })
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('sessions', body)))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, ...Array.from({ length: 7 }, () => 409)],
  )
})

test('an explicit strategy needs the permission to read strategies, an inherited one does not', async () => {
  const key = await service.issueKey('house', ['auctions.write', 'auctions.read'])
  assert.equal(
    await refusal('POST', 'sessions', bodyOf({ live, increment_strategy: first }), { key }),
    '403 missing-permission',
  )
  assert.equal((await post('sessions', bodyOf({ live }), { key })).status, 201)
})

test('only an empty, unpublished, unfinished session can be changed; for others any body is answered 409', async () => {
  for (const id of [22, 23, 25, 26]) {
    for (const body of [{}, { title: 'x' }, { nonsense: 1 }, null]) {
      assert.equal(await refusal('PATCH', `sessions/${uuid(id)}`, body), '409 session-not-editable')
    }
  }
  assert.equal((await patch(`sessions/${uuid(24)}`, { title: 'x' })).status, 200)
  assert.equal(await refusal('PATCH', `sessions/${uuid(99)}`, { nonsense: 1 }), '404 not-found')
})

test('the reason of a refusal is the first that holds of finished, published, hidden and has_lots', async () => {
  const reasons = [
    [22, 'published'],
    [23, 'hidden'],
    [25, 'finished'],
    [26, 'has_lots'],
    [81, 'finished'],
    [82, 'published'],
    [83, 'hidden'],
  ] as const
  for (const [id, reason] of reasons) {
    const answer = await patch(`sessions/${uuid(id)}`, { title: 'x' })
    assert.deepEqual([answer.status, answer.reason], [409, reason], String(id))
  }
  assert.equal((await patch(`sessions/${uuid(24)}`, { title: '' })).reason, undefined)
})

test('timing is replaced only as a whole: opens_at with the complete block of the session’s kind', async () => {
  const path = `sessions/${uuid(21)}`
  const block = { ...timed, group_size: 2, interval_seconds: 30 }
  const cases: [body: unknown, errors: string[]][] = [
    [{ opens_at }, ['timed required']],
    [{ timed: block }, ['opens_at required']],
    [{ opens_at, timed }, ['timed.group_size required', 'timed.interval_seconds required']],
    [{ opens_at, live }, ['live invalid', 'timed required']],
    [{ opens_at, timed: block, live }, ['live invalid']],
    [{ opens_at: null, timed: null }, ['opens_at not_clearable', 'timed not_clearable']],
    [{ opens_at: timed.first_closes_at, timed: block }, ['timed.first_closes_at invalid']],
    [
      { settings: { buyer_premium_percentage: null }, title: '', kind: 'live', auction },
      ['settings.buyer_premium_percentage not_clearable', 'title blank', 'kind unknown_field', 'auction unknown_field'],
    ],
    [
      { increment_strategy: first, external_reference: 'x', settings: null },
      ['increment_strategy unknown_field', 'external_reference unknown_field', 'settings not_clearable'],
    ],
  ]
  for (const [body, errors] of cases)
    assert.deepEqual((await errorsOf('PATCH', path, body)).toSorted(), errors.toSorted())

  const before = await show(path)
  const { data } = await patch(path, { opens_at: '2099-05-02T00:00:00Z', timed: { ...block, extension_seconds: 5 } })
  const expected = {
    first_closes_at: '2099-05-08T10:00:00.000Z',
    group_size: 2,
    interval_seconds: 30,
    extension_threshold_seconds: 120,
    extension_seconds: 5,
  }
  assert.deepEqual(data, {
    ...before,
    opens_at: '2099-05-02T00:00:00.000Z',
    timed: expected,
    updated_at: data['updated_at'],
  })
  assert.deepEqual(
    (await patch(path, { opens_at: '2099-05-02T00:00:00Z', timed: { ...block, group_size: 4 } })).data['timed'],
    { ...expected, group_size: 4 },
  )
  const closed = await patch(`sessions/${uuid(29)}`, { opens_at, live: { closes_at: '2099-05-03T00:00:00Z' } })
  assert.deepEqual(closed.data['live'], { closes_at: '2099-05-03T00:00:00.000Z' })
})

test('a repeated value changes no row, even if the older system stored less or finer values', async () => {
  const path = `sessions/${uuid(28)}`
  const block = { first_closes_at: '2099-05-08T12:00:00+02:00', group_size: 1, interval_seconds: 60 }
  const shown = await show(path)
  await repeats(path, {})
  await repeats(path, { title: 'Zitting', settings: {} })
  await repeats(path, { settings: { buyer_premium_percentage: '22.5000' } })
  await repeats(path, { opens_at: shown['opens_at'], timed: block })
  await repeats(path, {
    opens_at: '2099-05-01T10:00:00Z',
    timed: { ...block, extension_seconds: 90, extension_threshold_seconds: 120 },
  })
})

test('a change writes only the given values, in the default locale', async () => {
  const path = `sessions/${uuid(28)}`
  await patch(path, { title: 'Middag' })
  const { rows } = await sql`select titles, extension_seconds, to_char(opens_at at time zone 'UTC', 'MS') as fraction
    from catalogue.sessions where external_reference = '28'`.execute(service.db)
  assert.deepEqual(rows, [{ titles: { nl: 'Middag', en: 'Sitting' }, extension_seconds: null, fraction: '250' }])
})

test('a value that the body omits stays as stored, to the microsecond, which decides the order', async () => {
  const fractions = async () => {
    const { rows } = await sql<{ fraction: string }>`select to_char(opens_at at time zone 'UTC', 'US') as fraction
      from catalogue.sessions where external_reference in ('31', '32') order by external_reference`.execute(service.db)
    return rows.map(({ fraction }) => fraction)
  }
  const before = await fractions()
  assert.deepEqual(before, ['000900', '000500'])
  await patch(`sessions/${uuid(31)}`, { settings: { buyer_premium_percentage: '5' } })
  await patch(`sessions/${uuid(32)}`, {
    title: 'Avond',
    opens_at: '2099-06-01T10:00:00Z',
    timed: { first_closes_at: '2099-06-08T10:00:00Z', group_size: 2, interval_seconds: 60 },
  })
  assert.deepEqual(await fractions(), before)
})

test('a new session does not inherit values out of range from an older system', async () => {
  const { timed: inherited } = await create({ auction: uuid(4), timed })
  assert.deepEqual(inherited, {
    first_closes_at: '2099-05-08T10:00:00.000Z',
    group_size: 1,
    interval_seconds: 45,
    extension_threshold_seconds: 120,
    extension_seconds: 90,
  })
})
