import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { scheduleReadiness } from '../../src/items/readiness/tasks.ts'
import { urlOf } from '../../test/support/address.ts'
import { measure } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { listDistinctReads } from '../lib/pages.ts'
import { startCatalogue } from '../lib/processes.ts'
import { printReport, type Rate } from '../lib/report.ts'

// Measures the first minutes after a load: how long the job takes that makes the documents of all items ready, and what
// a storefront loses meanwhile. The storefront reads any page of 25 lots as fast as it can.
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const startMilliseconds = 10_000

const data = await openBenchData()
const { db, house } = data
const database = { DATABASE_URL: urlOf(data.connection), PUBLIC_URL: 'http://127.0.0.1' }
const reads = Object.entries(await listDistinctReads(data))
const pages = reads.find(([work]) => work.startsWith('any page of 25'))![1]

async function countReady(): Promise<number> {
  const { rows } = await sql<{ ready: number }>`
    select count(*)::float8 as ready from catalogue.item_documents d
    join catalogue.items i on i.house_id = ${house.id} and i.id = d.item_id and i.revision = d.revision
    where d.house_id = ${house.id}`.execute(db)
  return rows[0]!.ready
}

/** Calls `work` with the pages of a service as right after a load: with a job that makes documents ready, or without. */
async function afterLoad<T>(hasJob: boolean, work: (urls: string[]) => Promise<T>): Promise<T> {
  const service = await startCatalogue(data.dataDir, { ...database, WORKER: hasJob ? 'in-process' : 'off' })
  try {
    // The worker begins with other jobs.
    await sleep(startMilliseconds)
    await sql`truncate catalogue.item_documents`.execute(db)
    if (hasJob) await scheduleReadiness(db)
    return await work(pages.map(({ service: page }) => `${service.url}/api/v2/${page}`))
  } finally {
    await service.stop()
  }
}

const read = async (urls: string[]) => (await measure(urls, data.key, seconds, { order: 'any' })).perSecond

async function untilReady(): Promise<number> {
  const begun = performance.now()
  while ((await countReady()) < data.lots) await sleep(500)
  return (performance.now() - begun) / 1000
}

try {
  const rates: Rate[] = []
  for (let round = 0; round < rounds; round++)
    rates.push({ service: await afterLoad(true, read), floor: await afterLoad(false, read) })
  const work = `any page of 25, the first ${seconds} s, ${data.lots} items`
  printReport('A storefront right after a load', [{ work, rates }], ['beside the job', 'without it'])
  const alone = await afterLoad(true, untilReady)
  console.log(`\nall ${data.lots} documents are ready after ${alone.toFixed(0)} s without a storefront`)
  const beside = await afterLoad(true, async (urls) => {
    const done = new AbortController()
    const storefront = (async () => {
      while (!done.signal.aborted) await read(urls)
    })()
    const took = await untilReady()
    done.abort()
    await storefront
    return took
  })
  console.log(`and after ${beside.toFixed(0)} s beside one that reads as fast as it can`)
} finally {
  await data.close()
}
