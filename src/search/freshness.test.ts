import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { indexAll } from './indexing.ts'
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

const countIndexed = async () =>
  (
    await sql<{
      hash: string
      xmin: string
    }>`select hash, xmin::text from catalogue.search_items order by item_id`.execute(service.db)
  ).rows

test('a search finds an item at once after its creation and its change, and no longer by its old words', async () => {
  const { id } = await create({ title: 'Wijnkoeler', translations: { en: { title: 'Ice pail' } } })
  assert.deepEqual(await titles('wijnkoeler'), ['Wijnkoeler'])
  assert.deepEqual(await titles('pails'), ['Wijnkoeler'])
  await send('PATCH', `/api/v2/items/${id}`, { title: 'Champagnekoeler' })
  assert.deepEqual(await titles('wijnkoeler '), [])
  assert.deepEqual(await titles('champagnekoeler'), ['Champagnekoeler'])
})

test('a new name of a maker counts at once, and no item is indexed again', async () => {
  await titles('sluijters')
  const before = await countIndexed()
  await send('PATCH', `/staff/v1/makers/${ids.maker}`, { name: 'Charley Toorop' })
  assert.deepEqual(await titles('toorop'), ['Stilleven'])
  assert.deepEqual(await titles('sluijters '), [])
  assert.deepEqual(await countIndexed(), before)
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
    await tx.query(`insert into catalogue.search_marks (house_id, kind, record_id) values ($1, 3, $2)`, [house_id, id])
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
  const tx = await service.pool.connect()
  try {
    await tx.query('begin')
    await tx.query(
      `insert into catalogue.search_words select house_id, key, 7, word, records, corrections from catalogue.search_words where source = 0 on conflict do nothing`,
    )
    await create({ title: 'Vaas met stilleven' })
    assert.deepEqual((await titles('vaas met stilleven')).slice(0, 1), ['Vaas met stilleven'])
    await tx.query('rollback')
  } finally {
    tx.release()
  }
  await service.load([houseLine(slug), { type: 'item', title: 'Koperen ketel', makers: [ids.maker] }])
  assert.deepEqual(await titles('ketels'), ['Koperen ketel'])
  assert.deepEqual(await titles('toorop ketel'), ['Koperen ketel'])
  assert.deepEqual(await titles('ketle'), ['Koperen ketel'])
  assert.equal((await sql`select from catalogue.search_marks`.execute(service.db)).rows.length, 0)
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

test('what changes without a text costs no indexing, and filters see it at once', async () => {
  assert.deepEqual(await titles('stilleven', 'lots', '&active=true'), [])
  const before = await countIndexed()
  await send('PATCH', `/api/v2/lots/${ids.lot}`, { active: true })
  assert.deepEqual(await titles('stilleven', 'lots', '&active=true'), ['Stilleven'])
  await send('PATCH', `/api/v2/items/${ids.item}/gallery`, { images: [ids.secondImage, ids.image] })
  await titles('stilleven')
  const hashes = (rows: { hash: string }[]) => rows.map(({ hash }) => hash)
  assert.deepEqual(hashes(await countIndexed()), hashes(before))
})

test('writes of an earlier version, which leave no mark, are found after the job', async () => {
  await sql`update catalogue.items set title = 'Handgemaakt', revision = revision + 1 where public_id = ${ids.spareItem.slice(4)}`.execute(
    service.db,
  )
  await indexAll({ db: service.db })
  assert.deepEqual(await titles('handgemaakt'), ['Handgemaakt'])
})

test('beyond 2,000 waiting records the answer says that it is not complete, until the job has worked them off', async () => {
  const { rows } = await sql<{ house_id: string }>`
    select house_id from catalogue.items where public_id = ${ids.item.slice(4)}`.execute(service.db)
  await sql`insert into catalogue.search_marks (house_id, kind, record_id)
    select ${rows[0]!.house_id}::bigint, 3, 0 from generate_series(1, 2001)`.execute(service.db)
  assert.equal((await find('stilleven')).complete, false)
  await indexAll({ db: service.db })
  assert.equal((await find('stilleven')).complete, true)
})

test('an index of an earlier format, and a lost one, are made anew', async () => {
  for (const lose of [
    `update catalogue.search_houses set format = 1`,
    `truncate catalogue.search_items, catalogue.search_names, catalogue.search_words, catalogue.search_houses`,
  ]) {
    await sql.raw(lose).execute(service.db)
    if (lose.startsWith('update'))
      await sql`update catalogue.search_items set format = 1, keys = '{}'`.execute(service.db)
    assert.deepEqual(await titles('toorop ketels'), ['Koperen ketel'])
    assert.deepEqual(await titles('ketle'), ['Koperen ketel'])
  }
})

test('an index of a later format is left alone, and the answer says that it is not complete', async () => {
  await sql`update catalogue.search_houses set format = 1000000`.execute(service.db)
  await create({ title: 'Zonnewijzer' })
  assert.equal((await find('zonnewijzer')).complete, false)
  await indexAll({ db: service.db })
  await sql`delete from catalogue.search_houses`.execute(service.db)
  assert.deepEqual(await find('zonnewijzer'), { titles: ['Zonnewijzer'], complete: true })
})

test('the numbers of words follow every change', async () => {
  const numberOf = async (word: string) => {
    const { rows } = await sql<{ records: number }>`
      select coalesce(sum(records), 0)::int as records from catalogue.search_words where word = ${word}`.execute(
      service.db,
    )
    return rows[0]!.records
  }
  await service.load([houseLine(slug), { type: 'item', id: uuid(90), title: 'Zeldzaamheid' }])
  assert.equal(await numberOf('zeldzaamheid'), 1)
  const { id } = await create({ title: 'Zeldzaamheid twee' })
  await titles('zeldzaamheid')
  assert.equal(await numberOf('zeldzaamheid'), 2)
  await send('PATCH', `/api/v2/items/${id}`, { title: 'Gewoon' })
  await send('PATCH', `/api/v2/items/itm_${uuid(90)}`, { title: 'Gewoon' })
  await titles('gewoon')
  assert.equal(await numberOf('zeldzaamheid'), 0)
  await indexAll({ db: service.db })
  assert.equal(await numberOf('zeldzaamheid'), 0)
  assert.equal(await numberOf('gewoon'), 2)
})
