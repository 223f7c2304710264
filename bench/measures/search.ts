import { sql } from 'kysely'
import { openClient } from '../../test/support/client.ts'
import { percentile } from '../../test/support/statistics.ts'
import { urlOf } from '../../test/support/address.ts'
import { openBenchDatabase, readyDocuments } from '../lib/database.ts'
import { measureProcessor, startCatalogue } from '../lib/processes.ts'
import { readRealTexts, realRecords } from '../lib/real-texts.ts'
import { createItems, repeat } from '../lib/work.ts'
import { findHouse } from '../../src/houses/locks.ts'
import path from 'node:path'

// Measures searches of real texts (BENCH_TEXTS): each q is made of the words of one lot, drawn as often as the lots have
// them, so frequent words come often. A fifth is misspelt, a fifth ends with a beginning, every twentieth is one of the
// most frequent words. The documents of all items are ready, as the job leaves them.
const lots = Number(process.env.BENCH_LOTS ?? 200_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const folder = process.env.BENCH_DIR && path.resolve(process.env.BENCH_DIR, `${lots}-search`)
const data = await openBenchDatabase(4, folder || undefined)
if (!(await findHouse(data.db, 'bench'))) {
  const begun = performance.now()
  await data.load(realRecords('bench', lots, await readRealTexts()))
  console.log(`loaded ${lots} lots in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  await readyDocuments(data.db, 'bench')
  await sql`vacuum analyze`.execute(data.db)
}
const { key, house } = await data.openHouse('bench')

let state = 20_261_123
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

type Texts = { title: string; description: string | null }
const { rows: sample } = await sql<Texts>`
  select title, description from catalogue.items where house_id = ${house.id} order by md5(id::text) limit 3000`.execute(
  data.db,
)
const wordsOf = ({ title, description }: Texts) =>
  `${title} ${description ?? ''}`.match(/[\p{L}\p{N}]{3,}/gu) ?? ['vaas']

const counts = new Map<string, number>()
for (const texts of sample)
  for (const word of new Set(wordsOf(texts))) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
const frequent = [...counts]
  .toSorted(([, one], [, other]) => other - one)
  .slice(0, 20)
  .map(([word]) => word)

function printQuery(number: number): string {
  if (number % 20 === 0) return `${frequent[random(frequent.length)]!} `
  const all = wordsOf(sample[random(sample.length)]!)
  const words = Array.from({ length: 1 + random(3) }, () => all[random(all.length)]!)
  const last = words.at(-1)!
  if (number % 5 === 1 && last.length > 4) {
    const at = 1 + random(last.length - 2)
    words[words.length - 1] = last.slice(0, at) + last[at + 1]! + last[at]! + last.slice(at + 2)
  }
  if (number % 5 === 2 && last.length > 4) return [...words.slice(0, -1), last.slice(0, 4)].join(' ')
  return `${words.join(' ')} `
}

const queries = Array.from({ length: 5_000 }, (_, number) => encodeURIComponent(printQuery(number)))
const server = await startCatalogue(data.dataDir, { DATABASE_URL: urlOf(data.connection) })
async function measure(work: string, atOnce: number, pathOf: (turn: number) => string) {
  const { call, close } = openClient(server.url, key, atOnce)
  const [took, refused] = [[] as number[], [] as number[]]
  const run = async (turn: number) => {
    const begun = performance.now()
    const { status, text } = await call('GET', pathOf(turn))
    took.push(performance.now() - begun)
    if (status === 503) refused.push(turn)
    else if (status !== 200) throw new Error(`${pathOf(turn)} answered ${status} ${text}`)
  }
  for (let turn = 0; turn < 50; turn++) await run(turn)
  took.length = 0
  const before = await measureProcessor(server, data.dataDir)
  const rate = await repeat(atOnce, seconds, (turn) => run(turn + 50))
  const after = await measureProcessor(server, data.dataDir)
  close()
  const each = (name: 'node' | 'postgres') => (((after[name] - before[name]) * 1000) / took.length).toFixed(2)
  console.log(
    `| ${work} | ${rate.toFixed(0)} | ${percentile(took, 0.5).toFixed(1)} | ${percentile(took, 0.99).toFixed(0)} | ${refused.length} | ${each('node')} | ${each('postgres')} |`,
  )
}

// The first answers are not complete.
const begun = performance.now()
const { call: ask, close: closeFirst } = openClient(server.url, key, 1)
for (let first = 0, text = ''; first === 0 || text.includes('"complete":false');) {
  ;({ text } = await ask('GET', 'lots/search?limit=1'))
  if (first === 0) console.log(`first answer after ${Math.round((first = performance.now() - begun))} ms`)
}
closeFirst()
console.log(`first complete one after ${((performance.now() - begun) / 1000).toFixed(1)} s`)

console.log(`\n## Search, ${lots} lots of real texts, ${seconds} s each\n`)
console.log(
  '| work | 1/s | p50, ms | p99, ms | 503 | Node, ms each | PostgreSQL, ms each |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
)

const expand = 'expand[]=item&expand[]=item.images'
const asked = (turn: number) => `lots/search?q=${queries[turn % queries.length]}&${expand}`
try {
  await measure('pages of 25 with items and images, 16 connections', 16, asked)
  await measure('the same, alone', 1, asked)
  const facets = 'facets[]=maker&facets[]=category&facets[]=session'
  await measure('with three facets, 16 connections', 16, (turn) => `${asked(turn)}&${facets}`)
  const dear = (turn: number) => encodeURIComponent(`${frequent[turn % 5]!} ${frequent[5 + (turn % 7)]!} `)
  await measure('two of the most frequent words, alone', 1, (turn) => `lots/search?q=${dear(turn)}`)
  console.log(`\ncreating items, 8 connections: ${(await createItems(server.url, key, seconds)).toFixed(0)} a second`)
} finally {
  await server.stop()
  await data.close()
}
