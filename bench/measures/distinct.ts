import { cpus } from 'node:os'
import { sql } from 'kysely'
import { percentile } from '../../test/support/statistics.ts'
import { urlOf } from '../../test/support/address.ts'
import { connections, measure, visit } from '../lib/client.ts'
import { readyDocuments } from '../lib/database.ts'
import { openBenchData } from '../lib/data.ts'
import { findSessions, sessionPage, singleLots, walkPages, type Work } from '../lib/pages.ts'
import { measureProcessor, startCatalogue } from '../lib/processes.ts'
import { spread } from '../lib/report.ts'

// Measures reads as storefronts ask for them: many addresses, the limits counted in the database. Each round asks for
// plain answers and for each coding, one after the other. The cache holds the known answers and their forms; from 50,000
// lots on it has lost the unknown ones when they come again. Rounds are many and short: BENCH_ROUNDS (9), BENCH_SECONDS (1).
const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const codings = ['plain', 'gzip', 'br', 'zstd'] as const
type Coding = (typeof codings)[number]

type Figures = Awaited<ReturnType<typeof measureRound>>

const data = await openBenchData()
await readyDocuments(data.db, 'bench')
await sql`vacuum analyze`.execute(data.db)
const settings = { DATABASE_URL: urlOf(data.connection), RATE_LIMIT_PER_MINUTE: '100000000' }
const service = await startCatalogue(data.dataDir, settings)

const wishesOf = (coding: Coding) => ({ accepts: coding === 'plain' ? undefined : coding })

async function measureRound(urls: string[], coding: Coding) {
  const before = await measureProcessor(service, data.dataDir)
  const measured = await measure(urls, data.key, seconds, wishesOf(coding))
  const after = await measureProcessor(service, data.dataDir)
  const each = (name: 'node' | 'postgres') => ((after[name] - before[name]) * 1000) / measured.answers
  // The next round goes on where this one stopped.
  urls.push(...urls.splice(0, Math.ceil(measured.answers / connections) % urls.length))
  return { ...measured, node: each('node'), postgres: each('postgres') }
}

const middle = (values: number[]) => percentile(values, 0.5)

function printRow(work: string, coding: Coding, figures: Figures[], plain: Figures[]): void {
  const of = (value: (figures: Figures) => number) => figures.map(value)
  const ratio = (value: (figures: Figures) => number) =>
    coding === 'plain'
      ? ''
      : spread(
          figures.map((each, round) => value(each) / value(plain[round]!)),
          2,
        )
  const cells = [
    `${work}, ${coding}`,
    middle(of(({ bytes }) => bytes / 1000)).toFixed(1),
    middle(of(({ perSecond }) => perSecond)).toFixed(0),
    middle(of(({ node }) => node)).toFixed(3),
    middle(of(({ postgres }) => postgres)).toFixed(3),
    ratio(({ perSecond }) => perSecond),
    ratio(({ node }) => node),
    ratio(({ node, postgres }) => node + postgres),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  const unencoded = of((each) => each.unencoded).reduce((sum, each) => sum + each)
  if (coding !== 'plain' && unencoded > 0) console.error(`${work}: ${unencoded} answers were not encoded as ${coding}`)
}

try {
  const sessions = await findSessions(data, 32)
  const lots = await singleLots(data, 60_000)
  const rows: { work: string; pages: Work[]; isKnown: boolean }[] = [
    { work: '100 lots, known, 32 sessions', pages: sessions.map((each) => sessionPage(each, 100)), isKnown: true },
    { work: '25 lots, known, 32 sessions', pages: sessions.map((each) => sessionPage(each, 25)), isKnown: true },
    { work: 'one lot with item, known, 2,000', pages: lots.slice(0, 2_000), isKnown: true },
    { work: '100 lots, unknown', pages: await walkPages(data, 100), isKnown: false },
    { work: '25 lots, unknown', pages: await walkPages(data, 25), isKnown: false },
    { work: 'one lot with item, unknown', pages: lots, isKnown: false },
  ]
  console.log(`\n## Many addresses, ${data.lots} lots, limits counted, ${connections} connections\n`)
  console.log(`${rounds} rounds of ${seconds} s, ${cpus().length} processors, Node ${process.versions.node}\n`)
  console.log('| work | KB | 1/s | Node, ms | PostgreSQL, ms | of plain: 1/s | Node | both |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const { work, pages, isKnown } of rows) {
    const urls = pages.map((page) => `${service.url}/api/v2/${page.service}`)
    const figures: Record<Coding, Figures[]> = { plain: [], gzip: [], br: [], zstd: [] }
    for (const coding of codings) {
      if (isKnown) await visit(urls, data.key, wishesOf(coding))
      await measureRound(urls, coding)
    }
    for (let round = 0; round < rounds; round++)
      for (const coding of codings) figures[coding].push(await measureRound(urls, coding))
    for (const coding of codings) printRow(work, coding, figures[coding], figures.plain)
  }
} finally {
  await service.stop()
  await data.close()
}
