import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type Json, type TestService } from '../../test/support/service.ts'

const all = 10_300
const timed = { first_closes_at: '2099-01-01T00:00:00Z', group_size: 1, interval_seconds: 60 }
const created = (number: number) => ({ created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString() })
const textsOf = (number: number) => {
  if (number === 300) return { title: 'Zeldzaam' }
  return number <= 200 || number > 10_280 ? { title: 'Vaas' } : { title: 'Stoel', description: 'met een vaas' }
}

function* records(): Generator<Line> {
  yield houseLine('north')
  yield { type: 'auction', id: uuid(20_001), title: 'Spring', published: true }
  const opens_at = '2020-01-01T00:00:00Z'
  const session = { auction: uuid(20_001), titles: { nl: 'Zitting' }, kind: 'timed', opens_at, timed, published: true }
  yield { type: 'session', id: uuid(20_002), ...session }
  for (let number = 1; number <= all; number++) {
    yield { type: 'item', id: uuid(number), ...textsOf(number), ...created(number) }
    yield {
      type: 'lot',
      session: uuid(20_002),
      item: uuid(number),
      lot_number: number,
      active: true,
      ...created(number),
    }
  }
}

let service: TestService
let key: string

before(async () => {
  service = await startService({ records: [...records()] })
  key = await service.issueKey('north')
})

after(() => service.close())

type Page = { data: Json[]; total: number; total_capped?: true; next_cursor: string | null }

async function find(kind: 'lots' | 'items', q: string, more = ''): Promise<Page> {
  const reply = await service.get(`/api/v2/${kind}/search?q=${encodeURIComponent(q)}${more}`, key)
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<Page>()
}

/** The numbers of the first page. */
async function findFirst(kind: 'lots' | 'items', q: string) {
  const { data, total, total_capped } = await find(kind, q, '&limit=25')
  const numberOf = ({ id, lot_number }: Json) => (kind === 'lots' ? Number(lot_number) : Number(id.slice(-6)))
  return { total, total_capped, numbers: data.map(numberOf) }
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('of more than 10,000 matches those created last are ranked', async () => {
  const capped = { total: 10_000, total_capped: true }
  const newest = { ...capped, numbers: range(10_276, 10_300).toReversed() }
  assert.deepEqual(await findFirst('items', 'vaas '), newest)
  assert.deepEqual(await findFirst('items', 'vaas -zeldzaam '), newest)

  const byNumber = { ...capped, numbers: [...range(10_281, 10_300), ...range(301, 305)] }
  assert.deepEqual(await findFirst('lots', 'vaas '), byNumber)
  assert.deepEqual(await findFirst('lots', 'vaas -zeldzaam '), byNumber)
})

test('a walk through more than 10,000 matches gives those that were the last at its first page, each once', async () => {
  const ids: string[] = []
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page: Page = await find('items', 'vaas ', `&limit=100${cursor === null ? '' : `&cursor=${cursor}`}`)
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
    if (isFirst) await service.load([houseLine('north'), { type: 'item', title: 'Vaas' }])
  }
  assert.deepEqual([ids.length, new Set(ids).size], [10_000, 10_000])
})
