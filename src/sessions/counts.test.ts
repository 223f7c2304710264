import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'

const session = (number: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'session',
  id: uuid(number),
  auction: 'auction',
  external_reference: String(number),
  kind: 'timed',
  opens_at: '2099-05-01T10:00:00Z',
  timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 },
  ...fields,
})
const lot = (number: number, of: number, item: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'lot',
  id: uuid(number),
  session: uuid(of),
  item: uuid(item),
  lot_number: number,
  ...fields,
})
const item = (number: number, fields: Record<string, unknown> = {}): Line => ({
  type: 'item',
  id: uuid(number),
  external_reference: String(number),
  title: 'x',
  ...fields,
})
const image = (number: number, of: number, isPublic: boolean): Line => ({
  type: 'image',
  id: uuid(number),
  item: uuid(of),
  external_reference: String(number),
  public: isPublic,
})
const closing = (closes_at: string | null, scheduled_closes_at: string | null) => ({ closes_at, scheduled_closes_at })
const first = '2099-05-08T10:00:00Z'

const service = await startService({
  records: [
    houseLine('house'),
    { type: 'auction', ref: 'auction', id: uuid(1), external_reference: 'A', title: 'A' },
    item(2),
    item(3),
    item(4),
    item(5, { archived: true }),
    item(6),
    ...[21, 22, 23, 24].map((number) => image(number, 2, true)),
    image(31, 3, false),
    image(32, 3, false),
    image(51, 5, true),
    image(52, 5, true),
    image(61, 6, true),
    session(10),
    lot(100, 10, 2, { active: true, ...closing(first, first) }),
    lot(101, 10, 2, { active: true, current_bid: eur(100), ...closing('2099-05-08T10:00:01Z', first) }),
    lot(102, 10, 3, { active: null, ...closing('2099-05-08T10:00:00.000100Z', '2099-05-08T10:00:00.000900Z') }),
    lot(103, 10, 3, { ...closing(first, null) }),
    lot(104, 10, 4, { current_bid: eur(200), sold: true, ...closing(null, first) }),
    lot(105, 10, 5, { active: true }),
    lot(106, 10, 6, { active: true, archived: true, current_bid: eur(100), ...closing(first, '2099-05-08T09:00:00Z') }),
    session(11, { kind: 'live', timed: null, live: { closes_at: null } }),
    lot(110, 11, 2, closing('2099-05-08T11:00:00Z', first)),
    session(12),
    session(13),
    lot(130, 13, 2, { archived: true }),
    houseLine('other'),
    { type: 'auction', ref: 'theirs', id: uuid(901), external_reference: 'A', title: 'A' },
    session(903, { auction: 'theirs' }),
  ],
})
after(() => service.close())
const key = await service.issueKey('house')
await sql`update catalogue.images set processing = true
  where public_id = any(${[21, 31, 51, 61].map(uuid)}::uuid[])`.execute(service.db)
await sql`update catalogue.images set processing_failed_at = now()
  where public_id = any(${[22, 31, 32, 52, 61].map(uuid)}::uuid[])`.execute(service.db)
const urlOf = (number: number) => `/api/v2/sessions/${uuid(number)}`

const none = {
  lots: 0,
  active: 0,
  with_bids: 0,
  extended: 0,
  sold: 0,
  unsold: 0,
  withdrawn: 0,
  without_result: 0,
  without_images: 0,
  images_processing: 0,
  images_failed: 0,
}
const expected: Record<number, typeof none> = {
  10: {
    lots: 6,
    active: 3,
    with_bids: 2,
    extended: 1,
    sold: 1,
    unsold: 0,
    withdrawn: 0,
    without_result: 5,
    without_images: 3,
    images_processing: 2,
    images_failed: 3,
  },
  11: { ...none, lots: 1, without_result: 1, images_processing: 1, images_failed: 1 },
  12: none,
  13: none,
}

test('counts are of unarchived lots, each image of their unarchived items once; without them a session is as ever', async () => {
  for (const [number, counts] of Object.entries(expected)) {
    const { counts: read, ...rest } = await service.read(`${urlOf(Number(number))}?expand[]=counts`, key)
    assert.deepEqual(read, counts, number)
    assert.deepEqual(rest, await service.read(urlOf(Number(number)), key))
  }
  const listed = await service.read<{ external_reference: string; counts: object; auction: { id: string } }[]>(
    '/api/v2/sessions?expand[]=counts&expand[]=auction',
    key,
  )
  assert.deepEqual(
    Object.fromEntries(listed.map(({ external_reference, counts }) => [external_reference, counts])),
    Object.fromEntries(Object.entries(expected)),
  )
  assert.ok(listed.every(({ auction }) => auction.id === `auc_${uuid(1)}`))
})

test('counts of results are those of the states', async () => {
  const count = async (state: string | null) => {
    await sql`update catalogue.lots set result_state = ${state} where public_id = ${uuid(110)}`.execute(service.db)
    const { counts } = await service.read<{ counts: typeof none }>(`${urlOf(11)}?expand[]=counts`, key)
    return [counts.sold, counts.unsold, counts.withdrawn, counts.without_result]
  }
  assert.deepEqual(await count('unsold'), [0, 1, 0, 0])
  assert.deepEqual(await count('withdrawn'), [0, 0, 1, 0])
  assert.deepEqual(await count('sold'), [1, 0, 0, 0])
  assert.deepEqual(await count(null), [0, 0, 0, 1])
})

test('counts need lots.read too, and a session of another house has none', async () => {
  const lacking = await service.issueKey('house', ['auctions.read'])
  for (const url of [urlOf(10), '/api/v2/sessions']) {
    assert.equal((await service.get(url, lacking)).statusCode, 200)
    const refused = await service.get(`${url}?expand[]=counts`, lacking)
    assert.equal(refused.statusCode, 403)
    assert.match(refused.json<{ detail: string }>().detail, /lots\.read/)
  }
  assert.equal((await service.get(`${urlOf(903)}?expand[]=counts`, key)).statusCode, 404)
})

test('an answer with counts has a weak ETag: If-None-Match takes it, and no change takes it in any form', async () => {
  for (const url of [urlOf(12), '/api/v2/sessions']) {
    assert.match(String((await service.get(`${url}?expand[]=auction`, key)).headers['etag']), /^"/)
    for (const query of ['expand[]=counts', 'expand[]=counts&expand[]=auction']) {
      const etag = String((await service.get(`${url}?${query}`, key)).headers['etag'])
      assert.match(etag, /^W\/"/)
      for (const held of [etag, etag.slice(2)])
        assert.equal((await service.get(`${url}?${query}`, key, { 'if-none-match': held })).statusCode, 304)
      const other = { 'if-none-match': String((await service.get(url, key)).headers['etag']) }
      assert.equal((await service.get(`${url}?${query}`, key, other)).statusCode, 200)
      for (const ifMatch of [etag, etag.slice(2)]) {
        const headers = { 'if-match': ifMatch }
        const reply = await service.request({ method: 'PATCH', url: urlOf(12), key, headers, body: { title: 'x' } })
        assert.equal(reply.statusCode, 412)
      }
    }
  }
})

test('a write takes no counts', async () => {
  const writer = await service.issueKey('house', ['staff', 'auctions.read', 'auctions.write'])
  for (const url of [urlOf(12), `/staff/v1/sessions/${uuid(12)}`])
    for (const each of [key, writer]) {
      const patch = { method: 'PATCH', url: `${url}?expand[]=counts`, key: each, body: { title: 'x' } }
      assert.equal((await service.request(patch)).statusCode, 400)
    }
  const create = { method: 'POST', url: '/api/v2/sessions?expand[]=counts', key, body: {} }
  assert.equal((await service.request(create)).statusCode, 400)
})
