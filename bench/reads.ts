import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { printCursor } from '../src/http/cursors.ts'
import { findSecret } from '../src/secret.ts'
import { measure } from './client.ts'
import { openBenchData } from './data.ts'
import { startCatalogue, startFloor } from './processes.ts'
import { alternate, printReport } from './report.ts'

// Reads of a catalogue beside a floor that answers with the same records. BENCH_SECONDS is the time of one measurement.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

type Data = Awaited<ReturnType<typeof openBenchData>>

const all = 'expand[]=item&expand[]=item.images&expand[]=session'

/** Where the last page of a walk over all lots begins. */
async function findLastPage({ db, house }: Data): Promise<{ sort: string; id: string }> {
  const { rows } = await sql<{ sort: string; id: string }>`
    select lot_number::text as sort, public_id::text as id from catalogue.lots where house_id = ${house.id}
    order by lot_number desc, public_id desc offset 100 limit 1`.execute(db)
  return rows[0]!
}

/** The paths of each piece of work: at the service, and at the floor. */
async function listWork(data: Data) {
  const { db, house, dataDir, lots } = data
  const middle = Math.floor(lots / 2)
  const { rows } = await sql<{ lot: string; session: string; reference: string }>`
    select l.public_id as lot, s.public_id as session, i.external_reference as reference from catalogue.items i
    join catalogue.lots l on l.house_id = i.house_id and l.item_id = i.id
    join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where i.house_id = ${house.id} and i.external_reference = ${`item-${middle}`}`.execute(db)
  const { lot, session, reference } = rows[0]!
  const last = await findLastPage(data)
  const scope = { house: house.id, path: '/api/v2/lots', filters: {} }
  const cursor = printCursor(await findSecret(dataDir, undefined), scope, last)
  const none = '-1/00000000-0000-0000-0000-000000000000'
  return [
    {
      work: '100 lots, expanded',
      service: `lots?session=${session}&limit=100&${all}`,
      floor: `session_lots/${session}/100`,
    },
    {
      work: '25 lots, expanded',
      service: `lots?session=${session}&limit=25&${all}`,
      floor: `session_lots/${session}/25`,
    },
    { work: 'one lot with item', service: `lots/${lot}?expand[]=item`, floor: `lot/${lot}` },
    {
      work: 'item by reference',
      service: `items?external_reference=${reference}`,
      floor: `item_by_reference/${reference}`,
    },
    { work: 'all lots: first 100', service: `lots?limit=100&${all}`, floor: `lots_behind/${none}/100` },
    {
      work: 'all lots: last 100',
      service: `lots?limit=100&${all}&cursor=${cursor}`,
      floor: `lots_behind/${last.sort}/${last.id}/100`,
    },
  ]
}

async function readData(url: string, key: string): Promise<unknown> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, url)
  return ((await answer.json()) as { data: unknown }).data
}

const data = await openBenchData()
const service = await startCatalogue(data.dataDir)
const floor = await startFloor('floor.ts', { connection: data.connection, house: data.house.id })
try {
  const atRest = await service.memory()
  const rows = []
  for (const work of await listWork(data)) {
    const here = `${service.url}/api/v2/${work.service}`
    const there = `${floor.url}/${work.floor}`
    assert.deepEqual(await readData(here, data.key), await readData(there, data.key), work.work)
    await measure(there, data.key, 1)
    const { bytes: size } = await measure(here, data.key, 1)
    const rates = await alternate(
      async () => (await measure(here, data.key, seconds)).perSecond,
      async () => (await measure(there, data.key, seconds)).perSecond,
    )
    rows.push({ work: work.work, size, rates })
  }
  printReport(`Reads, ${data.lots} lots, 16 connections`, rows)
  console.log(
    `\nMemory of the service: ${atRest.toFixed(0)} MiB at rest, ${(await service.memory()).toFixed(0)} MiB after.`,
  )
} finally {
  await floor.stop()
  await service.stop()
  await data.close()
}
