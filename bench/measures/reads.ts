import assert from 'node:assert/strict'
import { openClient } from '../../test/support/client.ts'
import { measure } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { firstPage, listReads, walkPages, type Work } from '../lib/pages.ts'
import { startCatalogue, startFloor } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'

// Measures reads of the service beside a floor that answers with the same records. BENCH_SECONDS is the duration of
// one measurement.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

const data = await openBenchData()
const service = await startCatalogue(data.dataDir)
const floor = await startFloor('reads.ts', { connection: data.connection, house: data.house.id })
try {
  const client = openClient(service.url, data.key)
  const atRest = await service.memory()
  const rows = []
  for (const { name, pages, again } of await listReads(data)) {
    const here = pages.map((page) => `${service.url}/api/v2/${page.service}`)
    const there = pages.map((page) => `${floor.url}/${page.floor}`)
    const shown = await client.read<{ data: unknown }>(here[0]!)
    assert.deepEqual(shown.data, (await client.read<{ data: unknown }>(there[0]!)).data, name)
    const condition = again ? (await client.call('GET', here[0]!)).headers.etag : undefined
    const { bytes: size } = await measure(there, data.key, 1)
    await measure(here, data.key, 1, { etag: condition })
    const rates = await alternate(
      async () => (await measure(here, data.key, seconds, { etag: condition })).perSecond,
      async () => (await measure(there, data.key, seconds)).perSecond,
    )
    rows.push({ work: name, size, rates })
  }
  printReport(`Reads, ${data.lots} lots, 16 connections`, rows)
  const rate = async ({ service: path }: Work) =>
    (await measure([`${service.url}/api/v2/${path}`], data.key, seconds)).perSecond
  const lastPage = (await walkPages(data, 100)).at(-1)!
  await rate(lastPage)
  await rate(firstPage(100))
  const ends = await alternate(
    () => rate(lastPage),
    () => rate(firstPage(100)),
  )
  printReport('The walk over all lots', [{ work: '100 lots', rates: ends }], ['last page', 'first page'])
  console.log(
    `\nMemory of the service: ${atRest.toFixed(0)} MiB at rest, ${(await service.memory()).toFixed(0)} MiB after.`,
  )
} finally {
  await floor.stop()
  await service.stop()
  await data.close()
}
