import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eur, houseLine, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'

const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' }
const shownTimes = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' }

const kinds = [
  { type: 'maker', path: 'makers' },
  { type: 'delivery_class', path: 'delivery_classes' },
  { type: 'increment_strategy', path: 'increment_strategies' },
]

// Of each kind in turn: a tie, one without a time, a later one; in the broken house one valid and two invalid ones.
const named = ({ type }: { type: string }, index: number, broken: boolean): Line[] => {
  const id = (number: number) => uuid(index * 10 + number + (broken ? 500 : 0))
  return broken
    ? [
        { type, id: id(1), name: 'Sound', created_at: '2026-01-03T00:00:00Z' },
        { type, id: null, name: 'Nameless', created_at: '2026-01-02T00:00:00Z' },
        { type, id: id(3), created_at: '2026-01-01T00:00:00Z' },
      ]
    : [
        { type, id: id(1), name: 'One', ...times },
        { type, id: id(2), name: 'one', ...times },
        { type, id: id(3), name: 'One', created_at: null },
        { type, id: id(4), name: ' One', created_at: '2026-02-01T00:00:00Z' },
      ]
}

const service = await startService({
  records: [
    houseLine('reads'),
    ...kinds.flatMap((kind, index) => named(kind, index, false)),
    { type: 'maker', id: uuid(101), name: 'Retired', active: false, ...times },
    { type: 'delivery_class', id: uuid(102), name: 'Heavy', instructions: 'Two people', ...times },
    {
      type: 'increment_strategy',
      id: uuid(103),
      name: 'Steps',
      steps: [
        { from: eur(20000), increment: eur(2000) },
        { from: eur(0), increment: eur(500) },
      ],
      ...times,
    },
    { type: 'seller', id: uuid(110), seller_number: 1 },
    { type: 'seller', id: uuid(111), seller_number: 2, archived: true },
    {
      type: 'consignment',
      id: uuid(121),
      number: 'A-1',
      seller: uuid(110),
      locked: true,
      commission_percentage: '12.5',
      private_notes: 'Never show this',
      ...times,
    },
    { type: 'consignment', id: uuid(122), number: 'A-1', seller: uuid(111), ...times },
    { type: 'consignment', id: uuid(123), number: 'a-1', created_at: null },
    { type: 'consignment', id: uuid(124), number: 'A-1', seller: uuid(110), archived: true },
    houseLine('broken'),
    ...kinds.flatMap((kind, index) => named(kind, index, true)),
    { type: 'seller', ref: 'nameless', id: null, seller_number: 1 },
    { type: 'consignment', id: uuid(611), number: '1', created_at: '2026-01-04T00:00:00Z' },
    { type: 'consignment', id: null, number: '2', created_at: '2026-01-03T00:00:00Z' },
    { type: 'consignment', id: uuid(613), number: null, created_at: '2026-01-02T00:00:00Z' },
    { type: 'consignment', id: uuid(614), number: '4', seller: 'nameless', created_at: '2026-01-01T00:00:00Z' },
  ],
})
after(() => service.close())
const key = await service.issueKey('reads')

const list = async (url: string) => numbersOf(await service.walk(`/api/v2/${url}`, key))

for (const [index, { path }] of kinds.entries()) {
  const own = (...numbers: number[]) => numbers.map((number) => index * 10 + number)

  test(`${path} are listed newest first, ties by id downwards, those without a time last`, async () => {
    for (const limit of [1, 100]) {
      const listed = await list(`${path}?limit=${limit}`)
      assert.deepEqual(
        listed.filter((number) => number < 100),
        own(4, 2, 1, 3),
      )
    }
  })

  test(`name filters ${path} exactly`, async () => {
    assert.deepEqual(await list(`${path}?name=One`), own(1, 3))
    assert.deepEqual(await list(`${path}?name=One&limit=1`), own(1, 3))
    assert.deepEqual(await list(`${path}?name=one`), own(2))
    assert.deepEqual(await list(`${path}?name=+One`), own(4))
    assert.deepEqual(await list(`${path}?name=ONE`), [])
    await service.refused(`/api/v2/${path}?name=%20`, key, 400, 'invalid-parameter')
  })

  test(`only reads that show ${path} without a public id or a name answer 500`, async () => {
    const broken = await service.issueKey('broken')
    await service.read(`/api/v2/${path}?limit=1`, broken)
    await service.refused(`/api/v2/${path}?limit=2`, broken, 500, 'integrity-unavailable')
    await service.refused(`/api/v2/${path}?name=Nameless`, broken, 500, 'integrity-unavailable')
    await service.refused(`/api/v2/${path}/${uuid(503 + index * 10)}`, broken, 500, 'integrity-unavailable')
    await service.read(`/api/v2/${path}/${uuid(501 + index * 10)}`, broken)
  })
}

test('a maker, a delivery class and an increment strategy show their fields, with the steps in order of amount', async () => {
  assert.deepEqual(await service.read(`/api/v2/makers/${uuid(101)}`, key), {
    id: `mkr_${uuid(101)}`,
    name: 'Retired',
    active: false,
    ...shownTimes,
  })
  assert.deepEqual(await service.read(`/api/v2/delivery_classes/${uuid(102)}`, key), {
    id: `dlc_${uuid(102)}`,
    name: 'Heavy',
    instructions: 'Two people',
    ...shownTimes,
  })
  assert.deepEqual(await service.read(`/api/v2/increment_strategies/${uuid(103)}`, key), {
    id: `inc_${uuid(103)}`,
    name: 'Steps',
    steps: [
      { from: eur(0), increment: eur(500) },
      { from: eur(20000), increment: eur(2000) },
    ],
    ...shownTimes,
  })
  assert.deepEqual((await service.read(`/api/v2/increment_strategies/${uuid(21)}`, key))['steps'], [])
})

test('a consignment shows neither commission nor private notes', async () => {
  assert.deepEqual(await service.read(`/api/v2/consignments/${uuid(121)}`, key), {
    id: `con_${uuid(121)}`,
    number: 'A-1',
    seller: `sel_${uuid(110)}`,
    locked: true,
    ...shownTimes,
  })
  assert.equal((await service.read(`/api/v2/consignments/${uuid(123)}`, key))['seller'], null)
})

test('consignments are filtered by number and seller, and archived ones are never found', async () => {
  assert.deepEqual(await list('consignments'), [122, 121, 123])
  assert.deepEqual(await list('consignments?number=A-1'), [122, 121])
  assert.deepEqual(await list('consignments?number=a-1'), [123])
  assert.deepEqual(await list(`consignments?seller=${uuid(110)}`), [121])
  assert.deepEqual(await list(`consignments?seller=sel_${uuid(111)}&number=A-1`), [122])
  assert.deepEqual(await list(`consignments?seller=${uuid(999)}`), [])
  await service.refused(`/api/v2/consignments/${uuid(124)}`, key, 404, 'not-found')
})

test('only reads that show an invalid consignment answer 500', async () => {
  const broken = await service.issueKey('broken')
  await service.read('/api/v2/consignments?limit=1', broken)
  await service.refused('/api/v2/consignments?number=2', broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/consignments/${uuid(613)}`, broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/consignments/${uuid(614)}`, broken, 500, 'integrity-unavailable')
})
