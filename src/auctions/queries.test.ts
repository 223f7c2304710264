import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseLine, linesOf, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type Json, type TestService } from '../../test/support/service.ts'

const auction = linesOf('auction', (number) => ({ title: `Auction ${number}` }))
const session = (number: number, of: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'session',
  id: `ses_${uuid(number)}`,
  auction: `auc_${uuid(of)}`,
  kind: 'live',
  ...fields,
})

const early = '2026-01-01T00:00:00.123456Z'
const late = '2026-01-01T00:00:00.123457Z'

let service: TestService
let key: string

before(async () => {
  service = await startService({
    records: [
      houseLine('reads'),
      auction(1, { created_at: early, external_reference: 'Spring', published: true }),
      auction(2, { created_at: late, external_reference: 'spring', description: 'Later by a microsecond' }),
      auction(3, { created_at: null, updated_at: null }),
      auction(4, { created_at: late, updated_at: '2026-02-01T01:02:03.999999+01:00' }),
      auction(5, { created_at: null, published: true }),
      auction(6, { external_reference: 'gone', archived: true, published: true }),
      session(11, 1, { opens_at: '2026-05-02T10:00:00Z' }),
      session(12, 1, { opens_at: null }),
      session(13, 1, { opens_at: '2026-05-01T10:00:00Z' }),
      session(14, 1, { opens_at: '2026-05-01T10:00:00Z' }),
      houseLine('broken'),
      auction(20, { created_at: '2026-01-05T00:00:00Z' }),
      auction(21, { created_at: '2026-01-04T00:00:00Z', id: null, ref: 'nameless' }),
      auction(22, { created_at: '2026-01-03T00:00:00Z', title: null }),
      auction(23, { created_at: '2026-01-02T00:00:00Z' }),
      auction(24, { created_at: '2026-01-01T00:00:00Z' }),
      session(31, 23, { id: null }),
      { type: 'increment_strategy', ref: 'strategy', id: null, name: 'Nameless' },
      session(32, 24, { increment_strategy: 'strategy' }),
    ],
  })
  key = await service.issueKey('reads')
})

after(() => service.close())

const list = async (query: string) => numbersOf(await service.walk(`/api/v2/auctions?${query}`, key))

test('auctions are listed newest first, to the microsecond, ties by id downwards, those without a time last', async () => {
  assert.deepEqual(await list(''), [4, 2, 1, 5, 3])
  assert.deepEqual(await list('limit=1'), [4, 2, 1, 5, 3])
})

test('published and external_reference filter exactly, and no list contains archived auctions', async () => {
  assert.deepEqual(await list('published=true'), [1, 5])
  assert.deepEqual(await list('published=false'), [4, 2, 3])
  assert.deepEqual(await list('external_reference=spring'), [2])
  assert.deepEqual(await list('external_reference=Spring&published=true'), [1])
  assert.deepEqual(await list('external_reference=Spring&published=false'), [])
  for (const reference of ['SPRING', 'spring%20', 'sprin', 'gone', '%25']) {
    assert.deepEqual(await list(`external_reference=${reference}`), [])
  }
  await service.refused(`/api/v2/auctions/${uuid(6)}`, key, 404, 'not-found')
})

test('an auction shows its fields, times in UTC with milliseconds, and null for values that the older system lacks', async () => {
  assert.deepEqual(await service.read(`/api/v2/auctions/${uuid(4)}`, key), {
    id: `auc_${uuid(4)}`,
    title: 'Auction 4',
    description: null,
    slug: 'auction-4',
    external_reference: null,
    published: false,
    sessions: [],
    created_at: '2026-01-01T00:00:00.123Z',
    updated_at: '2026-02-01T00:02:03.999Z',
  })
  const legacy = await service.read(`/api/v2/auctions/${uuid(3)}`, key)
  assert.deepEqual([legacy['created_at'], legacy['updated_at']], [null, null])
})

test('sessions are in the order of their opening times, those without one last', async () => {
  const order = [13, 14, 11, 12].map((number) => `ses_${uuid(number)}`)
  const { sessions } = await service.read(`/api/v2/auctions/${uuid(1)}`, key)
  assert.deepEqual(sessions, order)
})

test('expand[]=sessions gives the same sessions as their own reads, with their auction as an id', async () => {
  const { sessions } = await service.read(`/api/v2/auctions/${uuid(1)}?expand[]=sessions`, key)
  const alone = []
  for (const number of [13, 14, 11, 12]) alone.push(await service.read(`/api/v2/sessions/${uuid(number)}`, key))
  assert.deepEqual(sessions, alone)
  const listed = await service.walk('/api/v2/auctions?expand[]=sessions&limit=2', key)
  assert.deepEqual(listed.find(({ id }) => id.endsWith(uuid(1)))!['sessions'], alone)
})

test('only reads that show an invalid auction answer 500', async () => {
  const broken = await service.issueKey('broken')
  const page = (limit: number) => `/api/v2/auctions?limit=${limit}`
  assert.equal((await service.read<Json[]>(page(1), broken)).length, 1)
  for (const limit of [2, 3, 100]) await service.refused(page(limit), broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/auctions/${uuid(22)}`, broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/auctions/${uuid(23)}`, broken, 500, 'integrity-unavailable')
  await service.read(`/api/v2/auctions/${uuid(24)}`, broken)
  await service.refused(`/api/v2/auctions/${uuid(24)}?expand[]=sessions`, broken, 500, 'integrity-unavailable')
})
