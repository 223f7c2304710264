import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { houseLine, linesOf, numbersOf, uuid } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'

const category = linesOf('category', (number) => ({ slug: `category-${number}` }))

const service = await startService({
  records: [
    houseLine('other'),
    category(1, { ref: 'foreign' }),
    houseLine('reads', { default_locale: 'de' }),
    category(2, {
      created_at: '2026-01-01T00:00:00Z',
      updated_at: null,
      names: { de: 'Kunst', en: 'Art' },
      slug: 'Art',
    }),
    category(3, { created_at: '2026-01-01T00:00:00Z', names: { en: 'Silver' }, parent: uuid(2), slug: 'art' }),
    category(4, { created_at: null, parent: 'foreign', slug: 'art' }),
    category(5, { created_at: '2026-01-02T00:00:00Z', slug: ' art ' }),
    houseLine('broken'),
    category(11, { created_at: '2026-01-04T00:00:00Z' }),
    category(12, { created_at: '2026-01-03T00:00:00Z', id: null, ref: 'nameless' }),
    category(13, { created_at: '2026-01-02T00:00:00Z', slug: null }),
    category(14, { created_at: '2026-01-01T00:00:00Z', parent: 'nameless' }),
  ],
})
after(() => service.close())
const key = await service.issueKey('reads')

const list = async (query: string) => numbersOf(await service.walk(`/api/v2/categories?${query}`, key))

test('categories are listed newest first, ties by id downwards, those without a time last', async () => {
  for (const limit of [1, 100]) assert.deepEqual(await list(`limit=${limit}`), [5, 3, 2, 4])
})

test('slug matches exactly, and the list has every category with it', async () => {
  assert.deepEqual(await list('slug=art'), [3, 4])
  assert.deepEqual(await list('slug=art&limit=1'), [3, 4])
  assert.deepEqual(await list('slug=Art'), [2])
  assert.deepEqual(await list('slug=+art+'), [5])
  assert.deepEqual(await list('slug=ART'), [])
  for (const slug of ['slug=', 'slug=%20', 'slug=%00', 'slug[]=art', 'slug[a]=art', 'slug=art&slug=art']) {
    await service.refused(`/api/v2/categories?${slug}`, key, 400, 'invalid-parameter')
  }
})

test("a category has a name only in the house's default language", async () => {
  assert.deepEqual(await service.read(`/api/v2/categories/${uuid(2)}`, key), {
    id: `cat_${uuid(2)}`,
    name: 'Kunst',
    slug: 'Art',
    parent: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: null,
  })
  const silver = await service.read(`/api/v2/categories/${uuid(3)}`, key)
  assert.deepEqual([silver['name'], silver['parent']], [null, `cat_${uuid(2)}`])
})

test('a parent in another house is never shown', async () => {
  assert.equal((await service.read(`/api/v2/categories/${uuid(4)}`, key))['parent'], null)
})

test('only reads that show an invalid category answer 500', async () => {
  const broken = await service.issueKey('broken')
  await service.read('/api/v2/categories?limit=1', broken)
  await service.refused('/api/v2/categories?limit=2', broken, 500, 'integrity-unavailable')
  await service.refused('/api/v2/categories?slug=category-12', broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/categories/${uuid(13)}`, broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/categories/${uuid(14)}`, broken, 500, 'integrity-unavailable')
})
