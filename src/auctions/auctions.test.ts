import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { houseLine, linesOf, numbersOf, uuid, type Line } from '../../test/support/lines.ts'
import { untilWaiting } from '../../test/support/locks.ts'
import type { Json } from '../../test/support/service.ts'
import { openWriting } from '../../test/support/writing.ts'

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

const draft = `auctions/${uuid(1)}`
const service = await openWriting([
  { type: 'auction', id: uuid(1), external_reference: 'draft', title: 'Voorjaar', description: 'x' },
  { type: 'auction', id: uuid(2), external_reference: 'published', title: 'Zomer', published: true },
  { type: 'auction', id: uuid(3), external_reference: 'archived', title: 'Herfst', archived: true },
  { type: 'auction', id: uuid(4), external_reference: 'untitled' },
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
])
after(() => service.close())
const { post, patch, show, errorsOf, refusal, repeats } = service
const key = await service.issueKey('reads')

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

test('a POST creates a draft auction without sessions, and a GET of its Location reads it back', async () => {
  const body = { title: 'Winter', external_reference: 'W', description: '' }
  const { status, data, location } = await post('auctions?expand[]=sessions', body)
  assert.equal(status, 201)
  assert.equal(location, `/api/v2/auctions/${data.id}`)
  assert.deepEqual(data, await show(`auctions/${data.id}`))
  const { id: _, created_at, updated_at, ...rest } = data
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, { ...body, slug: 'winter', published: false, sessions: [] })
})

test('a refusal names every error in the body and stores nothing', async () => {
  const long = '🖼'.repeat(255)
  assert.deepEqual(await errorsOf('POST', 'auctions', {}), ['title required', 'external_reference required'])
  assert.deepEqual(
    await errorsOf('POST', 'auctions', { title: null, external_reference: '\u00a0', published: true, sessions: [] }),
    ['title wrong_type', 'external_reference blank', 'published unknown_field', 'sessions unknown_field'],
  )
  assert.deepEqual(
    await errorsOf('POST', 'auctions', { title: `${long}x`, external_reference: 'a\0', description: 5 }),
    ['title too_long', 'external_reference invalid', 'description wrong_type'],
  )
  assert.deepEqual(
    await errorsOf('PATCH', draft, { title: null, external_reference: 'x', slug: 'x', description: '\udfff' }),
    ['title not_clearable', 'external_reference unknown_field', 'slug unknown_field', 'description invalid'],
  )
  assert.equal((await post('auctions', { title: long, external_reference: long })).status, 201)
})

test('an unknown field may have any name', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'a.b', '', '\ud800']) {
    const body = `{${JSON.stringify(name)}:{},"title":"x","external_reference":"x"}`
    const { status, errors } = await post('auctions', body, { headers: { 'content-type': 'application/json' } })
    assert.equal(status, 422)
    assert.deepEqual(errors, [`${name} unknown_field`])
  }
})

test('each auction of a house has its own reference, archived auctions included', async () => {
  for (const external_reference of ['draft', 'archived']) {
    assert.equal(await refusal('POST', 'auctions', { title: 'x', external_reference }), '409 duplicate-reference')
  }
  assert.equal((await post('auctions', { title: 'x', external_reference: 'Draft' })).status, 201)
})

test('of concurrent creates with one reference, one is answered 201 and the others 409', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => post('auctions', { title: `Race ${index}`, external_reference: 'race' })),
  )
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [201, ...Array.from({ length: 11 }, () => 409)])
})

test('concurrent creates succeed with equal slugs, from one title or from another title with a number', async () => {
  const titles = ['Sale', 'Sale', 'Sale 2', 'Sale 2', 'Sale-2-2', 'Sale 3', 'sale', 'Sale 2']
  const answers = await Promise.all(
    titles.map((title, index) => post('auctions', { title, external_reference: `slug ${index}` })),
  )
  for (const { status } of answers) assert.equal(status, 201)
  assert.equal(new Set(answers.map(({ data }) => data['slug'])).size, titles.length)
})

test('a PATCH changes only the text of a draft; a repeated value changes no row', async () => {
  const before = await show(draft)
  for (const body of [{}, { title: 'Voorjaar' }, { description: 'x', title: 'Voorjaar' }]) await repeats(draft, body)
  const { data } = await patch(draft, { title: 'Lente', description: null })
  assert.deepEqual(data, { ...before, title: 'Lente', description: null, updated_at: data['updated_at'] })
  assert.ok(data['updated_at']! > before['updated_at']!)
  assert.deepEqual(await show(draft), data)
})

test('for every body a published auction answers 409 and an archived one 404', async () => {
  for (const body of [{}, { title: 'x' }, { nonsense: 1 }, []]) {
    assert.equal(await refusal('PATCH', `auctions/${uuid(2)}`, body), '409 auction-published')
    assert.equal(await refusal('PATCH', `auctions/${uuid(3)}`, body), '404 not-found')
  }
})

test('a change is rolled back if the auction could then not be shown', async () => {
  assert.equal(await refusal('PATCH', `auctions/${uuid(4)}`, { description: 'x' }), '500 integrity-unavailable')
  assert.equal((await patch(`auctions/${uuid(4)}`, { title: 'x' })).status, 200)
})

test('a create passes over a slug that a concurrent load commits last', async () => {
  const other = await service.pool.connect()
  await other.query('begin')
  await other.query(`insert into catalogue.auctions (house_id, public_id, title, slug)
    select id, '${uuid(90)}', 'Nalezing', 'nalezing' from catalogue.houses`)
  const creating = post('auctions', { title: 'Nalezing', external_reference: 'behind a load' })
  await untilWaiting(service.db, 1)
  await other.query('commit')
  other.release()
  const { status, data } = await creating
  assert.deepEqual([status, data['slug']], [201, 'nalezing-2'])
})
