import assert from 'node:assert/strict'
import { openClient } from '../../test/support/client.ts'
import { ask, printRequest } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { startCatalogue } from '../lib/processes.ts'

// Measures the memory of the service over BENCH_REQUESTS (100,000) mixed requests on 16 connections: pages of any size and
// expansion, single lots and items, and changes of items (one in ten). There are many more pages than can be kept.
const requests = Number(process.env.BENCH_REQUESTS ?? 100_000)
const warmUp = 2_000
const connections = 16
const mostGrowth = 300

type Lots = { data: { id: string; item: { id: string } }[]; next_cursor: string | null }

/** The ids of lots and of their items, page by page. */
async function findLots(url: string, key: string, count: number) {
  const client = openClient(url, key)
  const found: { lot: string; item: string; cursor: string }[] = []
  for (let cursor = ''; found.length < count;) {
    const { data, next_cursor }: Lots = await client.read(`lots?limit=100&expand[]=item${cursor}`)
    const after = cursor
    found.push(...data.map(({ id, item }) => ({ lot: id, item: item.id, cursor: after })))
    if (next_cursor === null) break
    cursor = `&cursor=${next_cursor}`
  }
  return found
}

const expansions = ['item', 'item&expand[]=item.images', 'item&expand[]=item.images&expand[]=session', 'session']

const data = await openBenchData(Number(process.env.BENCH_LOTS ?? 20_000))
const service = await startCatalogue(data.dataDir)
try {
  const lots = await findLots(service.url, data.key, 20_000)
  const to = { host: new URL(service.url).host, key: data.key }
  const pick = <Value>(from: Value[]) => from[Math.floor(Math.random() * from.length)]!
  const print = (method: string, path: string, body?: object) =>
    printRequest(to, method, `/api/v2/${path}`, body && { body })

  function compose(): string {
    const kind = Math.random()
    const { lot, item, cursor } = pick(lots)
    const limit = 1 + Math.floor(Math.random() * 100)
    if (kind < 0.3) return print('GET', `lots?limit=${limit}&expand[]=${pick(expansions)}${cursor}`)
    if (kind < 0.6) return print('GET', `lots/${lot}?expand[]=${pick(expansions)}`)
    if (kind < 0.9) return print('GET', `items/${item}`)
    return print('PATCH', `items/${item}`, { condition: `Gezien ${Math.random()}` })
  }

  function run(count: number): Promise<unknown> {
    let left = count
    const next = () => (left-- > 0 ? compose() : undefined)
    const runConnection = () =>
      ask(service.url, next, (status, _bytes, head) => {
        if (status !== 200) throw new Error(head)
      })
    return Promise.all(Array.from({ length: connections }, runConnection))
  }

  await run(warmUp)
  const before = await service.memory()
  const begun = performance.now()
  const memory: number[] = []
  for (let tenth = 0; tenth < 10; tenth++) {
    await run((requests - warmUp) / 10)
    memory.push(await service.memory())
  }
  const seconds = (performance.now() - begun) / 1000
  const list = memory.map((each) => each.toFixed(0)).join(', ')
  console.log(`\n## Memory, ${data.lots} lots, ${requests} mixed requests in ${seconds.toFixed(0)} s\n`)
  console.log(`${before.toFixed(0)} MiB after ${warmUp} requests; after each tenth of the others ${list} MiB.`)
  assert.ok(memory.at(-1)! - before <= mostGrowth, `more than ${mostGrowth} MiB above`)
} finally {
  await service.stop()
  await data.close()
}
