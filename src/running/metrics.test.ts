import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../test/support/database.ts'
import { findPort } from '../../test/support/process.ts'
import { createHouse } from '../houses/houses.ts'
import { enqueue } from '../jobs/queue.ts'
import { createMetrics } from './metrics.ts'

const database = await createTestDatabase()
const metrics = createMetrics(database)
const port = await findPort()
await metrics.serve('127.0.0.1', port)
after(() => metrics.close())

async function read(): Promise<string[]> {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.equal(reply.status, 200)
  return (await reply.text()).split('\n')
}
const valueOf = (lines: string[], name: string) => {
  const line = lines.find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

test('requests are counted by method, route and status with their durations, and so are refusals of the rate limit', async () => {
  metrics.countRequest('GET', '/api/v2/lots', 200, 0.003)
  metrics.countRequest('GET', '/api/v2/lots', 429, 0.001)
  const lines = await read()
  const labels = 'method="GET",route="/api/v2/lots",status="200"'
  assert.equal(valueOf(lines, `catalogue_request_seconds_bucket{le="0.002",${labels}}`), 0)
  assert.equal(valueOf(lines, `catalogue_request_seconds_bucket{le="0.005",${labels}}`), 1)
  assert.equal(valueOf(lines, 'catalogue_rate_limit_refusals_total'), 1)
})

test('answers are counted as kept or built, with the memory of the cache', async () => {
  metrics.countCacheUse('built', 9_000)
  metrics.countCacheUse('kept', 9_000)
  metrics.countCacheUse('built', 18_000)
  const lines = await read()
  assert.equal(valueOf(lines, 'catalogue_answers_total{outcome="built"}'), 2)
  assert.equal(valueOf(lines, 'catalogue_answers_total{outcome="kept"}'), 1)
  assert.equal(valueOf(lines, 'catalogue_answers_bytes'), 18_000)
})

test('metrics show the search indexes at the moment of the scrape: their memory, and the houses by state', async () => {
  assert.equal(valueOf(await read(), 'catalogue_search_bytes'), 0)
  metrics.watchSearch(() => ({ bytes: 1_700, houses: { whole: 2, displaced: 0, too_large: 1 } }))
  const lines = await read()
  assert.equal(valueOf(lines, 'catalogue_search_bytes'), 1_700)
  assert.equal(valueOf(lines, 'catalogue_search_houses{state="whole"}'), 2)
  assert.equal(valueOf(lines, 'catalogue_search_houses{state="too_large"}'), 1)
})

test('metrics show the queue at the moment of the scrape: due jobs by task, and the wait of the oldest', async () => {
  const empty = await read()
  assert.equal(valueOf(empty, 'catalogue_jobs_oldest_seconds'), 0)
  const hour = 3_600_000
  await enqueue(database.db, 'delete_media', { keys: [] }, { delay: -hour })
  await enqueue(database.db, 'delete_media', { keys: [] })
  await enqueue(database.db, 'clean_store', {}, { delay: hour })
  const lines = await read()
  assert.equal(valueOf(lines, 'catalogue_jobs{task="delete_media"}'), 2)
  assert.equal(valueOf(lines, 'catalogue_jobs{task="clean_store"}'), undefined)
  assert.ok(valueOf(lines, 'catalogue_jobs_oldest_seconds')! >= 3600)
})

test('metrics show the storage of each house’s pictures', async () => {
  const house = { slug: 'noord', name: 'Noord', defaultLocale: 'nl', currency: 'EUR' }
  const { id } = await createHouse(database.db, house, new Date())
  await sql`insert into catalogue.items (house_id, id) values (${id}, 1)`.execute(database.db)
  await sql`insert into catalogue.images (house_id, item_id, original, original_bytes, renditions_bytes)
    values (${id}, 1, 'originals/a', 1000, null), (${id}, 1, 'originals/b', 200, 30)`.execute(database.db)
  const lines = await read()
  assert.equal(valueOf(lines, 'catalogue_storage_bytes{house="noord",files="originals"}'), 1200)
  assert.equal(valueOf(lines, 'catalogue_storage_bytes{house="noord",files="renditions"}'), 30)
})

test('without the database, metrics show everything but the queue and the storage', async () => {
  await database.drop()
  const lines = await read()
  for (const name of [
    'catalogue_jobs{task="delete_media"}',
    'catalogue_jobs_oldest_seconds',
    'catalogue_storage_bytes{house="noord",files="originals"}',
  ]) {
    assert.equal(valueOf(lines, name), undefined)
  }
  assert.equal(valueOf(lines, 'catalogue_database_connections{state="waited_for"}'), 0)
  assert.ok(valueOf(lines, 'nodejs_eventloop_lag_p99_seconds')! >= 0)
})
