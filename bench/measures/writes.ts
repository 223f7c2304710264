import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../../src/settings/config.ts'
import { openCatalogue } from '../../src/running/catalogue.ts'
import { startService } from '../../src/running/service.ts'
import { json, openClient } from '../../test/support/client.ts'
import { findPort } from '../../test/support/process.ts'
import { percentile } from '../../test/support/statistics.ts'
import { openBenchDatabase } from '../lib/database.ts'
import { startCatalogue, startFloor } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'
import { createItems } from '../lib/work.ts'

// Measures the creation of items beside a floor, the round trips of a change, and the activation of every lot of a
// session during the computation of its schedule. All of it runs on one embedded server, whose commits are durable.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const lotCount = 1000
const database = await openBenchDatabase(4)
const { db, dataDir } = database

const session = randomUUID()
await fill()
const { house, key } = await database.openHouse('bench')
await sql`analyze`.execute(db)

async function fill(): Promise<void> {
  const item = randomUUID()
  const auction = randomUUID()
  await database.load([
    { type: 'house', slug: 'bench', name: 'Bench', default_locale: 'nl', currency: 'EUR' },
    { type: 'auction', id: auction, external_reference: 'A', title: 'Sale' },
    {
      type: 'session',
      id: session,
      auction,
      external_reference: 'S',
      kind: 'timed',
      opens_at: '2099-05-01T10:00:00Z',
      timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 },
    },
    { type: 'item', id: item, external_reference: 'I', title: 'Vaas' },
    ...Array.from({ length: lotCount }, (_, index) => ({
      type: 'lot',
      session,
      item,
      lot_number: index + 1,
      id: randomUUID(),
    })),
  ])
}

/** Counts how often one change of one field waits for the database, begin and commit included. */
async function countRoundTrips(): Promise<number> {
  const port = await findPort()
  const settings = { DATA_DIR: dataDir, PORT: String(port), RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'silent' }
  const catalogue = await openCatalogue(readConfig(settings))
  const service = await startService(catalogue)
  const { call, close } = openClient(`http://127.0.0.1:${port}`, key, 1)
  const { rows } = await sql<{ id: string }>`select public_id as id from catalogue.items limit 1`.execute(db)
  const counted = new Set<object>()
  let trips = 0
  catalogue.pool.on('acquire', (client) => {
    if (counted.has(client)) return
    counted.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const count = (...args: unknown[]) => {
      trips += 1
      return query(...args)
    }
    client.query = count as typeof client.query
  })
  const patch = async (title: string) => {
    const { status } = await call('PATCH', `items/${rows[0]!.id}`, json({ title }))
    if (status !== 200) throw new Error(`the change was answered ${status}`)
  }
  // The first one looks up the key and prepares the statements. Announcements of changes pause for a tenth of a
  // second.
  await patch('Kan')
  await sleep(300)
  await patch('Kom')
  trips = 0
  await patch('Kop')
  close()
  await service.stop()
  await catalogue.close()
  return trips
}

async function switchLots(url: string) {
  const { call, close } = openClient(url, key, 4)
  const { rows } = await sql<{ id: string }>`select public_id as id from catalogue.lots order by random()`.execute(db)
  const waiting = rows.map(({ id }) => id)
  const times: number[] = []
  const run = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const begun = performance.now()
      const { status, text } = await call('PATCH', `lots/${id}`, json({ active: true }))
      if (status !== 200) throw new Error(text)
      times.push(performance.now() - begun)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: 4 }, run))
  const ended = performance.now()
  close()
  const isComplete = async () => {
    const counted = await sql<{ right: number }>`
      select count(*)::int as right from catalogue.lots
      where closes_at = timestamptz '2099-05-08T10:00:00Z' + (lot_number - 1) * interval '1 minute'`.execute(db)
    return counted.rows[0]!.right === lotCount
  }
  while (!(await isComplete())) await sleep(10)
  const at = (share: number) => percentile(times, share).toFixed(0)
  return {
    perSecond: (lotCount / ((ended - begun) / 1000)).toFixed(0),
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    complete: (performance.now() - ended).toFixed(0),
  }
}

const floor = await startFloor('writes.ts', { connection: database.connection, house: house.id })
const service = await startCatalogue(dataDir)
const rates = await alternate(
  () => createItems(service.url, key, seconds),
  () => createItems(floor.url, key, seconds),
)
printReport('Writes', [{ work: 'create an item with two translations, 8 connections', rates }])
await floor.stop()
const roundTrips = await countRoundTrips()
console.log(`\nround trips of a change of one field, begin and commit included: ${roundTrips} (at most 5)`)
await service.stop()

const working = await startCatalogue(dataDir, { WORKER: 'in-process' })
const { perSecond, p50, p99, max, complete } = await switchLots(working.url)
console.log(`\n${lotCount} lots of one session switched on one by one, 4 at a time, in any order, the worker running:`)
console.log(
  '| 1/s | p50 ms | p99 ms (at most 250) | max ms | schedule complete after, ms (at most 2000) |\n| ---: | ---: | ---: | ---: | ---: |',
)
console.log(`| ${perSecond} | ${p50} | ${p99} | ${max} | ${complete} |`)
await working.stop()

await database.close()
