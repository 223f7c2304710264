import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { publicUrl, startService, type TestService } from '../../test/support/service.ts'

type Page = { data: { id: string }[]; has_more: boolean; next_cursor: string | null }

function house(slug: string, first: number): Line[] {
  const session = { type: 'session', auction: `${slug}-auction`, kind: 'timed' }
  return [
    houseLine(slug),
    { type: 'auction', ref: `${slug}-auction`, title: 'A', id: uuid(first) },
    { ...session, id: uuid(first + 1) },
    { ...session, id: uuid(first + 2) },
    ...Array.from({ length: 6 }, (_, index) => [
      {
        type: 'item',
        ref: `${slug}-${index}`,
        id: uuid(first + 10 + index),
        external_reference: 'abcdef'[index],
        title: 'I',
      },
      { type: 'image', item: `${slug}-${index < 3 ? 0 : index}`, external_reference: 'same' },
      { type: 'lot', session: uuid(first + 1), item: `${slug}-${index}`, lot_number: index, starting_bid: eur(100) },
      { type: 'seller', seller_number: index },
    ]).flat(),
  ]
}

let service: TestService
let key: string
let otherKey: string

before(async () => {
  service = await startService({ records: [...house('one', 1000), ...house('two', 2000)] })
  key = await service.issueKey('one')
  otherKey = await service.issueKey('two')
})

after(() => service.close())

async function page(url: string, secret = key): Promise<Page> {
  const reply = await service.get(url, secret)
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json<Page>()
}

async function refused(url: string, secret = key) {
  const reply = await service.get(url, secret)
  assert.equal(reply.statusCode, 400, `${url} ${reply.payload}`)
  assert.match(reply.json<{ type: string }>().type, /invalid-cursor$/)
}

const session = uuid(1001)

test('a cursor that was changed at any character is refused', async () => {
  const { next_cursor } = await page('/api/v2/lots?limit=2')
  const cursor = next_cursor!
  assert.match(cursor, /^[\w-]+$/)
  for (let index = 0; index < cursor.length; index++) {
    const altered = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1)
    await refused(`/api/v2/lots?limit=2&cursor=${altered}`)
  }
  for (const altered of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}%3D`, cursor + cursor]) {
    await refused(`/api/v2/lots?limit=2&cursor=${altered}`)
  }
})

test('a cursor belongs to its house, its path and its filters', async () => {
  const plain = (await page('/api/v2/lots?limit=2')).next_cursor
  const filtered = (await page(`/api/v2/lots?limit=2&session=${session}`)).next_cursor
  await refused(`/api/v2/lots?cursor=${plain}`, otherKey)
  await refused(`/api/v2/items?cursor=${plain}`)
  await refused(`/api/v2/sellers?cursor=${plain}`)
  await refused(`/api/v2/lots?active=false&cursor=${plain}`)
  await refused(`/api/v2/lots?session=${session}&cursor=${plain}`)
  await refused(`/api/v2/lots?cursor=${filtered}`)
  await refused(`/api/v2/lots?session=${uuid(1002)}&cursor=${filtered}`)
  await refused(`/api/v2/lots?session=${session}&active=false&cursor=${filtered}`)
  const images = (await page(`/api/v2/items/${uuid(1010)}/images?limit=2`)).next_cursor
  await refused(`/api/v2/items/${uuid(1014)}/images?cursor=${images}`)
})

test('a cursor works with any spelling of the same filters', async () => {
  const { next_cursor } = await page(`/api/v2/lots?limit=2&active=false&session=${session}`)
  const again = await page(`/api/v2/lots?session=ses_${session.toUpperCase()}&active=false&cursor=${next_cursor}`)
  assert.equal(again.data.length, 4)
})

test('limit and expand[] may change between pages', async () => {
  const all = (await page('/api/v2/lots')).data.map(({ id }) => id)
  const one = await page('/api/v2/lots?limit=1')
  const two = await page(`/api/v2/lots?limit=2&expand[]=item&cursor=${one.next_cursor}`)
  const three = await page(`/api/v2/lots?expand[]=session&cursor=${two.next_cursor}`)
  assert.deepEqual(
    [one, two, three].flatMap(({ data }) => data.map(({ id }) => id)),
    all,
  )
  assert.equal(three.has_more, false)
  assert.equal(three.next_cursor, null)
})

test('Link leads to the next page, with the limit, the filters and the expansions, and is absent on the last', async () => {
  let url: string | undefined = `/api/v2/lots?expand[]=item&limit=2&active=false&session=${session}&expand[]=session`
  const seen: unknown[] = []
  while (url !== undefined) {
    const reply = await service.get(url, key)
    const { data, has_more, next_cursor } = reply.json<Omit<Page, 'data'> & { data: { item: { title: string } }[] }>()
    seen.push(...data)
    assert.ok(data.length <= 2 && data.every(({ item }) => item.title === 'I'))
    const link = /^<([^>]*)>; rel="next"$/.exec(String(reply.headers['link'] ?? ''))?.[1]
    assert.equal(link !== undefined, has_more)
    if (link === undefined) assert.equal(reply.headers['link'], undefined)
    else assert.equal(new URL(link).searchParams.get('cursor'), next_cursor)
    assert.ok(link === undefined || link.startsWith(`${publicUrl}/api/v2/lots?`))
    url = link?.slice(publicUrl.length)
  }
  assert.equal(seen.length, 6)
})

test('Link repeats no parameter, so that a client with bounded headers reads the answer to any accepted address', async (t) => {
  const origin = await service.app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => service.app.server.closeAllConnections())
  const maker = 'abcdefab-cdef-4abc-8def-abcdefabcdef'
  await service.load([
    houseLine('four'),
    { type: 'maker', ref: 'm', id: maker, name: 'M' },
    ...[1, 2, 3].map(() => ({ type: 'item', title: 'I', makers: ['m'] })),
  ])
  const fourth = await service.issueKey('four')
  const spellings = Array.from({ length: 250 }, (_, at) =>
    maker
      .split('')
      .map((each, place) => ((at >> place) & 1 ? each.toUpperCase() : each))
      .join(''),
  )
  const repeat = (pair: string, times = 900) => Array<string>(times).fill(pair).join('&')
  const cases: [path: string, parameters: number, of?: string][] = [
    [`lots?limit=2&${repeat('expand[]=item')}&${repeat('expand[]=session', 20)}`, 4],
    [`changes?limit=2&${repeat('types[]=item')}`, 3],
    [`lots/search?limit=2&${repeat('facets[]=maker', 800)}`, 3],
    [`items?limit=2&${repeat('expand[]=images')}`, 3],
    [`items/search?limit=2&${spellings.map((each) => `maker[]=${each}`).join('&')}`, 3, fourth],
  ]
  for (const [path, parameters, of = key] of cases) {
    const reply = await fetch(`${origin}/api/v2/${path}`, { headers: { authorization: `Bearer ${of}` } })
    assert.equal(reply.status, 200, await reply.text())
    const link = /^<([^>]*)>/.exec(reply.headers.get('link')!)![1]!
    assert.equal([...new URL(link).searchParams].length, parameters, link)
  }
})

test('a filter with reserved URL characters survives in Link', async () => {
  const reference = 'a&b=c+d %é#'
  await service.load([
    houseLine('three'),
    { type: 'item', ref: 'i', title: 'I', external_reference: 'i' },
    ...[1, 2, 3].map(() => ({ type: 'image', item: 'i', external_reference: reference })),
  ])
  const third = await service.issueKey('three')
  const item = (await page('/api/v2/items', third)).data[0]!.id
  const first = await service.get(
    `/api/v2/items/${item}/images?limit=2&external_reference=${encodeURIComponent(reference)}`,
    third,
  )
  const link = /^<([^>]*)>/.exec(String(first.headers['link']))![1]!
  assert.equal((await page(link.slice(publicUrl.length), third)).data.length, 1)
})

test('a cursor is valid on every instance with the same secret, and on no other', async () => {
  const { printCursor, parseCursor } = await import('./cursors.ts')
  const scope = { house: '1', generation: 'a', path: '/api/v2/lots', filters: { b: 1, a: true } }
  const cursor = printCursor(['key'], scope, { sort: '12', id: uuid(1) })
  const reordered = { ...scope, filters: { a: true, b: 1 } }
  assert.deepEqual(parseCursor(['key'], reordered, cursor), { sort: '12', id: uuid(1) })
  assert.equal(parseCursor(['another'], scope, cursor), undefined)
})
