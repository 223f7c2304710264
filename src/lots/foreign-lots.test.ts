import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eur, houseLine, linesOf, uuid } from '../../test/support/lines.ts'
import { checksum } from '../../test/support/rehearsing.ts'
import { startService } from '../../test/support/service.ts'

const count = 5_000
const [session, foreign, foreignItem, unknown, foreignSession] = [3, 7, 6, 8, 5].map(uuid) as [string, ...string[]]
const timed = { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 }
const saleOf = (id: string) => ({ id, kind: 'timed', opens_at: '2099-05-01T10:00:00Z', timed })
const item = linesOf('item', () => ({ title: 'Vaas' }))
const numbers = Array.from({ length: count }, (_, index) => 10_000 + index)
const service = await startService({
  records: [
    houseLine('ours'),
    { type: 'auction', id: uuid(1), title: 'A' },
    { type: 'session', auction: uuid(1), ...saleOf(session) },
    item(2),
    ...numbers.map((number) => item(number + count)),
    ...numbers.map((number) => ({
      type: 'lot',
      id: uuid(number),
      session,
      item: uuid(number + count),
      lot_number: number,
    })),
    houseLine('theirs'),
    { type: 'auction', id: uuid(4), title: 'A' },
    { type: 'session', auction: uuid(4), ...saleOf(foreignSession!) },
    item(6),
    { type: 'lot', id: foreign, session: foreignSession, item: foreignItem, lot_number: 1 },
  ],
})
after(() => service.close())
const key = await service.issueKey('ours')

async function send(method: string, url: string, body: unknown) {
  const reply = await service.request({ method, url, key, body })
  type Answer = { data?: unknown; errors?: { field: string; code: string }[]; instance?: string }
  return { status: reply.statusCode, ...reply.json<Answer>() }
}

const lots = numbers.map((number) => `lot_${uuid(number)}`)
const staff = `/staff/v1/sessions/${session}`
const withdrawn = (lot: string) => ({ lot, state: 'withdrawn' })
// `place` is the index of the wrong id, and its field in an error.
const operations: [method: string, url: string, bodyOf: (wrong: string, place: number) => object, field: string][] = [
  [
    'PATCH',
    `/api/v2/sessions/${session}/lots`,
    (wrong, place) => ({ active: true, lots: lots.with(place, wrong) }),
    'lots.#',
  ],
  ['PATCH', `${staff}/order`, (wrong, place) => ({ lots: lots.with(place, wrong) }), 'lots.#'],
  ['POST', `${staff}/results`, (wrong, place) => ({ except: lots.with(place, wrong) }), 'except.#'],
  // Lots that have not closed would be refused before it.
  ['POST', `${staff}/results`, (wrong) => ({ unsold: [wrong] }), 'unsold.0'],
  [
    'POST',
    `${staff}/results`,
    (wrong, place) => ({ results: lots.with(place, wrong).map((lot) => withdrawn(lot)) }),
    'results.#.lot',
  ],
]

test('one lot of another house among five thousand is answered as an unknown one, and keeps all unchanged', async () => {
  const before = await checksum(service.db)
  for (const [method, url, bodyOf, field] of operations)
    for (const [place, query] of [
      [0, '?dry_run=true'],
      [count - 1, ''],
    ] as const) {
      const answer = await send(method, url + query, bodyOf(`lot_${foreign}`, place))
      // An order then lacks a lot too, which is another error.
      const error = answer.errors?.[0]
      assert.deepEqual(
        [answer.status, error?.field, error?.code],
        [422, field.replace('#', String(place)), 'unavailable'],
        url,
      )
      const { instance: _instance, ...told } = answer
      const { instance: _other, ...same } = await send(method, url + query, bodyOf(`lot_${unknown}`, place))
      assert.deepEqual(told, same)
    }
  assert.equal(await checksum(service.db), before)
})

test('one item of another house among five thousand new lots is answered as an unknown one, and keeps all unchanged', async () => {
  const before = await checksum(service.db)
  const bodyOf = (wrong: string) => ({
    lots: numbers.map((number, index) => ({
      item: `itm_${index === count - 1 ? wrong : uuid(number + count)}`,
      again: true,
    })),
  })
  const answers = [
    await send('POST', `${staff}/lots`, bodyOf(foreignItem!)),
    await send('POST', `${staff}/lots`, bodyOf(unknown!)),
  ]
  assert.equal(answers[0]!.status, 422)
  const [told, same] = answers.map(({ errors }) => errors)
  assert.deepEqual(told, same)
  assert.ok(
    told!.some(({ field, code }) => field === `lots.${count - 1}.item` && code === 'unavailable'),
    JSON.stringify(told),
  )
  assert.equal(await checksum(service.db), before)
})

test('five thousand lots are activated, get their starting bids and their results, each in one write', async () => {
  const { data } = await send('PATCH', `/api/v2/sessions/${session}/lots`, { active: true, lots })
  assert.deepEqual(data, { changed: count, unchanged: 0 })
  const bids = lots.map((lot, index) => ({ lot, starting_bid: eur(10_000 + index) }))
  assert.equal((await send('PATCH', `${staff}/lots`, { lots: bids })).status, 200)
  assert.equal((await send('POST', `${staff}/results`, { results: lots.map(withdrawn) })).status, 200)
  const last = await service.read(`/api/v2/lots/${lots.at(-1)}`, key)
  const { active, starting_bid, result } = last as {
    active?: boolean
    starting_bid?: object
    result?: { state: string }
  }
  assert.deepEqual([active, starting_bid, result?.state], [true, eur(10_000 + count - 1), 'withdrawn'])
})
