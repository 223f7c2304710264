import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { catalogueOf } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
let service: TestService
let key: string

before(async () => {
  service = await startService({ records: lines, cacheBytes: 0 })
  key = await service.issueKey(slug)
})

after(() => service.close())

type Stored = { revision: string; current: string; format: string }

async function findStored(): Promise<Stored | undefined> {
  const { rows } = await sql<Stored>`
    select d.revision, i.revision as current, d.format from catalogue.item_documents d
    join catalogue.items i on i.house_id = d.house_id and i.id = d.item_id
    where i.public_id = ${ids.item.slice(-36)}`.execute(service.db)
  return rows[0]
}

/** Waits until the item's document is stored in its present revision. */
async function untilStored(): Promise<Stored> {
  for (;;) {
    const stored = await findStored()
    if (stored?.revision === stored?.current && stored) return stored
    await sleep(20)
  }
}

const urls = [
  `/api/v2/items/${ids.item}`,
  `/api/v2/items/${ids.item}?expand[]=images`,
  `/api/v2/lots/${ids.lot}?expand[]=item`,
  `/api/v2/lots/${ids.lot}?expand[]=item.images&expand[]=session`,
]
const readAll = () => Promise.all(urls.map(async (url) => (await service.get(url, key)).payload))
const patch = (title: string) =>
  service.request({ method: 'PATCH', url: `/api/v2/items/${ids.item}`, key, body: { title } })

test('a read stores the document of an item that was not ready, and later reads answer the same byte for byte', async () => {
  const built = await readAll()
  await untilStored()
  assert.deepEqual(await readAll(), built)
})

test('a read ignores and replaces a stored document of another revision', async () => {
  await readAll()
  const before = await untilStored()
  const written = await patch('Nieuw')
  assert.ok(written.payload.includes('"title":"Nieuw"'))
  assert.notEqual((await findStored())!.current, before.revision)
  for (const body of await readAll()) assert.ok(body.includes('"title":"Nieuw"'), body)
  await untilStored()
  for (const body of await readAll()) assert.ok(body.includes('"title":"Nieuw"'), body)
})

test('a read ignores and replaces a stored document from another version or address', async () => {
  const built = await readAll()
  const { format } = await untilStored()
  await sql`update catalogue.item_documents set format = 'another', head = 'x', tail = 'x'`.execute(service.db)
  assert.deepEqual(await readAll(), built)
  while ((await findStored())!.format !== format) await sleep(20)
  assert.deepEqual(await readAll(), built)
})

test('an item that cannot be shown has no stored document, and answers 500 despite an older one', async () => {
  await readAll()
  await untilStored()
  const strike = (title: string | null) =>
    sql`update catalogue.items set title = ${title}, revision = revision + 1
      where public_id = ${ids.item.slice(-36)}`.execute(service.db)
  await strike(null)
  for (const url of urls) assert.equal((await service.get(url, key)).statusCode, 500, url)
  await strike('Weer')
  for (const body of await readAll()) assert.ok(body.includes('"title":"Weer"'), body)
})
