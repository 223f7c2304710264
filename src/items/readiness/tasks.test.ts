import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { catalogueOf } from '../../../test/support/lines.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { readDocument } from '../../reads/reads.ts'
import { listJobs } from '../../jobs/jobs.ts'
import { listHouses } from '../../houses/locks.ts'
import { readGeneration } from '../../db/generation.ts'
import type { Payloads } from '../../jobs/queue.ts'
import { selectItem } from '../queries.ts'
import { readyDocuments } from './tasks.ts'
import { contextNow } from '../../context.ts'

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

test('services with different addresses answer from the same stored document, each with its own addresses', async () => {
  const [written, quoted] = [String.raw`"\/public/x`, String.raw`\"\/`]
  await sql`update catalogue.images set renditions = 'public/' || id::text || '/a', alts = ${JSON.stringify({ nl: written, en: quoted })}::jsonb
    where public_id = ${ids.image.slice(-36)}`.execute(service.db)
  await sql`update catalogue.items set revision = revision + 1 where public_id = ${ids.item.slice(-36)}`.execute(
    service.db,
  )
  const [named] = await listHouses(service.db)
  const house = { ...named!, generation: await readGeneration(service.db) }
  type Shown = { images: { url: string | null; alt: string; alt_translations: object }[] }
  const read = async (mediaBase: string) => {
    const context = contextNow(service.db, house, mediaBase)
    const { json } = await readDocument(service.db, selectItem(context, ids.item.slice(-36), ['images']))
    return (JSON.parse(json) as Shown).images[0]!
  }
  const built = await read('https://one.test/media')
  await service.get(urls[1]!, key)
  await untilStored()
  const stored = await sql`select xmin from catalogue.item_documents`.execute(service.db)
  assert.deepEqual(await read('https://one.test/media'), built)
  const { url, alt, alt_translations: alts } = await read('https://two.test/"m')
  assert.equal(url, built.url!.replace('https://one.test/media', 'https://two.test/"m'))
  assert.deepEqual([alt, alts], [written, { nl: written, en: quoted }])
  assert.deepEqual(await sql`select xmin from catalogue.item_documents`.execute(service.db), stored)
})

// Runs the queued slices of the job, with their payloads, until it rests.
async function runReadiness(payload: Payloads['ready_documents'] = {}): Promise<void> {
  await readyDocuments({ db: service.db }, payload)
  const { rows } = await sql<{ payload: Payloads['ready_documents'] }>`
    select payload from graphile_worker._private_jobs where key = 'ready_documents'`.execute(service.db)
  if (rows[0]!.payload.place) await runReadiness(rows[0]!.payload)
}

const countStored = async () => {
  const { rows } = await sql<{ ready: number; all: number }>`
    select count(*) filter (where d.revision = i.revision)::int as ready, count(*)::int as all
    from catalogue.items i left join catalogue.item_documents d on d.house_id = i.house_id and d.item_id = i.id
    where not i.archived`.execute(service.db)
  return rows[0]!
}

test('the job stores the documents of all items, those in no lot too, and they answer as reads do', async () => {
  const built = await readAll()
  await sql`delete from catalogue.item_documents`.execute(service.db)
  await runReadiness()
  const { ready, all } = await countStored()
  assert.ok(all > 1)
  assert.equal(ready, all)
  assert.deepEqual(await readAll(), built)
})

test('the job begins with the items of the session that opens last', async () => {
  await sql`truncate catalogue.item_documents`.execute(service.db)
  await runReadiness()
  const { rows: stored } = await sql`select item_id from catalogue.item_documents order by ctid`.execute(service.db)
  const { rows: wanted } = await sql`
    select i.id as item_id from catalogue.items i
    left join catalogue.lots l on l.house_id = i.house_id and l.item_id = i.id and not l.archived
    left join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where not i.archived group by i.id order by max(s.opens_at) desc nulls last, i.id`.execute(service.db)
  assert.ok(wanted.length > 1)
  assert.deepEqual(stored, wanted)
})

test('the job goes on where its last slice has ended, and leaves an item that cannot be shown', async () => {
  await sql`delete from catalogue.item_documents`.execute(service.db)
  await sql`update catalogue.items set title = null where public_id = ${ids.item.slice(-36)}`.execute(service.db)
  const [house] = await listHouses(service.db)
  const { rows } = await sql<{ id: string }>`select max(id) as id from catalogue.items`.execute(service.db)
  await runReadiness({ place: { house: house!.id, session: null, after: rows[0]!.id } })
  assert.equal((await countStored()).ready, 0)
  await runReadiness()
  const { ready, all } = await countStored()
  assert.equal(ready, all - 1)
})

test('jobs list says how far the job is', async () => {
  await sql`update graphile_worker._private_jobs set payload = '{"done": 40, "all": 162}' where key = 'ready_documents'`.execute(
    service.db,
  )
  const job = (await listJobs(service.db, { failed: false })).find(({ task }) => task === 'ready_documents')
  assert.equal(job?.progress, '40 of 162')
})
