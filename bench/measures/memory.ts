import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { createReader } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { startCatalogue } from '../lib/processes.ts'

// The memory of the service over BENCH_REQUESTS (100,000) mixed requests on 16 connections: pages of any size and
// expansion, single lots and items, many more of them than are kept, and changes of items (one in ten).
const requests = Number(process.env.BENCH_REQUESTS ?? 100_000)
const warmUp = 2_000
const connections = 16
const mostGrowth = 300

type Lots = { data: { id: string; item: { id: string } }[]; next_cursor: string | null }

/** The ids of lots and of their items, page by page. */
async function findLots(url: string, key: string, count: number) {
  const found: { lot: string; item: string; cursor: string }[] = []
  for (let cursor = ''; found.length < count;) {
    const answer = await fetch(`${url}/api/v2/lots?limit=100&expand[]=item${cursor}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(answer.status, 200)
    const { data, next_cursor }: Lots = (await answer.json()) as Lots
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
  const { hostname, port, host } = new URL(service.url)
  const pick = <Value>(from: Value[]) => from[Math.floor(Math.random() * from.length)]!
  const head = (method: string, path: string) =>
    `${method} /api/v2/${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${data.key}\r\n`

  function compose(): string {
    const kind = Math.random()
    const { lot, item, cursor } = pick(lots)
    const limit = 1 + Math.floor(Math.random() * 100)
    if (kind < 0.3) return `${head('GET', `lots?limit=${limit}&expand[]=${pick(expansions)}${cursor}`)}\r\n`
    if (kind < 0.6) return `${head('GET', `lots/${lot}?expand[]=${pick(expansions)}`)}\r\n`
    if (kind < 0.9) return `${head('GET', `items/${item}`)}\r\n`
    const body = JSON.stringify({ condition: `Gezien ${Math.random()}` })
    return `${head('PATCH', `items/${item}`)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }

  function run(count: number): Promise<unknown> {
    let left = count
    const runConnection = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port), noDelay: true })
        const ask = () => {
          if (left-- > 0) socket.write(compose())
          else socket.end()
        }
        const read = createReader((status, _bytes, answer) => {
          if (status === 200) ask()
          else socket.destroy(new Error(answer))
        })
        socket.on('connect', ask).on('data', read).on('error', reject)
        socket.on('close', () => resolve())
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
