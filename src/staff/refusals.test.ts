import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { checksum } from '../../test/support/rehearsing.ts'
import { startService } from '../../test/support/service.ts'
import { problems } from '../problems.ts'

const past = '2020-01-01T00:00:00Z'
const future = '2099-01-01T00:00:00Z'
const soon = '2098-12-31T12:03:00Z'

const names = [
  'running',
  'draft',
  'disabled',
  'soon',
  'prepared',
  'fixed',
  'over',
  'finished',
  'ended',
  'early',
  'bidden',
  'archived',
] as const
type Session = (typeof names)[number]
const session = (name: Session) => `ses_${uuid(100 * (names.indexOf(name) + 1))}`
const lot = (name: Session, number: number) => `lot_${uuid(100 * (names.indexOf(name) + 1) + number)}`
const item = (number: number) => `itm_${uuid(number)}`

function sessionLines(name: Session, change: object, ...lots: object[]): Line[] {
  const times = { opens_at: past, timed: { first_closes_at: future, group_size: 1, interval_seconds: 60 } }
  const open = { active: true, starting_bid: eur(1000), closes_at: future, scheduled_closes_at: future }
  const flags = { published: true, customer_bidding_enabled: true }
  const fields = { id: session(name), auction: 'a', titles: { nl: name }, kind: 'timed', ...times, ...flags, ...change }
  return [
    { type: 'session', ...fields },
    ...lots.map((own, index) => {
      const place = { id: lot(name, index + 1), session: session(name), item: item(1), lot_number: index + 1 }
      return { type: 'lot', ...place, ...open, ...own }
    }),
  ]
}

const closed = { closes_at: past, scheduled_closes_at: past }
const withResult = (state: string) => ({ ...closed, result: { state, amount: state === 'sold' ? eur(5000) : null } })
const live = { kind: 'live', timed: null, live: { closes_at: future } }
const service = await startService({
  records: [
    houseLine('house'),
    { type: 'increment_strategy', id: uuid(9), name: 'Standaard', steps: [{ from: eur(0), increment: eur(500) }] },
    { type: 'category', id: `cat_${uuid(8)}`, slug: 'vazen' },
    { type: 'auction', ref: 'a', id: `auc_${uuid(7)}`, title: 'Voorjaar' },
    { type: 'item', id: item(1), external_reference: 'I-1', title: 'Vaas', categories: [`cat_${uuid(8)}`] },
    { type: 'item', id: item(2), external_reference: 'I-2', title: 'Kom' },
    ...sessionLines(
      'running',
      {},
      {},
      { active: false },
      withResult('withdrawn'),
      withResult('sold'),
      closed,
      withResult('unsold'),
    ),
    { type: 'bid', id: uuid(90), lot: lot('running', 1), amount: eur(2000), placed_at: past },
    { type: 'bid', id: uuid(91), lot: lot('running', 4), amount: eur(5000), placed_at: past },
    ...sessionLines('draft', { published: false }, {}),
    ...sessionLines('disabled', { customer_bidding_enabled: false }, {}),
    ...sessionLines('soon', { opens_at: soon }, {}),
    ...sessionLines('prepared', { opens_at: future.replace('2099', '2098') }, {}, {}),
    ...sessionLines('fixed', { opens_at: future.replace('2099', '2098'), numbers_fixed: true }, {}),
    ...sessionLines(
      'over',
      { timed: { first_closes_at: past, group_size: 1, interval_seconds: 60 }, opens_at: '2019-01-01T00:00:00Z' },
      closed,
      { ...closed, result: { state: 'sold', amount: eur(5000) } },
      { ...closed, result: { state: 'sold', with: lot('over', 2) } },
    ),
    ...sessionLines('finished', { finished: true }, {}, {}),
    ...sessionLines(
      'ended',
      { finished: true },
      { ...closed, result: { state: 'sold', amount: eur(5000) } },
      { ...closed, result: { state: 'sold', with: lot('ended', 1) } },
      withResult('unsold'),
    ),
    ...sessionLines(
      'early',
      { ...live, opens_at: future.replace('2099', '2098') },
      { closes_at: null, scheduled_closes_at: null },
    ),
    ...sessionLines('bidden', { opens_at: future.replace('2099', '2098') }, {}),
    ...sessionLines(
      'archived',
      { opens_at: future.replace('2099', '2098'), published: false },
      { archived: true },
      { ...withResult('unsold'), archived: true },
    ),
    { type: 'auction', id: `auc_${uuid(6)}`, title: 'Najaar', archived: true },
    { type: 'item', id: item(3), title: 'Schaal', archived: true },
    { type: 'seller', id: `sel_${uuid(5)}`, seller_number: 1, profile_name: 'A', archived: true },
    { type: 'bid', id: uuid(92), lot: lot('bidden', 1), amount: eur(2000), placed_at: past },
  ],
})
after(() => service.close())
const key = await service.issueKey('house')

type Refusal = [method: string, path: string, body?: object]
const bidOn = (name: Session, number = 1): Refusal => ['POST', `lots/${lot(name, number)}/bids`, { amount: eur(9000) }]
const change = (name: Session, number: number, body: object): Refusal => ['PATCH', `lots/${lot(name, number)}`, body]
const result = (name: Session, number: number, given: object): Refusal => change(name, number, { result: given })
const of = (name: Session, body: object): Refusal => ['PATCH', `sessions/${session(name)}`, body]
const order = (name: Session, ...numbers: number[]): Refusal => [
  'PATCH',
  `sessions/${session(name)}/order`,
  { lots: numbers.map((number) => lot(name, number)), from: 7 },
]
const add = (name: Session, given: object): Refusal => ['POST', `sessions/${session(name)}/lots`, { lots: [given] }]
const remove = (name: Session): Refusal => ['DELETE', `sessions/${session(name)}`]
const delay = (name: Session): Refusal => ['POST', `sessions/${session(name)}/delay`, { seconds: 60, reason: 'brand' }]
const results = (name: Session, ...given: object[]): Refusal => [
  'POST',
  `sessions/${session(name)}/results`,
  { results: given },
]

const refusals: Record<string, Refusal[]> = {
  finished: [
    bidOn('finished'),
    of('finished', { customer_bidding_enabled: true }),
    of('finished', { title: 'Avond' }),
    of('finished', { results: 'automatic' }),
    add('finished', { item: item(2) }),
    change('finished', 1, { starting_bid: eur(1) }),
    change('finished', 1, { lot_number: 9 }),
    change('finished', 1, { archived: true }),
    change('finished', 1, { result: null, reason: 'fout', closes_at: '2099-02-01T00:00:00Z' }),
    order('finished', 1),
    delay('finished'),
  ],
  published: [remove('prepared'), remove('finished')],
  not_published: [bidOn('draft')],
  not_open: [
    bidOn('prepared'),
    result('early', 1, { state: 'sold' }),
    results('early', { lot: lot('early', 1), state: 'unsold' }),
  ],
  opens_soon: [
    of('soon', { title: 'Avond' }),
    of('prepared', { opens_at: soon }),
    change('soon', 1, { lot_number: 9 }),
    change('soon', 1, { archived: true }),
    order('soon', 1),
    of('disabled', { title: 'Avond' }),
    of('running', { results: 'automatic' }),
  ],
  bidding_disabled: [bidOn('disabled')],
  inactive: [bidOn('running', 2)],
  closed: [bidOn('running', 5), change('running', 5, { starting_bid: eur(1) }), delay('over')],
  not_closed: [
    result('running', 1, { state: 'sold' }),
    results('running', { lot: lot('running', 1), state: 'unsold' }),
    change('running', 1, { result: null, reason: 'fout', closes_at: '2099-02-01T00:00:00Z' }),
    of('running', { finished: true, allow_without_result: true }),
  ],
  has_result: [
    bidOn('running', 4),
    change('running', 4, { held: true }),
    change('running', 4, { notice: 'Niet gesigneerd' }),
    result('running', 4, { state: 'unsold' }),
    result('running', 6, { state: 'sold', amount: eur(900) }),
    results('running', { lot: lot('running', 4), state: 'sold', amount: eur(9000) }),
    ['POST', `bids/bid_${uuid(91)}/cancel`, { reason: 'fout' }],
  ],
  withdrawn: [
    bidOn('running', 3),
    result('running', 3, { state: 'unsold' }),
    result('running', 3, { state: 'sold', after_sale: true }),
  ],
  number_taken: [add('prepared', { item: item(2), lot_number: 2 }), change('prepared', 1, { lot_number: 2 })],
  numbers_fixed: [order('fixed', 1), change('fixed', 1, { lot_number: 9 })],
  in_use: [
    add('prepared', { item: item(1) }),
    ['PATCH', `items/${item(1)}`, { archived: true }],
    ['PATCH', `auctions/auc_${uuid(7)}`, { archived: true }],
    ['DELETE', `categories/cat_${uuid(8)}`],
    remove('draft'),
    change('over', 2, { result: null, reason: 'fout' }),
    result('over', 2, { state: 'unsold', correct: true }),
  ],
  has_bids: [
    change('running', 1, { starting_bid: eur(1) }),
    of('bidden', { title: 'Avond' }),
    change('bidden', 1, { lot_number: 9 }),
    change('bidden', 1, { archived: true }),
    order('bidden', 1),
  ],
  without_result: [of('over', { finished: true }), result('over', 1, { state: 'sold', after_sale: true })],
}

test('each reason of a conflict is met by the operations that it hinders, and nothing changes', async () => {
  assert.deepEqual(Object.keys(refusals).toSorted(), Object.keys(problems.conflict.reasons).toSorted())
  const refuse = async (reason: string, [method, path, body]: Refusal) => {
    if (reason === 'opens_soon') mock.timers.enable({ apis: ['Date'], now: Date.parse('2098-12-31T12:00:00Z') })
    const reply = await service.request({ method, url: `/staff/v1/${path}`, key, ...(body && { body }) })
    mock.timers.reset()
    const where = `${reason}: ${method} ${path} ${JSON.stringify(body)} ${reply.payload}`
    assert.equal(reply.statusCode, 409, where)
    assert.equal(reply.json<{ reason: string }>().reason, reason, where)
  }
  const calls = Object.entries(refusals).flatMap(([reason, each]) => each.map((call) => [reason, call] as const))
  const isBid = ([, [, path]]: (typeof calls)[number]) => path.endsWith('/bids')
  // A refused bid has its row in the journal.
  for (const call of calls.filter(isBid)) await refuse(...call)
  const before = await checksum(service.db)
  for (const call of calls.filter((each) => !isBid(each))) await refuse(...call)
  assert.equal(await checksum(service.db), before)
})

type Conflicts = {
  reason: string
  count: number
  conflicts: { record: string | null; reason: string; detail: string; used_by?: string[] | null }[]
  errors?: unknown
}

async function refuseBulk(method: string, path: string, body: object, as = key): Promise<Conflicts> {
  const reply = await service.request({ method, url: `/staff/v1/${path}`, key: as, body })
  assert.equal(reply.statusCode, 409, reply.payload)
  return reply.json<Conflicts>()
}

test('all that hinders lots to add is named at once, once for each record and reason, with the lots that offer an item', async () => {
  const path = `sessions/${session('prepared')}/lots`
  const lots = [{ item: item(2) }, { item: item(1) }, { item: item(2) }, { item: item(1), again: true, lot_number: 2 }]
  const { conflicts, ...answer } = await refuseBulk('POST', path, { lots: [...lots, { item: item(1) }] })
  assert.deepEqual([answer.reason, answer.count, answer.errors], ['in_use', 3, undefined])
  assert.deepEqual(
    conflicts.map(({ record, reason, used_by }) => [record, reason, used_by?.length]),
    [
      [item(1), 'in_use', 10],
      [item(2), 'in_use', 0],
      [lot('prepared', 2), 'number_taken', undefined],
    ],
  )
  const [found] = conflicts[0]!.used_by!
  const shown = await service.get(`/api/v2/lots/${found}`, key)
  assert.equal(shown.json<{ data: { item: string } }>().data.item, item(1))
})

test('all results that the state of lots refuses are named at once, and nothing is recorded', async () => {
  const before = await checksum(service.db)
  const results = [1, 2, 3, 4, 6].map((number) => ({ lot: lot('running', number), state: 'sold', amount: eur(9000) }))
  const { conflicts, reason, count } = await refuseBulk('POST', `sessions/${session('running')}/results`, { results })
  assert.deepEqual([reason, count], ['not_closed', 5])
  assert.deepEqual(
    conflicts.map((each) => [each.record, each.reason]),
    [
      [lot('running', 1), 'not_closed'],
      [lot('running', 2), 'not_closed'],
      [lot('running', 3), 'withdrawn'],
      [lot('running', 4), 'has_result'],
      [lot('running', 6), 'has_result'],
    ],
  )
  assert.equal(await checksum(service.db), before)
})

test('all that keeps the lots of a session from new numbers is named at once', async () => {
  const { conflicts, reason, count } = await refuseBulk('PATCH', `sessions/${session('running')}/order`, { lots: [] })
  assert.deepEqual([reason, count], ['opens_soon', 2])
  assert.deepEqual(
    conflicts.map((each) => [each.record, each.reason]),
    [
      [session('running'), 'opens_soon'],
      [session('running'), 'has_bids'],
    ],
  )
})

test('all that hinders changes of lots is named at once, once for each record and reason', async () => {
  const before = await checksum(service.db)
  const change = async (name: Session, changes: Record<number, object>) => {
    const lots = Object.entries(changes).map(([number, body]) => ({ lot: lot(name, Number(number)), ...body }))
    const { reason, count, conflicts } = await refuseBulk('PATCH', `sessions/${session(name)}/lots`, { lots })
    return { reason, count, conflicts: conflicts.map((each) => [each.record, each.reason]) }
  }
  const bid = { starting_bid: eur(1) }
  const running = await change('running', { 1: bid, 2: bid, 3: { notice: 'x' }, 4: { ...bid, held: true }, 5: bid })
  assert.deepEqual(running, {
    reason: 'has_bids',
    count: 6,
    conflicts: [
      [lot('running', 1), 'has_bids'],
      [lot('running', 3), 'has_result'],
      [lot('running', 4), 'closed'],
      [lot('running', 4), 'has_bids'],
      [lot('running', 4), 'has_result'],
      [lot('running', 5), 'closed'],
    ],
  })
  const conflicts = [[session('finished'), 'finished']]
  assert.deepEqual(await change('finished', { 1: bid, 2: bid }), { reason: 'finished', count: 1, conflicts })
  assert.equal(await checksum(service.db), before)
})

test('of many conflicts the first hundred are listed, and all are counted', async () => {
  const numbers = Array.from({ length: 120 }, (_, index) => index + 1)
  const lots = numbers.map((number) => `lot_${uuid(20_000 + number)}`)
  await service.load([
    houseLine('many'),
    { type: 'auction', ref: 'a', title: 'Voorjaar' },
    { type: 'item', ref: 'i', title: 'Vaas' },
    ...sessionLines('running', { id: `ses_${uuid(20_000)}` }),
    ...lots.map((id, index): Line => {
      const own = { lot_number: index + 1, active: true, closes_at: future, scheduled_closes_at: future }
      return { type: 'lot', id, session: `ses_${uuid(20_000)}`, item: 'i', ...own }
    }),
  ])
  const body = { results: lots.map((each) => ({ lot: each, state: 'unsold' })) }
  const many = await service.issueKey('many')
  const { reason, count, conflicts } = await refuseBulk('POST', `sessions/ses_${uuid(20_000)}/results`, body, many)
  assert.deepEqual([reason, count], ['not_closed', 120])
  assert.deepEqual(
    conflicts.map(({ record }) => record),
    lots.slice(0, 100),
  )
})

test('the state of a record is reported before the rules that its change breaks', async () => {
  const wrongTimes = { timed: { first_closes_at: past } }
  const bulk = (method: string, name: Session, list: string, body: object): Refusal => [
    method,
    `sessions/${session(name)}/${list}`,
    body,
  ]
  const [of1, ofOther] = [{ lot: lot('running', 1) }, { lot: lot('over', 1) }]
  const unsold = { state: 'unsold' }
  const tooLow = { lot: lot('running', 4), state: 'sold', amount: eur(1), correct: true }
  const cases: [reason: string, call: Refusal][] = [
    ['opens_soon', of('running', wrongTimes)],
    ['opens_soon', of('running', { increment_strategy: `inc_${uuid(99)}` })],
    ['finished', of('finished', wrongTimes)],
    ['has_bids', of('bidden', wrongTimes)],
    ['opens_soon', order('running', 1)],
    ['finished', order('finished', 9)],
    ['has_bids', order('bidden', 1, 9)],
    ['numbers_fixed', order('fixed', 9)],
    ['in_use', result('over', 2, { state: 'sold', with: lot('over', 2), correct: true })],
    ['in_use', result('ended', 1, { state: 'unsold', correct: true })],
    ['in_use', change('over', 2, { result: null })],
    ['finished', change('ended', 3, { result: null })],
    ['not_closed', change('running', 1, { result: null, closes_at: future })],
    ['not_closed', ['POST', `sessions/${session('running')}/results`, { unsold: [lot('running', 1), lot('over', 1)] }]],
    ['in_use', bulk('POST', 'prepared', 'lots', { lots: [{ item: item(1) }, { item: item(3) }] })],
    ['has_bids', bulk('PATCH', 'running', 'lots', { lots: [{ ...of1, starting_bid: eur(1) }, ofOther] })],
    [
      'not_closed',
      bulk('POST', 'running', 'results', {
        results: [
          { ...of1, ...unsold },
          { ...ofOther, ...unsold },
        ],
      }),
    ],
    ['not_closed', bulk('POST', 'running', 'results', { results: [{ ...of1, ...unsold }, tooLow] })],
  ]
  for (const [reason, [method, path, body]] of cases) {
    const reply = await service.request({ method, url: `/staff/v1/${path}`, key, body })
    assert.equal(reply.statusCode, 409, `${path} ${JSON.stringify(body)} ${reply.payload}`)
    assert.equal(reply.json<{ reason: string }>().reason, reason)
  }
  for (const [method, path, body] of [of('prepared', wrongTimes), order('prepared', 1)])
    assert.equal((await service.request({ method, url: `/staff/v1/${path}`, key, body })).statusCode, 422)
})

test('an archived record can only be archived again: every other change of it is 404, an empty one too', async () => {
  const again = { archived: true }
  const changes = [
    {},
    { starting_bid: eur(1000) },
    { starting_bid: eur(1) },
    { lot_number: 1 },
    { held: true },
    { held: false },
    { notice: 'Niet gesigneerd' },
    { notice: null },
    { result: { state: 'withdrawn' } },
    { result: null, reason: 'fout' },
  ]
  const lots = [1, 2].map((number) => `staff/v1/lots/${lot('archived', number)}`)
  const records: [path: string, changes: object[]][] = [
    ...lots.map((path): [string, object[]] => [
      path,
      [...changes, ...changes.slice(1).map((each) => ({ ...each, ...again }))],
    ]),
    [
      `staff/v1/auctions/auc_${uuid(6)}`,
      [{}, { published: true }, { published: false }, { published: false, ...again }],
    ],
    [`staff/v1/sellers/sel_${uuid(5)}`, [{}, { profile_name: 'A' }, { profile_name: 'B', ...again }]],
    [`api/v2/auctions/auc_${uuid(6)}`, [{}, { title: 'Najaar' }]],
    [`api/v2/items/${item(3)}`, [{}, { title: 'Schaal' }]],
    [`api/v2/items/${item(3)}/gallery`, [{}, { images: [] }]],
    [`api/v2/lots/${lot('archived', 1)}`, [{ active: true }, { active: false }]],
  ]
  const send = (path: string, body: object, headers = {}) =>
    service.request({ method: 'PATCH', url: `/${path}`, key, body, headers })
  for (const [path, each] of records)
    for (const body of each)
      for (const headers of 'archived' in body ? [{}] : [{}, { 'if-match': '"x"' }]) {
        const reply = await send(path, body, headers)
        // An excluded pair of fields is an error of the body's shape.
        const excluded = 'result' in body && 'archived' in body
        assert.equal(reply.statusCode, excluded ? 422 : 404, `${path} ${JSON.stringify(body)} ${reply.payload}`)
      }
  for (const path of [
    ...lots,
    `staff/v1/auctions/auc_${uuid(6)}`,
    `staff/v1/items/${item(3)}`,
    `staff/v1/sellers/sel_${uuid(5)}`,
  ])
    assert.equal((await send(path, again)).statusCode, 200, path)
})

test('an increment that no bid can follow is refused, and a lot whose loaded step has one takes a bid at the largest amount', async () => {
  const most = Number.MAX_SAFE_INTEGER
  const create = (increment: number) => {
    const body = { name: `Stap ${increment}`, steps: [{ from: eur(0), increment: eur(increment) }] }
    return service.request({ method: 'POST', url: '/staff/v1/increment_strategies', key, body })
  }
  for (const increment of [most, 214_748_364_701]) {
    const reply = await create(increment)
    const { errors } = reply.json<{ errors: { field: string; code: string }[] }>()
    assert.deepEqual(
      errors.map(({ field, code }) => [field, code]),
      [['steps.0.increment.amount', 'out_of_range']],
    )
  }
  assert.equal((await create(214_748_364_700)).statusCode, 201)

  await service.load([
    houseLine('steep'),
    { type: 'increment_strategy', ref: 's', name: 'Steil', steps: [{ from: eur(0), increment: eur(most) }] },
    { type: 'auction', ref: 'a', title: 'Voorjaar' },
    { type: 'item', id: item(9_001), title: 'Vaas' },
    ...sessionLines('running', { id: `ses_${uuid(9_000)}`, increment_strategy: 's' }).slice(0, 1),
    {
      type: 'lot',
      id: `lot_${uuid(9_002)}`,
      session: `ses_${uuid(9_000)}`,
      item: item(9_001),
      lot_number: 1,
      active: true,
      starting_bid: eur(1000),
      closes_at: future,
      scheduled_closes_at: future,
    },
  ])
  const own = await service.issueKey('steep', ['bids', 'lots.read'])
  const bid = async (amount: number) => {
    const url = `/staff/v1/lots/lot_${uuid(9_002)}/bids`
    const reply = await service.request({ method: 'POST', url, key: own, body: { amount: eur(amount) } })
    return reply.statusCode === 200 ? 200 : reply.json<{ errors: { minimum?: unknown }[] }>().errors[0]!.minimum
  }
  assert.deepEqual([await bid(1000), await bid(2000), await bid(most)], [200, eur(most), 200])
  assert.deepEqual(await bid(most), eur(most), 'no bid repeats the highest one')
})
