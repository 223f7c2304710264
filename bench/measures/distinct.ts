import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { openClient } from '../../test/support/client.ts'
import { urlOf } from '../../test/support/address.ts'
import { measure } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { listDistinctReads } from '../lib/pages.ts'
import { measureProcessor, startCatalogue, startFloor, type ServerProcess } from '../lib/processes.ts'
import { spread } from '../lib/report.ts'
import { createItems, mutate } from '../lib/work.ts'

// Measures reads like those of storefronts: many different URLs of one house among two. The service reaches the
// database by a URL, as in installations with several instances. By default it counts requests in PostgreSQL.
// BENCH_WORKS is a regular expression of the works to measure. BENCH_POSTGRAPHILE is a folder in which
// `npm i postgraphile@5` has run: then PostGraphile creates items too.
// The rate of the constant answer says how quiet the machine is.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const wanted = new RegExp(process.env.BENCH_WORKS ?? '')

const data = await openBenchData(undefined, { neighbour: true })
// Instances of one installation have the same public URL.
const database = { DATABASE_URL: urlOf(data.connection), PUBLIC_URL: 'http://127.0.0.1' }
const variants: Record<string, NodeJS.ProcessEnv> = {
  counted: { ...database, RATE_LIMIT_PER_MINUTE: '999999999' },
  uncounted: { ...database, RATE_LIMIT_PER_MINUTE: '0' },
  'nothing kept': { ...database, RATE_LIMIT_PER_MINUTE: '0', ANSWER_CACHE_MIB: '0' },
}

type Contestant = [name: string, server: ServerProcess, run: () => Promise<number>]
type Sample = { rate: number; node: number; postgres: number }

/** Requests per second, and milliseconds of processor time per request. */
async function sample(server: ServerProcess, run: () => Promise<number>): Promise<Sample> {
  const before = await measureProcessor(server, data.dataDir)
  const begun = performance.now()
  const rate = await run()
  const answers = (rate * (performance.now() - begun)) / 1000
  const after = await measureProcessor(server, data.dataDir)
  const each = (name: 'node' | 'postgres') => ((after[name] - before[name]) * 1000) / answers
  return { rate, node: each('node'), postgres: each('postgres') }
}

/** Asserts that service and floor answer with the same items, translations and images. */
async function checkAnswers(here: string, there: string): Promise<void> {
  type Shown = { item?: Item } & Item
  type Item = { id: string; title: string; translations: object; images: { id: string }[] }
  const read = async (url: string) => {
    const { data: shown } = await openClient(url, data.key).read<{ data: Shown | Shown[] }>(url)
    return [shown].flat().map(({ item, ...own }) => {
      const { id, title, translations, images } = item ?? own
      return { id, title, translations, images }
    })
  }
  assert.deepEqual(await read(here), await read(there))
}

const processor = ({ node, postgres }: Sample) => node + postgres

function print(name: string, samples: Sample[], floor: Sample[] = [], constant: Sample[] = []) {
  const of = (key: keyof Sample, digits: number) =>
    spread(
      samples.map((each) => each[key]),
      digits,
    )
  const compared = (others: Sample[], ratio: (one: Sample, other: Sample) => number) =>
    others.length === 0
      ? ''
      : spread(
          samples.map((each, round) => ratio(each, others[round]!)),
          2,
        )
  const cells = [
    of('rate', 0),
    of('node', 3),
    of('postgres', 3),
    compared(floor, (one, other) => one.rate / other.rate),
    compared(floor, (one, other) => processor(other) / processor(one)),
    compared(constant, (one, other) => one.rate / other.rate),
  ]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}

const mostWarmUps = 20

/** Runs a work until a request takes no less processor time than in the run before: until Node has compiled. */
async function warmUp([, server, run]: Contestant): Promise<void> {
  let last = Infinity
  for (let turn = 0; turn < mostWarmUps; turn++) {
    const each = processor(await sample(server, run))
    if (each > 0.97 * last) return
    last = each
  }
}

/** Requests the pages until the documents of nearly all items are stored. Returns the seconds. */
async function readyDocuments(urls: string[]): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { rows } = await sql<{ ready: number }>`
      select count(*)::float8 as ready from catalogue.item_documents d
      join catalogue.items i on i.house_id = ${data.house.id} and i.id = d.item_id and i.revision = d.revision
      where d.house_id = ${data.house.id}`.execute(data.db)
    if (rows[0]!.ready > 0.99 * data.lots) return (performance.now() - begun) / 1000
    await measure(urls, data.key, 30)
  }
}

/** Measures the servers in turn, each round from another one, so that other work of the machine affects all. */
async function compare(work: string, servers: Contestant[]) {
  const samples = new Map<string, Sample[]>(servers.map(([name]) => [name, []]))
  for (const server of servers) await warmUp(server)
  for (let round = 0; round < rounds; round++) {
    const begin = round % servers.length
    for (const [name, server, run] of [...servers.slice(begin), ...servers.slice(0, begin)])
      samples.get(name)!.push(await sample(server, run))
  }
  for (const [name] of servers)
    print(`${work}, ${name}`, samples.get(name)!, samples.get('floor'), samples.get('constant'))
}

const settings = { connection: data.connection, house: data.house.id, folder: process.env.BENCH_POSTGRAPHILE }
const floor = await startFloor('reads.ts', settings)
const writing = await startFloor('writes.ts', settings)
const constant = await startFloor('constant.ts', {})
const others = settings.folder === undefined ? [] : [await startFloor('postgraphile.ts', settings)]
const services: Record<string, ServerProcess> = {}
for (const [name, env] of Object.entries(variants)) services[name] = await startCatalogue(data.dataDir, env)
console.log(
  `\n## Distinct addresses, ${data.lots} lots of the house in ${2 * data.lots}, 16 connections, ${rounds} rounds\n`,
)
console.log(
  '| work | 1/s | Node, ms each | PostgreSQL, ms each | of the floor | in processor time | of a constant answer |',
)
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
try {
  for (const [work, pages] of Object.entries(await listDistinctReads(data))) {
    if (!wanted.test(work)) continue
    const there = pages.map((page) => `${floor.url}/${page.floor}`)
    const urlsOf = (server: ServerProcess) => pages.map((page) => `${server.url}/api/v2/${page.service}`)
    await checkAnswers(urlsOf(services['counted']!)[0]!, there[0]!)
    const names = Object.keys(variants)
    if (work.startsWith('any page of 100')) {
      const took = await readyDocuments(urlsOf(services['uncounted']!))
      console.error(`The documents of all items were ready after ${took.toFixed(0)} s of reading all pages.`)
    }
    // Every page once, so that one-time costs are not measured.
    for (const name of names) await measure(urlsOf(services[name]!), data.key, pages.length / 500 + 1)
    const { bytes } = await measure(urlsOf(services['counted']!), data.key, 1)
    const measureAny = async (urls: string[]) => (await measure(urls, data.key, seconds, { order: 'any' })).perSecond
    await compare(work, [
      ['constant', constant, () => measureAny([`${constant.url}/${bytes}`])],
      ['floor', floor, () => measureAny(there)],
      ...names.map((name): Contestant => [name, services[name]!, () => measureAny(urlsOf(services[name]!))]),
    ])
  }
  const create = ({ url }: ServerProcess) => createItems(url, data.key, seconds)
  if (wanted.test('create')) {
    await compare('create an item with two translations, 8 connections', [
      ['floor', writing, () => create(writing)],
      ...['counted', 'uncounted'].map((name): Contestant => [name, services[name]!, () => create(services[name]!)]),
      ...others.map((server): Contestant => [
        'PostGraphile',
        server,
        () => createItems(server.url, data.key, seconds, mutate(data.house.id)),
      ]),
    ])
  }
  for (const [name, server] of Object.entries(services))
    console.log(`\nMemory of the service, ${name}: ${(await server.memory()).toFixed(0)} MiB.`)
} finally {
  for (const server of [floor, writing, constant, ...others, ...Object.values(services)]) await server.stop()
  await data.close()
}
