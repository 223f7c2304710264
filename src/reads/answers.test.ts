import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { sql } from 'kysely'
import { catalogueOf } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
let service: TestService
let key: string

before(async () => {
  service = await startService({ records: lines, comparesReads: true })
  key = await service.issueKey(slug)
  await service.get('/api/v2', key)
})

after(() => service.close())

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  await service.get('/api/v2', key)
  service.statements.length = 0
  await work()
  return service.statements.filter(
    ({ text }) => !/catalogue\.api_keys|insert into catalogue\.item_documents|pg_notify/.test(text),
  ).length
}

const get = (path: string, headers: Record<string, string> = {}) => service.get(`/api/v2/${path}`, key, headers)

test('one statement builds a record that is not cached, and later one statement checks it', async () => {
  const path = 'items?limit=3&expand[]=images'
  assert.equal(await countStatements(() => get(path)), 1)
  assert.equal(await countStatements(() => get(path)), 1)
})

test('of a page only the changed records are rebuilt, and the page is the same as without the cache', async () => {
  const path = 'items?limit=100&expand[]=images'
  await get(path)
  await service.request({ method: 'PATCH', url: `/api/v2/items/${ids.item}`, key, body: { title: 'Anders' } })
  let page: Awaited<ReturnType<typeof get>> | undefined
  assert.equal(await countStatements(async () => (page = await get(path))), 2)
  const { data } = page!.json<{ data: { id: string; title: string }[] }>()
  assert.ok(data.length > 1)
  assert.equal(data.find(({ id }) => id === ids.item)!.title, 'Anders')
})

test('a record that moves onto a page from a later one is shown', async () => {
  const path = 'items?limit=2'
  for (let n = 0; n < 4; n++)
    await service.request({
      method: 'POST',
      url: '/api/v2/items',
      key,
      body: { external_reference: `moves ${n}`, title: 'x' },
    })
  const { data } = (await get('items?limit=4')).json<{ data: { id: string }[] }>()
  const idsOf = async () => (await get(path)).json<{ data: { id: string }[] }>().data.map(({ id }) => id)
  await idsOf()
  const archive = (archived: boolean) =>
    service.db
      .updateTable('catalogue.items')
      .set({ archived, revision: sql`revision + 1` })
      .where('public_id', '=', data[0]!.id.slice(-36))
      .execute()
  await archive(true)
  assert.deepEqual(
    await idsOf(),
    data.slice(1, 3).map(({ id }) => id),
  )
  await archive(false)
  assert.deepEqual(
    await idsOf(),
    data.slice(0, 2).map(({ id }) => id),
  )
})

test('an answer with a long address is not cached, and its ETag is the same each time', async () => {
  const kept = mock.method(service.app.site.answers, 'keep')
  const path = `items?limit=1&${'expand[]=images&'.repeat(100)}expand[]=images`
  const [first, again] = [(await get(path)).headers['etag'], (await get(path)).headers['etag']]
  assert.equal(first, again)
  assert.deepEqual(
    kept.mock.calls.map(({ arguments: [, , answer] }) => answer.etag),
    [undefined],
  )
  kept.mock.restore()
})

test('one statement reads different records that are requested at one moment', async () => {
  const { data } = (await get('items?limit=100')).json<{ data: { id: string }[] }>()
  const paths = data.slice(0, 3).map(({ id }) => `items/${id}?expand[]=images`)
  for (const path of ['unknown', 'known'])
    assert.equal(await countStatements(() => Promise.all(paths.map((each) => get(each)))), 1, path)
})

test('a client that holds the present answer costs a check and no build', async () => {
  const path = `items/${ids.plainItem}`
  const { etag } = (await get(path)).headers
  const statements = await countStatements(async () => {
    const reply = await get(path, { 'if-none-match': String(etag) })
    assert.deepEqual([reply.statusCode, reply.payload], [304, ''])
  })
  assert.equal(statements, 1)
})

test('a record that cannot be shown is not cached: it is 500 until it is repaired', async () => {
  const path = `items/${ids.plainItem}?expand[]=images`
  assert.equal((await get(path)).statusCode, 200)
  const strike = (title: string | null) =>
    service.db
      .updateTable('catalogue.items')
      .set({ title, revision: sql`revision + 1` })
      .where('public_id', '=', ids.plainItem.slice(-36))
      .execute()
  await strike(null)
  for (let n = 0; n < 2; n++) assert.equal((await get(path)).statusCode, 500)
  await strike('Weer')
  assert.equal((await get(path)).statusCode, 200)
})
