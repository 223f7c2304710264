import assert from 'node:assert/strict'
import { measure } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { firstPage, listReads, walkPages, type Work } from '../lib/pages.ts'
import { startCatalogue, startFloor } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'

// Reads of a catalogue beside a floor that answers with the same records. BENCH_SECONDS is the time of one measurement.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

async function read(url: string, key: string) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, url)
  return { data: ((await answer.json()) as { data: unknown }).data, etag: answer.headers.get('etag') ?? undefined }
}

const data = await openBenchData()
const service = await startCatalogue(data.dataDir)
const floor = await startFloor('reads.ts', { connection: data.connection, house: data.house.id })
try {
  const atRest = await service.memory()
  const rows = []
  for (const { name, pages, again } of await listReads(data)) {
    const here = pages.map((page) => `${service.url}/api/v2/${page.service}`)
    const there = pages.map((page) => `${floor.url}/${page.floor}`)
    const { data: shown, etag } = await read(here[0]!, data.key)
    assert.deepEqual(shown, (await read(there[0]!, data.key)).data, name)
    const condition = again ? etag : undefined
    const { bytes: size } = await measure(there, data.key, 1)
    await measure(here, data.key, 1, condition)
    const rates = await alternate(
      async () => (await measure(here, data.key, seconds, condition)).perSecond,
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
