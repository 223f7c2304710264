import { availableParallelism } from 'node:os'
import { measure } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { findMiddle, sessionPage, walkPages } from '../lib/pages.ts'
import { startCatalogue } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'

// Measures reads of several processes on one port beside those of one, on the same database. With as many processes
// as processors, client and PostgreSQL take their share of the processors.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const processes = Number(process.env.PROCESSES || 2)

const data = await openBenchData()
const several = await startCatalogue(data.dataDir, { PROCESSES: String(processes) })
const one = await startCatalogue(data.dataDir, { PROCESSES: '1' })
try {
  const { session } = await findMiddle(data)
  const works = {
    'the same page of 25 lots': [sessionPage(session, 25)],
    'any page of 25 lots': await walkPages(data, 25),
    'any page of 100 lots': await walkPages(data, 100),
  }
  const rows = []
  for (const [work, pages] of Object.entries(works)) {
    const run = async (url: string) =>
      (
        await measure(
          pages.map((page) => `${url}/api/v2/${page.service}`),
          data.key,
          seconds,
        )
      ).perSecond
    const rates = await alternate(
      () => run(several.url),
      () => run(one.url),
    )
    rows.push({ work, rates })
  }
  const title = `${processes} processes beside one, ${data.lots} lots, ${availableParallelism()} processors, 16 connections`
  printReport(title, rows, [`${processes} processes`, 'one'])
} finally {
  await one.stop()
  await several.stop()
  await data.close()
}
