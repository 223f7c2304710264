import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { numberAllChanges } from '../changes/numbering.ts'
import { catalogueOf, houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type Json, type TestService } from '../../test/support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
let service: TestService
let key: string

before(async () => {
  service = await startService({ records: lines })
  key = await service.issueKey(slug)
})

after(() => service.close())

async function find(q: string, kind = 'items', more = '') {
  const reply = await service.get(`/api/v2/${kind}/search?q=${encodeURIComponent(q)}${more}`, key)
  assert.equal(reply.statusCode, 200, reply.payload)
  const { data, complete = true } = reply.json<{ data: Json[]; complete?: boolean }>()
  return { titles: data.map(({ title }) => title), complete }
}

const titles = async (q: string, kind?: string, more?: string) => (await find(q, kind, more)).titles

async function send(method: string, url: string, body: unknown) {
  const reply = await service.request({ method, url, key, body })
  assert.ok(reply.statusCode < 300, `${method} ${url} ${reply.payload}`)
  return reply.json<{ data: Json }>().data
}

const create = (fields: object) => send('POST', '/api/v2/items', { external_reference: randomUUID(), ...fields })

test('a search finds an item at once after its creation and its change, and no longer by its old words', async () => {
  const { id } = await create({ title: 'Wijnkoeler', translations: { en: { title: 'Ice pail' } } })
  assert.deepEqual(await titles('wijnkoeler'), ['Wijnkoeler'])
  assert.deepEqual(await titles('pails'), ['Wijnkoeler'])
  await send('PATCH', `/api/v2/items/${id}`, { title: 'Champagnekoeler' })
  assert.deepEqual(await titles('wijnkoeler '), [])
  assert.deepEqual(await titles('champagnekoeler'), ['Champagnekoeler'])
})

test('a new name of a maker counts at once', async () => {
  await titles('sluijters')
  await send('PATCH', `/staff/v1/makers/${ids.maker}`, { name: 'Charley Toorop' })
  assert.deepEqual(await titles('toorop'), ['Stilleven'])
  assert.deepEqual(await titles('sluijters '), [])
})

test('an archived item is gone from items at once', async () => {
  const { id } = await create({ title: 'Wegwerpstuk' })
  assert.deepEqual(await titles('wegwerpstuk'), ['Wegwerpstuk'])
  await send('PATCH', `/staff/v1/items/${id}`, { archived: true })
  assert.deepEqual(await titles('wegwerpstuk '), [])
})

test('a transaction that commits late is found by the next search', async () => {
  const tx = await service.pool.connect()
  try {
    await tx.query('begin')
    const { rows } = await tx.query<{ id: string; house_id: string }>(
      `update catalogue.items set title = 'Nachtegaal', revision = revision + 1 where public_id = $1 returning id, house_id`,
      [ids.plainItem.slice(4)],
    )
    const { id, house_id } = rows[0]!
    await tx.query(`insert into catalogue.change_marks (house_id, kind, record_id) values ($1, 3, $2)`, [house_id, id])
    await create({ title: 'Leeuwerik' })
    assert.deepEqual(await titles('leeuwerik'), ['Leeuwerik'])
    assert.deepEqual(await titles('nachtegaal '), [])
    await tx.query('commit')
  } finally {
    tx.release()
  }
  assert.deepEqual(await titles('nachtegaal'), ['Nachtegaal'])
})

test('a search waits for no load that is under way, and finds what it has loaded after its commit', async () => {
  await service.load([houseLine(slug), { type: 'item', title: 'Koperen ketel', makers: [ids.maker] }])
  assert.deepEqual(await titles('ketels'), ['Koperen ketel'])
  assert.deepEqual(await titles('toorop ketel'), ['Koperen ketel'])
  assert.deepEqual(await titles('ketle'), ['Koperen ketel'])
})

test('words of archived and deleted records are corrected and left out like those of none', async () => {
  const { id } = await create({ title: 'Stillleven xyzzyx' })
  const { id: maker } = await send('POST', '/staff/v1/makers', { name: 'Stilleveen' })
  const search = async (q: string) => {
    const reply = await service.get(`/api/v2/items/search?q=${encodeURIComponent(q)}`, key)
    const { data, corrected, relaxed } = reply.json<{ data: Json[]; corrected?: object; relaxed?: boolean }>()
    return {
      data: data.filter(({ title }) => !String(title).startsWith('Vaas')).map(({ title }) => title),
      corrected,
      relaxed,
    }
  }
  assert.deepEqual((await search('stillleven ')).data, ['Stillleven xyzzyx'])
  assert.deepEqual((await search('stilleveen ')).data, [])
  await send('PATCH', `/staff/v1/items/${id}`, { archived: true })
  const removed = await service.request({ method: 'DELETE', url: `/staff/v1/makers/${maker}`, key })
  assert.equal(removed.statusCode, 204)
  for (const word of ['stillleven', 'stilleveen'])
    assert.deepEqual(await search(`${word} `), {
      data: ['Stilleven'],
      corrected: { [word]: ['stilleven'] },
      relaxed: undefined,
    })
  assert.deepEqual(await search('stilleven xyzzyx '), { data: ['Stilleven'], corrected: undefined, relaxed: true })
})

test('filters see at once what changes without a text', async () => {
  assert.deepEqual(await titles('stilleven', 'lots', '&active=true'), [])
  await send('PATCH', `/api/v2/lots/${ids.lot}`, { active: true })
  assert.deepEqual(await titles('stilleven', 'lots', '&active=true'), ['Stilleven'])
  assert.deepEqual(await titles('stilleven', 'lots', '&images=true'), ['Stilleven'])
  const path = `/api/v2/items/${ids.item}/gallery`
  await send('PATCH', path, { images: [] })
  assert.deepEqual(await titles('stilleven', 'lots', '&images=true'), [])
  await send('PATCH', path, { images: [ids.secondImage, ids.image] })
  assert.deepEqual(await titles('stilleven', 'lots', '&images=true'), ['Stilleven'])
})

test('writes without a mark, as by hand, are found after the job', async () => {
  await sql`update catalogue.items set title = 'Handgemaakt', revision = revision + 1 where public_id = ${ids.spareItem.slice(4)}`.execute(
    service.db,
  )
  await numberAllChanges({ db: service.db })
  assert.deepEqual(await titles('handgemaakt'), ['Handgemaakt'])
})

test('when more than 2,000 records have changed, the next search reads them all', async () => {
  const numbers = Array.from({ length: 2_100 }, (_, number) => 10_000 + number)
  await service.load([
    houseLine(slug),
    ...numbers.map((number) => ({ type: 'item', id: uuid(number), title: `Reeks ${number}` })),
  ])
  const found = await find('reeks ')
  assert.equal(found.complete, true)
  await service.load([
    houseLine(slug),
    { type: 'session', id: uuid(20_001), auction: ids.auction.slice(4), kind: 'live', titles: { nl: 'Later' } },
    ...numbers.map((number) => ({
      type: 'lot',
      session: uuid(20_001),
      item: uuid(number),
      lot_number: number,
    })),
  ])
  const lots = await service.get('/api/v2/lots/search?q=reeks+&facets[]=session', key)
  const { total, facets } = lots.json<{ total: number; facets: { session: { count: number }[] } }>()
  assert.deepEqual([total, facets.session.map(({ count }) => count)], [2_100, [2_100]])
})
