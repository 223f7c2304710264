import { sql } from 'kysely'
import { json, openClient } from '../../test/support/client.ts'
import { measure } from '../lib/client.ts'
import { openBenchData, type BenchData } from '../lib/data.ts'
import { findMiddle, sessionPage, walkPages, type Work } from '../lib/pages.ts'
import { startCatalogue, startFloor } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'
import { keepDoing } from '../lib/work.ts'

// Measures the load of a storefront. Of ten pages of 100 lots, nine are of the running sale and one is of any other.
// Meanwhile the house changes 20 items of that sale per second through the service, also while the floor is measured.
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const writesPerSecond = 20

async function mixPages(data: BenchData, session: string): Promise<Work[]> {
  const sale = [sessionPage(session, 100), ...(await walkPages(data, 100, session))]
  const others = await walkPages(data, 100)
  return others.flatMap((other, at) => [
    ...Array.from({ length: 9 }, (_, each) => sale[(at + each) % sale.length]!),
    other,
  ])
}

async function findItems({ db, house }: BenchData, session: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.public_id as id from catalogue.items i
    join catalogue.lots l on l.house_id = i.house_id and l.item_id = i.id
    join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where i.house_id = ${house.id} and s.public_id = ${session}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Changes items in turn at a steady rate. Returns the function that stops it, which returns the changes per second. */
function keepWriting(url: string, key: string, items: string[]) {
  const client = openClient(url, key)
  const begun = performance.now()
  const stop = keepDoing(writesPerSecond, async (number) => {
    const body = json({ condition: `Gezien ${number}, ${new Date().toISOString()}` })
    const { status, text } = await client.call('PATCH', `items/${items[(number * 37) % items.length]}`, body)
    if (status !== 200) throw new Error(text)
  })
  return async () => (await stop()).length / ((performance.now() - begun) / 1000)
}

const data = await openBenchData()
const service = await startCatalogue(data.dataDir)
const floor = await startFloor('reads.ts', { connection: data.connection, house: data.house.id })
try {
  const { session } = await findMiddle(data)
  const pages = await mixPages(data, session)
  const items = await findItems(data, session)
  const writes: number[] = []
  const run = async (urls: string[]) => {
    const stop = keepWriting(service.url, data.key, items)
    const { perSecond } = await measure(urls, data.key, seconds)
    writes.push(await stop())
    return perSecond
  }
  const here = pages.map((page) => `${service.url}/api/v2/${page.service}`)
  const there = pages.map((page) => `${floor.url}/${page.floor}`)
  const rates = await alternate(
    () => run(here),
    () => run(there),
  )
  printReport(`Storefront mix, ${data.lots} lots, 16 connections`, [{ work: '90 % one sale, 10 % others', rates }])
  console.log(`\nWrites a second: ${writes.map((each) => each.toFixed(1)).join(', ')}.`)
  console.log(`Memory of the service: ${(await service.memory()).toFixed(0)} MiB.`)
} finally {
  await floor.stop()
  await service.stop()
  await data.close()
}
