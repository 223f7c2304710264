import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuid } from '../../test/support/lines.ts'
import { untilWaiting } from '../../test/support/locks.ts'
import { openWriting } from '../../test/support/writing.ts'

const draft = `auctions/${uuid(1)}`
const service = await openWriting([
  { type: 'auction', id: uuid(1), external_reference: 'draft', title: 'Voorjaar', description: 'x' },
  { type: 'auction', id: uuid(2), external_reference: 'published', title: 'Zomer', published: true },
  { type: 'auction', id: uuid(3), external_reference: 'archived', title: 'Herfst', archived: true },
  { type: 'auction', id: uuid(4), external_reference: 'untitled' },
])
after(() => service.close())
const { post, patch, show, errorsOf, refusal, repeats } = service

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
