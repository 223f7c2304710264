import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openLiveSessions } from '../../test/support/contract.ts'
import { catalogueOf, eur } from '../../test/support/lines.ts'
import { checksum } from '../../test/support/rehearsing.ts'
import { startService, type Call } from '../../test/support/service.ts'

const [ours, theirs] = [catalogueOf(1), catalogueOf(2)]
const service = await startService({ records: [...ours.lines, ...theirs.lines] })
after(() => service.close())
await openLiveSessions(service, [ours, theirs])
const [key, foreign] = [await service.issueKey(ours.slug), await service.issueKey(theirs.slug)]
const { ids } = ours
const results = `/staff/v1/sessions/${ids.liveSession}/results`
const lot = `/staff/v1/lots/${ids.liveLot}`

type Reply = { data: unknown; reason?: string; errors?: { field: string; code: string; minimum?: unknown }[] }
type Shown = { result: { state: string; amount: unknown } | null; current_bid: unknown; notice: string | null }

async function send(method: string, url: string, body?: unknown, changes: Partial<Call> = {}) {
  const reply = await service.request({ method, url, key, ...(body !== undefined && { body }), ...changes })
  return { status: reply.statusCode, ...reply.json<Reply>() }
}

const sold = (amount: number, more = {}) => ({
  results: [{ lot: ids.liveLot, state: 'sold', amount: eur(amount), ...more }],
})
const shown = async () => (await send('GET', `/api/v2/lots/${ids.liveLot}`)).data as Shown
const rows = async () =>
  (await send('GET', `/staff/v1/journal?limit=100&record=${ids.liveLot}`)).data as {
    operation: string
    record: string
    reason: string | null
  }[]

test('a key of another house leaves everything as it is', async () => {
  const before = await checksum(service.db)
  for (const [method, url, body] of [
    ['POST', results, sold(9000)],
    ['PATCH', lot, { result: { state: 'withdrawn' } }],
    ['POST', `/staff/v1/bids/${ids.bid}/cancel`, { reason: 'Wrong' }],
  ] as const)
    assert.equal((await send(method, url, body, { key: foreign })).status, 404, url)
  const theirSession = `/staff/v1/sessions/${theirs.ids.liveSession}/results`
  const refused = await send('POST', theirSession, sold(9000), { key: foreign })
  assert.deepEqual([refused.status, refused.errors![0]!.field], [422, 'results.0.lot'])
  assert.equal(await checksum(service.db), before)
})

test('a result that the body has wrong is 422 at its field, and one that the lot has not is 409 with a reason', async () => {
  assert.equal((await send('POST', `${lot}/bids`, { amount: eur(5000) })).status, 200)
  const low = await send('POST', results, sold(4999))
  assert.deepEqual([low.status, low.errors![0]!.field, low.errors![0]!.minimum], [422, 'results.0.amount', eur(5000)])
  const one = await send('PATCH', lot, { result: { state: 'sold', amount: eur(1) } })
  assert.deepEqual([one.status, one.errors![0]!.field], [422, 'result.amount'])
  const timed = await send('PATCH', `/staff/v1/lots/${ids.lot}`, { result: { state: 'unsold' } })
  assert.deepEqual([timed.status, timed.reason], [409, 'not_closed'])
  for (const body of [
    { archived: true, result: { state: 'withdrawn' } },
    { result: { state: 'withdrawn' }, closes_at: '2099-01-01T00:00:00Z' },
    { result: null },
    { result: { state: 'unsold', amount: eur(100) } },
    { result: { state: 'sold', amount: { amount: 900, currency: 'USD' } } },
  ])
    assert.equal((await send('PATCH', lot, body)).status, 422, JSON.stringify(body))
  assert.equal((await send('POST', results, { except: [], results: [] })).status, 422)
})

test('a lot that is not there is unavailable, and one that is named twice a duplicate', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000'
  const errorsOf = async (method: string, url: string, body: unknown) =>
    (await send(method, url, body)).errors!.map(({ field, code }) => `${field} ${code}`)
  const unsold = (id: string) => ({ lot: id, state: 'unsold' })
  assert.deepEqual(await errorsOf('POST', results, { results: [unsold(unknown), unsold(unknown)] }), [
    'results.0.lot unavailable',
    'results.1.lot unavailable',
  ])
  const twice = { results: [unsold(ids.liveLot), unsold(ids.liveLot)] }
  assert.deepEqual(await errorsOf('POST', results, twice), ['results.1.lot duplicate'])
  assert.deepEqual(await errorsOf('PATCH', lot, { result: { state: 'sold', with: unknown } }), [
    'result.with unavailable',
  ])
  const closed = `/staff/v1/sessions/${ids.session}/results`
  assert.deepEqual(await errorsOf('POST', closed, { except: [unknown] }), ['except.0 unavailable'])
})

test('a replay and a repetition record a result once, with one row about the session', async () => {
  const before = (await rows()).length
  const headers = { 'idempotency-key': 'one result' }
  const replies = [
    await send('POST', results, sold(9000), { headers }),
    await send('POST', results, sold(9000), { headers }),
  ]
  assert.deepEqual(replies[0], replies[1])
  assert.equal((await send('POST', results, sold(9000))).status, 200)
  assert.deepEqual((await shown()).result!.amount, eur(9000))
  const after = await rows()
  assert.equal(after.length, before + 1)
  assert.deepEqual([after[0]!.operation, after[0]!.record], ['recordResults', ids.liveSession])
})

test('of a lot without a result a bid is cancelled, and a result is taken back with its reason', async () => {
  const refused = await send('POST', `/staff/v1/bids/${ids.bid}/cancel`, { reason: 'Wrong' })
  assert.deepEqual([refused.status, refused.reason], [409, 'has_result'])
  assert.equal((await send('PATCH', lot, { result: null, reason: 'Wrong lot' })).status, 200)
  assert.equal((await shown()).result, null)
  assert.equal((await rows())[0]!.reason, 'Wrong lot')
  assert.equal((await send('PATCH', lot, { held: false, notice: 'Not signed' })).status, 200)
  assert.equal((await shown()).notice, 'Not signed')
  const [highest] = (await send('GET', `${lot}/bids`)).data as [{ id: string }]
  assert.equal((await send('POST', `/staff/v1/bids/${highest.id}/cancel`, { reason: 'Wrong' })).status, 200)
  assert.deepEqual((await shown()).current_bid, eur(100))
  assert.equal((await rows())[0]!.reason, 'Wrong')
})

test('a body that takes a result back may announce and release the lot; one that holds the lot it decides is refused', async () => {
  assert.equal((await send('PATCH', lot, { notice: null, result: { state: 'sold', amount: eur(9000) } })).status, 200)
  const refused = await send('PATCH', lot, { held: true, result: { state: 'unsold' } })
  assert.deepEqual([refused.status, refused.errors![0]!.field], [422, 'held'])
  const back = { result: null, reason: 'Wrong lot', notice: 'Not signed', held: false }
  const { status, data } = await send('PATCH', lot, back)
  assert.deepEqual([status, (data as Shown).result, (data as Shown).notice], [200, null, 'Not signed'])
  const { rows: flags } = await sql`select held from catalogue.lots where public_id = ${ids.liveLot.slice(4)}`.execute(
    service.db,
  )
  assert.deepEqual(flags, [{ held: false }])
})

test('of two timed withdrawals of one lot at once both answer, and one row tells it', async () => {
  const url = `/staff/v1/lots/${ids.lot}`
  const withdraw = () => send('PATCH', url, { result: { state: 'withdrawn' } })
  const replies = await Promise.all([withdraw(), withdraw()])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
  const told = (await send('GET', `/staff/v1/journal?limit=100&record=${ids.lot}`)).data as unknown[]
  assert.equal(told.length, 1)
})
