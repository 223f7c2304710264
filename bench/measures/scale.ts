import { openClient } from '../../test/support/client.ts'
import { measure } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { listReads } from '../lib/pages.ts'
import { startCatalogue } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'

// Measures the same reads on a catalogue, and on one ten times as large.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

async function openSide(lots?: number) {
  const data = await openBenchData(lots)
  const service = await startCatalogue(data.dataDir)
  const client = openClient(service.url, data.key)
  const reads = await listReads(data)
  return {
    lots: data.lots,
    reads: reads.map(({ name, pages, again }) => {
      const urls = pages.map((page) => `${service.url}/api/v2/${page.service}`)
      const run = async () => {
        const etag = again ? (await client.call('GET', urls[0]!)).headers.etag : undefined
        return (await measure(urls, data.key, seconds, { etag })).perSecond
      }
      return { name: name.replace(/ \(.*|, floor.*/, ''), run }
    }),
    async close() {
      await service.stop()
      await data.close()
    },
  }
}

const small = await openSide()
const large = await openSide(small.lots * 10)
try {
  const rows = []
  for (const [at, { name, run }] of large.reads.entries()) {
    const other = small.reads[at]!.run
    await run()
    await other()
    rows.push({ work: name, rates: await alternate(run, other) })
  }
  printReport('Reads of a large catalogue beside a small one', rows, [`${large.lots} lots`, `${small.lots} lots`])
} finally {
  await large.close()
  await small.close()
}
