import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { eur, houseLine, uuid, type Line } from './support/lines.ts'
import { startService, type Call } from './support/service.ts'

// Clerks, bidders and the office work on one lot at once. Afterwards the journal must lead from the lot that was loaded to
// the lot that is shown, one row after the other.
// ROUNDS=500 SEED=2 npm run test:file test/clerks.long.test.ts

const rounds = Number(process.env.ROUNDS ?? 150)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
let state = seed
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const hour = 3600

// Each round has a session of its own with two lots. The clerks work on the first one.
type Round = { session: string; lot: string; other: string; bid: string; items: string[] }
const roundOf = (round: number): Round => ({
  session: `ses_${uuid(100_000 + round)}`,
  lot: `lot_${uuid(200_000 + round)}`,
  other: `lot_${uuid(300_000 + round)}`,
  bid: uuid(400_000 + round),
  items: [1, 2, 3].map((number) => `itm_${uuid(number)}`),
})

const bidden = { current_bid: eur(5000) }
const closed = { closes_at: inSeconds(-hour), scheduled_closes_at: inSeconds(-hour) }
const timed = { kind: 'timed', timed: { first_closes_at: inSeconds(9 * hour), group_size: 1, interval_seconds: 60 } }
const live = { kind: 'live', live: { closes_at: inSeconds(9 * hour) } }
const sold = { result: { state: 'sold', amount: eur(5000) } }

/** What a round begins with: fields of its session, and of its first lot. */
const beginnings: [object, object][] = [
  [timed, {}],
  [timed, bidden],
  [timed, closed],
  [timed, { ...closed, ...bidden }],
  [timed, { ...closed, ...bidden, ...sold }],
  [timed, { ...closed, result: { state: 'unsold' } }],
  [timed, { result: { state: 'withdrawn' } }],
  [live, { closes_at: null, scheduled_closes_at: null }],
  [live, { closes_at: null, scheduled_closes_at: null, ...bidden, ...sold }],
  [
    { ...timed, finished: true },
    { ...closed, ...bidden, ...sold },
  ],
  [{ ...timed, opens_at: inSeconds(8 * hour) }, {}],
]

function linesOf(round: number): Line[] {
  const { session, lot, other, bid, items } = roundOf(round)
  const [ofSession, ofLot] = beginnings[round % beginnings.length]!
  const place = { session, active: true, starting_bid: eur(1000) }
  const close = { closes_at: inSeconds(9 * hour), scheduled_closes_at: inSeconds(9 * hour) }
  const isLive = 'live' in ofSession
  const flags = { published: true, customer_bidding_enabled: true }
  const fields = { opens_at: inSeconds(-2 * hour), increment_strategy: uuid(9), ...flags, ...ofSession }
  return [
    { type: 'session', id: session, auction: uuid(8), titles: { nl: 'Zitting' }, ...fields },
    { type: 'lot', id: lot, item: items[0], lot_number: 1, ...place, ...close, ...ofLot },
    { type: 'lot', id: other, item: items[1], lot_number: 2, ...place, ...(!isLive && close) },
    ...('current_bid' in ofLot
      ? [{ type: 'bid', id: bid, lot, amount: eur(5000), placed_at: inSeconds(-1.5 * hour) } as Line]
      : []),
  ]
}

type Sent = { method: string; url: string; body: unknown }

const result = (body: object) => ({ result: body })
/** What people do with the lot of a round. */
const works: Record<string, (round: Round) => Sent> = {
  bid: ({ lot }) => ({ method: 'POST', url: `lots/${lot}/bids`, body: { amount: eur(6000 + 500 * random(20)) } }),
  withdraw: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: result({ state: 'withdrawn' }) }),
  hold: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: { held: true } }),
  release: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: { held: false } }),
  sell: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: result({ state: 'sold' }) }),
  pass: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: result({ state: 'unsold' }) }),
  correct: ({ lot }) => ({
    method: 'PATCH',
    url: `lots/${lot}`,
    body: result({ state: 'sold', amount: eur(20_000 + random(3)), correct: true, reason: 'misheard' }),
  }),
  sellAfterwards: ({ lot }) => ({
    method: 'PATCH',
    url: `lots/${lot}`,
    body: result({ state: 'sold', after_sale: true, amount: eur(100) }),
  }),
  sellTogether: ({ lot, other }) => ({
    method: 'PATCH',
    url: `lots/${other}`,
    body: result({ state: 'sold', with: lot, correct: true, reason: 'a pair' }),
  }),
  takeBack: ({ lot }) => ({
    method: 'PATCH',
    url: `lots/${lot}`,
    body: { result: null, reason: 'wrong', correct: true },
  }),
  reopen: ({ lot }) => ({
    method: 'PATCH',
    url: `lots/${lot}`,
    body: { result: null, reason: 'too early', closes_at: inSeconds(10 * hour) },
  }),
  cancel: ({ bid }) => ({ method: 'POST', url: `bids/bid_${bid}/cancel`, body: { reason: 'a wrong paddle' } }),
  startAt: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: { starting_bid: eur(1000 + random(9)) } }),
  announce: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: { notice: `haarscheur ${random(9)}` } }),
  number: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: { lot_number: 2 + random(4) } }),
  archive: ({ lot }) => ({ method: 'PATCH', url: `lots/${lot}`, body: { archived: true } }),
  recordAll: ({ session }) => ({ method: 'POST', url: `sessions/${session}/results`, body: {} }),
  order: ({ session, lot, other }) => ({
    method: 'PATCH',
    url: `sessions/${session}/order`,
    body: { lots: [other, lot], from: 1 + random(3) },
  }),
  add: ({ session, items }) => ({
    method: 'POST',
    url: `sessions/${session}/lots`,
    body: { lots: [{ item: items[2], again: true, ...(random(2) === 0 && { lot_number: 3 + random(3) }) }] },
  }),
  delay: ({ session }) => ({
    method: 'POST',
    url: `sessions/${session}/delay`,
    body: { seconds: 60, reason: 'storm' },
  }),
  finish: ({ session }) => ({
    method: 'PATCH',
    url: `sessions/${session}`,
    body: { finished: true, early: true, allow_without_result: true },
  }),
  disable: ({ session }) => ({
    method: 'PATCH',
    url: `sessions/${session}`,
    body: { customer_bidding_enabled: false },
  }),
  activate: ({ session, lot }) => ({
    method: 'PATCH',
    url: `/api/v2/sessions/${session}/lots`,
    body: { lots: [lot], active: random(2) === 0 },
  }),
}

type Money = { amount: number } | null
type Shown = {
  [field: string]: unknown
  session: { opens_at: string; kind: string }
  lot_number: number
  current_bid: Money
  closes_at: string
  result: { state: string; amount: Money; at: string | null; after_sale: boolean } | null
}
type Bid = { id: string; amount: { amount: number }; placed_at: string; cancelled_at: string | null }
type Row = {
  operation: string
  reason: string | null
  changes: { record: string; field: string; old: unknown; new: unknown }[]
}

const service = await startService({
  records: [
    houseLine('house'),
    { type: 'increment_strategy', id: uuid(9), name: 'Standard', steps: [{ from: eur(0), increment: eur(500) }] },
    { type: 'auction', id: uuid(8), title: 'Voorjaar', published: true },
    ...[1, 2, 3].map((number) => ({ type: 'item', id: uuid(number), title: `Vaas ${number}` })),
    ...Array.from({ length: rounds }, (_, round) => linesOf(round)).flat(),
  ],
})
after(() => service.close())
const key = await service.issueKey('house')

// A busy machine may answer that it is overloaded.
async function ask(call: Call) {
  for (;;) {
    const reply = await service.request({ ...call, key })
    if (reply.statusCode !== 503) return reply
  }
}

async function send({ method, url, body }: Sent) {
  const path = url.startsWith('/') ? url : `/staff/v1/${url}`
  const reply = await ask({ method, url: path, body, headers: { 'idempotency-key': randomUUID() } })
  const { reason } = reply.json<{ reason?: string }>()
  return { status: reply.statusCode, reason, payload: reply.payload }
}

async function list<T>(url: string): Promise<T[]> {
  const reply = await ask({ url })
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<{ data: T[] }>().data
}

// Fields that the journal names, as the document has them.
const valueOf = (shown: Shown, field: string): unknown => {
  if (field.startsWith('notice_translations.')) return shown.notice
  return shown[field] ?? null
}

const compared = ['current_bid', 'starting_bid', 'lot_number', 'active', 'notice_translations.nl']

async function check(round: Round, before: Shown, done: { name: string; status: number }[]): Promise<void> {
  const rows = (await list<Row>(`/staff/v1/journal?record=${round.lot}&limit=100`)).toReversed()
  const bids = await list<Bid>(`/staff/v1/lots/${round.lot}/bids`)
  const reply = await ask({ url: `/api/v2/lots/${round.lot}` })
  // Before the opening, closes are computed anew with each change of numbers, which leaves no row. A live lot has the
  // close of its session, and the row of a delay names the session.
  const hasOpened = before.session.opens_at < inSeconds(0)
  const hasOwnClose = hasOpened && before.session.kind === 'timed'
  const isCompared = (field: string) => compared.includes(field) || (hasOwnClose && field === 'closes_at')
  const known = new Map<string, unknown>()
  const archived = reply.statusCode === 404
  assert.equal(
    archived,
    rows.some(({ changes }) => changes.some(({ field }) => field === 'archived')),
  )
  for (const { changes } of rows)
    for (const { record, field, old, new: next } of changes) {
      if (record !== round.lot) continue
      const last = known.has(field) ? known.get(field) : isCompared(field) ? valueOf(before, field) : old
      assert.deepEqual(old, last, `${field}: a row begins where the one before it ended`)
      known.set(field, next)
    }
  // One row for each accepted bid, and for each that the lot refused.
  const ofBids = rows.filter(({ operation }) => operation === 'placeBid')
  assert.equal(ofBids.length, done.filter(({ name }) => name === 'bid').length)
  assert.equal(
    ofBids.filter(({ reason }) => reason === null).length,
    done.filter(({ name, status }) => name === 'bid' && status === 200).length,
  )
  if (archived) return
  const shown = reply.json<{ data: Shown }>().data
  for (const [field, value] of known)
    if (isCompared(field)) assert.deepEqual(valueOf(shown, field), value, `${field} is as the journal says`)
  const standing = bids.filter((each) => each.cancelled_at === null).map((each) => each.amount.amount)
  assert.equal(shown.current_bid?.amount ?? null, standing.length === 0 ? null : Math.max(...standing))
  if (hasOpened) assert.ok(shown.closes_at >= before.closes_at, 'no close moves earlier')
  if (!shown.result) return
  const { state: ended, amount, at, after_sale } = shown.result
  if (known.has('result')) assert.equal((known.get('result') as { state: string }).state, ended)
  if (ended === 'sold' && !after_sale && amount && shown.current_bid)
    assert.ok(amount.amount >= shown.current_bid.amount, 'no price is below the highest bid')
  if (at !== null) for (const each of bids) assert.ok(each.placed_at <= at, 'no bid is later than the result')
}

test(`the journal leads to what is shown, however many people work on one lot at once (SEED=${seed})`, async () => {
  const tally = new Map<string, number>()
  for (let number = 0; number < rounds; number++) {
    const round = roundOf(number)
    const before = (await ask({ url: `/api/v2/lots/${round.lot}?expand[]=session` })).json<{ data: Shown }>().data
    const names = Array.from({ length: 2 + random(3) }, () => pick(Object.keys(works)))
    const answers = await Promise.all(names.map((name) => send(works[name]!(round))))
    const done = answers.map((answer, index) => ({ name: names[index]!, ...answer }))
    const story = `round ${number}: ${done.map(({ name, status, reason = '' }) => `${name} ${status} ${reason}`).join(', ')}`
    for (const { name, status, reason, payload } of done) {
      assert.ok([200, 201, 404, 409, 422].includes(status), `${story} ${payload}`)
      assert.ok(status !== 409 || reason !== undefined, `${story} ${payload}`)
      const outcome = `${name} ${status} ${reason ?? ''}`
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1)
    }
    const all = (await list<Shown>(`/api/v2/lots?session=${round.session}`)).map((each) => each.lot_number)
    assert.equal(new Set(all).size, all.length, `${story}: two lots have one number`)
    await check(round, before, done).catch((error: unknown) => {
      throw new Error(story, { cause: error })
    })
  }
  const accepted = [...tally].filter(([outcome]) => / 20[01] /.test(outcome))
  assert.ok(accepted.length > 1, 'nothing was done')
})
