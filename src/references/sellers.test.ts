import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { houseLine, linesOf, numbersOf, uuid } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'

const seller = linesOf('seller', (number) => ({ seller_number: number }))

const service = await startService({
  records: [
    houseLine('reads'),
    seller(1, { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z', profile_name: 'Profile' }),
    seller(2, { created_at: '2026-01-01T00:00:00Z', account_name: 'Account', seller_number: 1 }),
    seller(3, { created_at: null, updated_at: null, seller_number: -2147483648 }),
    seller(4, { created_at: '2026-01-05T00:00:00Z', archived: true, seller_number: 1 }),
    seller(5, {
      created_at: '2026-01-03T00:00:00Z',
      profile_name: 'P',
      account_name: 'A',
      seller_number: 2147483647,
    }),
    houseLine('broken'),
    seller(11, { created_at: '2026-01-03T00:00:00Z' }),
    seller(12, { created_at: '2026-01-02T00:00:00Z', id: null }),
    seller(13, { created_at: '2026-01-01T00:00:00Z', seller_number: null }),
    seller(14, { created_at: '2026-01-04T00:00:00Z', id: null, archived: true }),
  ],
})
after(() => service.close())
const key = await service.issueKey('reads')

const list = async (query: string) => numbersOf(await service.walk(`/api/v2/sellers?${query}`, key))

test('sellers are listed newest first, ties by id downwards, those without a time last, archived ones not at all', async () => {
  for (const limit of [1, 100]) assert.deepEqual(await list(`limit=${limit}`), [5, 2, 1, 3])
  await service.refused(`/api/v2/sellers/${uuid(4)}`, key, 404, 'not-found')
})

test('seller_number matches exactly, and the list has every seller with it', async () => {
  assert.deepEqual(await list('seller_number=1'), [2, 1])
  assert.deepEqual(await list('seller_number=1&limit=1'), [2, 1])
  assert.deepEqual(await list('seller_number=-2147483648'), [3])
  assert.deepEqual(await list('seller_number=2147483647'), [5])
  assert.deepEqual(await list('seller_number=4'), [])
})

test("a seller's name is the profile's, else the account's, else null", async () => {
  const nameOf = async (number: number) => (await service.read(`/api/v2/sellers/${uuid(number)}`, key))['name']
  assert.deepEqual(await Promise.all([1, 2, 3, 5].map(nameOf)), ['Profile', 'Account', null, 'P'])
})

test('a seller shows its fields and nothing of its account', async () => {
  assert.deepEqual(await service.read(`/api/v2/sellers/${uuid(1)}`, key), {
    id: `sel_${uuid(1)}`,
    seller_number: 1,
    name: 'Profile',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-02T00:00:00.000Z',
  })
})

test('only reads that show an invalid seller answer 500', async () => {
  const broken = await service.issueKey('broken')
  await service.read('/api/v2/sellers?limit=1', broken)
  await service.read(`/api/v2/sellers/${uuid(11)}`, broken)
  await service.refused('/api/v2/sellers?limit=2', broken, 500, 'integrity-unavailable')
  await service.refused('/api/v2/sellers?seller_number=12', broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/sellers/${uuid(13)}`, broken, 500, 'integrity-unavailable')
})
