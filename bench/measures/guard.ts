import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { findHouse } from '../../src/houses/locks.ts'
import { urlOf } from '../../test/support/address.ts'
import { percentile } from '../../test/support/statistics.ts'
import { ask, connections, measure, printRequest, visit } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { readyDocuments } from '../lib/database.ts'
import { findSessions, sessionPage, singleLots, walkPages, type Work } from '../lib/pages.ts'
import { measureProcessor, startCatalogue, startFloor, type ServerProcess } from '../lib/processes.ts'

// Guards what requests cost: the processor time of the service and PostgreSQL, as a ratio to that of the floor, in
// interleaved rounds. A row that is more than 15 % above `guard.json`, twice, ends the run with an error.
// `npm run bench guard keep` writes the file. BENCH_SECONDS (1), BENCH_ROUNDS (5).
const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const tolerance = 1.15
const file = path.join(import.meta.dirname, '../guard.json')
const keeps = process.argv.includes('keep')

/** Does the work for some seconds. Returns how often it was done. */
type Run = () => Promise<number>
type Row = { work: string; service: Run; floor: Run; server: ServerProcess }

const data = await openBenchData(20_000)
await readyDocuments(data.db, 'bench')
const creating = 'bench-creates'
if (!(await findHouse(data.db, creating)))
  await data.load([{ type: 'house', slug: creating, name: 'Creates', default_locale: 'nl', currency: 'EUR' }])
const creates = await data.openHouse(creating)
await sql`vacuum analyze`.execute(data.db)
const settings = { DATABASE_URL: urlOf(data.connection), RATE_LIMIT_PER_MINUTE: '100000000' }
const keeping = await startCatalogue(data.dataDir, settings)
const forgetting = await startCatalogue(data.dataDir, { ...settings, ANSWER_CACHE_MIB: '0' })
const reads = await startFloor('reads.ts', { connection: data.connection, house: data.house.id })
const writes = await startFloor('writes.ts', { connection: data.connection, house: creates.house.id })

const text = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}${at % 7}`).join(' ')
const textsOf = (word: string) => ({
  title: text(word, 7),
  description: text(word, 55),
  condition: text(word, 12),
  dimensions: '30 x 40 cm',
})
const nl = textsOf('vaas')
const translations = { nl, en: textsOf('vase') }
let created = 0

/** Creates items with two translations on all connections. */
async function create(url: string, isKeyed: boolean): Promise<number> {
  const to = { host: new URL(url).host, key: creates.key }
  const deadline = performance.now() + seconds * 1000
  const before = created
  const next = () => {
    if (performance.now() > deadline) return undefined
    const external_reference = `guard-${process.pid}-${created++}`
    const headers = isKeyed ? { 'Idempotency-Key': external_reference } : {}
    return printRequest(to, 'POST', '/api/v2/items', { body: { external_reference, ...nl, translations }, headers })
  }
  const run = () =>
    ask(url, next, (status, _bytes, head) => {
      if (status !== 201) throw new Error(head)
    })
  await Promise.all(Array.from({ length: connections }, run))
  return created - before
}

async function readsOf(pages: Work[], server: ServerProcess): Promise<Omit<Row, 'work'>> {
  const urls = pages.map((page) => `${server.url}/api/v2/${page.service}`)
  const floorUrls = pages.map((page) => `${reads.url}/${page.floor}`)
  if (server === keeping) await visit(urls, data.key)
  const run = (of: string[]) => async () => {
    const { answers } = await measure(of, data.key, seconds)
    // The next round goes on where this one stopped.
    of.push(...of.splice(0, Math.ceil(answers / connections) % of.length))
    return answers
  }
  return { service: run(urls), floor: run(floorUrls), server }
}

async function measureRun(server: ServerProcess, run: Run): Promise<number> {
  const before = await measureProcessor(server, data.dataDir)
  const count = await run()
  const after = await measureProcessor(server, data.dataDir)
  return ((after.node + after.postgres - before.node - before.postgres) * 1000) / count
}

/** Milliseconds of processor time of the service and of the floor, medians of the rounds, and the median of the ratios. */
async function measureRow({ service, floor, server }: Row, floorServer: ServerProcess) {
  const measured: { service: number; floor: number }[] = []
  await service()
  await floor()
  for (let round = 0; round < rounds; round++)
    measured.push({ service: await measureRun(server, service), floor: await measureRun(floorServer, floor) })
  const middle = (value: (each: (typeof measured)[number]) => number) => percentile(measured.map(value), 0.5)
  return {
    service: middle((each) => each.service),
    floor: middle((each) => each.floor),
    ratio: middle((each) => each.service / each.floor),
  }
}

async function listRows(): Promise<Row[]> {
  const sessions = await findSessions(data, 16)
  return [
    {
      work: '100 lots, known',
      ...(await readsOf(
        sessions.map((each) => sessionPage(each, 100)),
        keeping,
      )),
    },
    {
      work: '25 lots, known',
      ...(await readsOf(
        sessions.map((each) => sessionPage(each, 25)),
        keeping,
      )),
    },
    { work: '100 lots, not kept', ...(await readsOf(await walkPages(data, 100), forgetting)) },
    { work: '25 lots, not kept', ...(await readsOf(await walkPages(data, 25), forgetting)) },
    { work: 'one of 4,000 lots', ...(await readsOf(await singleLots(data, 4_000), keeping)) },
    ...[false, true].map((isKeyed) => ({
      work: `create, two translations${isKeyed ? ', with a key' : ''}`,
      service: () => create(keeping.url, isKeyed),
      floor: () => create(writes.url, isKeyed),
      server: keeping,
    })),
  ]
}

const known = keeps ? {} : (JSON.parse(await readFile(file, 'utf8')) as Record<string, number>)
const found: Record<string, number> = {}
const worse: string[] = []
try {
  console.log(`\n## What requests cost, ${data.lots} lots, limits counted, ${connections} connections\n`)
  console.log('| work | service, ms | floor, ms | ratio | of guard.json |\n| --- | ---: | ---: | ---: | ---: |')
  for (const row of await listRows()) {
    const floorServer = row.work.startsWith('create') ? writes : reads
    const isWorse = (ratio: number) => ratio > (known[row.work] ?? Infinity) * tolerance
    let result = await measureRow(row, floorServer)
    if (isWorse(result.ratio)) {
      result = await measureRow(row, floorServer)
      if (isWorse(result.ratio)) worse.push(row.work)
    }
    const { service, floor, ratio } = result
    found[row.work] = Number(ratio.toPrecision(3))
    const change = known[row.work] === undefined ? '' : (ratio / known[row.work]!).toFixed(2)
    console.log(`| ${row.work} | ${service.toFixed(3)} | ${floor.toFixed(3)} | ${ratio.toFixed(2)} | ${change} |`)
  }
  const memory = async (server: ServerProcess) => (await server.memory()).toFixed(0)
  console.log(
    `\nMiB of memory: ${await memory(keeping)} (at most 300), with nothing kept ${await memory(forgetting)} (250)`,
  )
} finally {
  for (const server of [keeping, forgetting, reads, writes]) await server.stop()
  for (const table of ['item_translations', 'change_marks', 'journal', 'idempotency_keys', 'items'])
    await sql`delete from ${sql.table(`catalogue.${table}`)} where house_id = ${creates.house.id}`.execute(data.db)
  await data.close()
}
if (keeps) await writeFile(file, `${JSON.stringify(found, null, 2)}\n`)
if (worse.length > 0) throw new Error(`dearer than guard.json, in two runs: ${worse.join('; ')}`)
