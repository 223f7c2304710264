import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eur, houseLine, linesOf, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'

const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' }
const shownTimes = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' }

const kinds = [
  { type: 'maker', path: 'makers' },
  { type: 'delivery_class', path: 'delivery_classes' },
  { type: 'increment_strategy', path: 'increment_strategies' },
]

const seller = linesOf('seller', (number) => ({ seller_number: number }))
const category = linesOf('category', (number) => ({ slug: `category-${number}` }))

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
    houseLine('other'),
    category(1, { ref: 'foreign' }),
    houseLine('reads', { default_locale: 'de' }),
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
    category(2, { ...times, updated_at: null, names: { de: 'Kunst', en: 'Art' }, slug: 'Art' }),
    category(3, { ...times, names: { en: 'Silver' }, parent: uuid(2), slug: 'art' }),
    category(4, { created_at: null, parent: 'foreign', slug: 'art' }),
    category(5, { created_at: '2026-01-02T00:00:00Z', slug: ' art ' }),
    seller(1, { ...times, profile_name: 'Profile' }),
    seller(2, { ...times, account_name: 'Account', seller_number: 1 }),
    seller(3, { created_at: null, updated_at: null, seller_number: -2147483648 }),
    seller(4, { created_at: '2026-01-05T00:00:00Z', archived: true, seller_number: 1 }),
    seller(5, {
      ...times,
      created_at: '2026-01-02T00:00:00Z',
      profile_name: 'P',
      account_name: 'A',
      seller_number: 2147483647,
    }),
    seller(110, { created_at: '2026-02-01T00:00:00Z' }),
    seller(111, { archived: true }),
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
    category(11, { created_at: '2026-01-04T00:00:00Z' }),
    category(12, { created_at: '2026-01-03T00:00:00Z', id: null, ref: 'nameless category' }),
    category(13, { created_at: '2026-01-02T00:00:00Z', slug: null }),
    category(14, { created_at: '2026-01-01T00:00:00Z', parent: 'nameless category' }),
    seller(11, { created_at: '2026-01-03T00:00:00Z' }),
    seller(12, { created_at: '2026-01-02T00:00:00Z', id: null, ref: 'nameless' }),
    seller(13, { created_at: '2026-01-01T00:00:00Z', seller_number: null }),
    seller(14, { created_at: '2026-01-04T00:00:00Z', id: null, archived: true }),
    { type: 'consignment', id: uuid(611), number: '1', created_at: '2026-01-04T00:00:00Z' },
    { type: 'consignment', id: null, number: '2', created_at: '2026-01-03T00:00:00Z' },
    { type: 'consignment', id: uuid(613), number: null, created_at: '2026-01-02T00:00:00Z' },
    { type: 'consignment', id: uuid(614), number: '4', seller: 'nameless', created_at: '2026-01-01T00:00:00Z' },
  ],
})
after(() => service.close())
const key = await service.issueKey('reads')

const list = async (url: string) => numbersOf(await service.walk(`/api/v2/${url}`, key))

test('each kind is listed newest first, ties by id downwards, those without a time last, archived ones not at all', async () => {
  const listed: Record<string, number[]> = {
    categories: [5, 3, 2, 4],
    sellers: [110, 5, 2, 1, 3],
    consignments: [122, 121, 123],
    makers: [101, 4, 2, 1, 3],
    delivery_classes: [102, 14, 12, 11, 13],
    increment_strategies: [103, 24, 22, 21, 23],
  }
  for (const [path, numbers] of Object.entries(listed))
    for (const limit of [1, 100]) {
      const found = await list(`${path}?limit=${limit}`)
      // The one with other fields is as old as the two that tie.
      const isOther = (number: number) => number >= 101 && number <= 103
      assert.deepEqual(new Set(found), new Set(numbers), path)
      assert.equal(found.length, numbers.length, path)
      assert.deepEqual(
        found.filter((number) => !isOther(number)),
        numbers.filter((number) => !isOther(number)),
        path,
      )
    }
  for (const path of [`sellers/${uuid(4)}`, `consignments/${uuid(124)}`])
    await service.refused(`/api/v2/${path}`, key, 404, 'not-found')
})

test('a filter matches exactly, on pages of every size, and the list has every record with the value', async () => {
  const found: Record<string, number[]> = {
    'categories?slug=art': [3, 4],
    'categories?slug=Art': [2],
    'categories?slug=+art+': [5],
    'categories?slug=ART': [],
    'sellers?seller_number=1': [2, 1],
    'sellers?seller_number=-2147483648': [3],
    'sellers?seller_number=2147483647': [5],
    'sellers?seller_number=4': [],
    'consignments?number=A-1': [122, 121],
    'consignments?number=a-1': [123],
    [`consignments?seller=${uuid(110)}`]: [121],
    [`consignments?seller=sel_${uuid(111)}&number=A-1`]: [122],
    [`consignments?seller=${uuid(999)}`]: [],
  }
  for (const [index, { path }] of kinds.entries())
    for (const [name, numbers] of Object.entries({ One: [1, 3], one: [2], '+One': [4], ONE: [] }))
      found[`${path}?name=${name}`] = numbers.map((number) => index * 10 + number)
  for (const [query, numbers] of Object.entries(found))
    for (const limit of ['', '&limit=1']) assert.deepEqual(await list(query + limit), numbers, query)
  const wrong = ['slug=', 'slug=%20', 'slug=%00', 'slug[]=art', 'slug[a]=art', 'slug=art&slug=art']
  for (const query of [...wrong.map((each) => `categories?${each}`), ...kinds.map(({ path }) => `${path}?name=%20`)])
    await service.refused(`/api/v2/${query}`, key, 400, 'invalid-parameter')
})

test('only reads that show a record without a public id or a required value answer 500', async () => {
  const broken = await service.issueKey('broken')
  const named = kinds.flatMap(({ path }, index) => [
    [`${path}?limit=1`, `${path}/${uuid(501 + index * 10)}`],
    [`${path}?limit=2`, `${path}?name=Nameless`, `${path}/${uuid(503 + index * 10)}`],
  ])
  const shown = ['categories?limit=1', 'sellers?limit=1', `sellers/${uuid(11)}`, 'consignments?limit=1']
  const refused = [
    ...['limit=2', 'slug=category-12'].map((query) => `categories?${query}`),
    ...[13, 14].map((number) => `categories/${uuid(number)}`),
    'sellers?limit=2',
    'sellers?seller_number=12',
    `sellers/${uuid(13)}`,
    'consignments?number=2',
    `consignments/${uuid(613)}`,
    `consignments/${uuid(614)}`,
  ]
  for (const path of [...shown, ...named.filter((_, at) => at % 2 === 0).flat()])
    await service.read(`/api/v2/${path}`, broken)
  for (const path of [...refused, ...named.filter((_, at) => at % 2 === 1).flat()])
    await service.refused(`/api/v2/${path}`, broken, 500, 'integrity-unavailable')
})

test("a category has a name only in the house's default language, and no parent in another house", async () => {
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
  assert.equal((await service.read(`/api/v2/categories/${uuid(4)}`, key))['parent'], null)
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
    ...shownTimes,
  })
})

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
