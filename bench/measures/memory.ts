import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { json, openClient } from '../../test/support/client.ts'
import { form, picture } from '../../test/support/pictures.ts'
import { findPort } from '../../test/support/process.ts'
import { ask, printRequest } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { inspected, openInspector } from '../lib/inspector.ts'
import { startCatalogue, type ServerProcess } from '../lib/processes.ts'
import { growthOf } from '../lib/report.ts'
import { keepDoing } from '../lib/work.ts'

// Measures the memory of the service over BENCH_REQUESTS (100,000) mixed requests on 16 connections: pages of any
// size and expansion, single lots and items, and changes of items (one in ten). There are many more pages than the
// cache can keep. With BENCH_MINUTES, such requests come at a steady rate for so many minutes. Half of them are for 50
// known pages, and pictures are uploaded too. They are for the first 1,000 lots, on pages of three sizes, so the cache
// holds all answers.
const requests = Number(process.env.BENCH_REQUESTS ?? 100_000)
const minutes = Number(process.env.BENCH_MINUTES ?? 0)
const warmUp = 2_000
const connections = 16
const mostGrowth = 300
const perSecond = 100
const uploadsPerSecond = 0.5
// In MiB, over the last half of the minutes.
const mostHalfGrowth = 20

type Lots = { data: { id: string; item: { id: string } }[]; next_cursor: string | null }
type Request = [method: string, path: string, body?: object]

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

type Found = Awaited<ReturnType<typeof findLots>>

const expansions = ['item', 'item&expand[]=item.images', 'item&expand[]=item.images&expand[]=session', 'session']

const everySize = Array.from({ length: 100 }, (_, at) => at + 1)

const pick = <Value>(from: Value[]) => from[Math.floor(Math.random() * from.length)]!

function compose(lots: Found, sizes: number[]): Request {
  const kind = Math.random()
  const { lot, item, cursor } = pick(lots)
  if (kind < 0.3) return ['GET', `lots?limit=${pick(sizes)}&expand[]=${pick(expansions)}${cursor}`]
  if (kind < 0.6) return ['GET', `lots/${lot}?expand[]=${pick(expansions)}`]
  if (kind < 0.9) return ['GET', `items/${item}`]
  return ['PATCH', `items/${item}`, { condition: `Gezien ${Math.random()}` }]
}

async function measureRush(service: ServerProcess, key: string): Promise<void> {
  const lots = await findLots(service.url, key, 20_000)
  const to = { host: new URL(service.url).host, key }

  function run(count: number): Promise<unknown> {
    let left = count
    const next = () => {
      if (left-- <= 0) return undefined
      const [method, path, body] = compose(lots, everySize)
      return printRequest(to, method, `/api/v2/${path}`, body && { body })
    }
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
}

async function measureMinutes(service: ServerProcess, key: string, port: number): Promise<void> {
  const lots = await findLots(service.url, key, 1_000)
  const known = Array.from({ length: 50 }, () => `lots?limit=50&expand[]=${pick(expansions)}${pick(lots).cursor}`)
  const client = openClient(service.url, key, connections)
  const inspector = await openInspector(port)
  const file = await picture('#336699', 1600, 1200)
  const answers: Record<string, number> = {}
  const count = async (answer: ReturnType<typeof client.call>) => {
    const outcome = await answer.then(({ status }) => `${status}`, String)
    answers[outcome] = (answers[outcome] ?? 0) + 1
  }
  const stopReading = keepDoing(perSecond, (number) => {
    const [method, path, body] = number % 2 === 0 ? (['GET', pick(known)] as Request) : compose(lots, [12, 24, 48])
    return count(client.call(method, path, body && json(body)))
  })
  const stopUploading = keepDoing(uploadsPerSecond, (number) => {
    const content = form(['external_reference', `upload-${number}`], ['file', file, 'a.jpg'])
    return count(client.call('POST', `items/${pick(lots).item}/images`, content))
  })
  const samples: { resident: number; held: number }[] = []
  console.log(`\n## Memory, ${data.lots} lots, ${minutes} minutes\n`)
  console.log(`${perSecond} requests and ${uploadsPerSecond} uploads a second.\n`)
  console.log('| minute | resident, MiB | held: objects, MiB | held: buffers, MiB | answers |')
  console.log('| ---: | ---: | ---: | ---: | --- |')
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(60_000)
    const resident = await service.memory()
    const { objects, external } = await inspector.measureHeld()
    samples.push({ resident, held: objects + external })
    const counted = Object.entries(answers).map(([status, times]) => `${status}: ${times}`)
    const figures = [resident, objects, external].map((each) => each.toFixed(1))
    console.log(`| ${[minute, ...figures, counted.join(', ')].join(' | ')} |`)
  }
  await Promise.all([stopReading(), stopUploading()])
  inspector.close()
  client.close()
  const half = samples.slice(-Math.ceil(minutes / 2))
  const resident = growthOf(half.map((sample) => sample.resident))
  const held = growthOf(half.map((sample) => sample.held))
  console.log(`\nGrowth over the last half: resident ${resident.toFixed(1)} MiB, held ${held.toFixed(1)} MiB.`)
  assert.ok(resident <= mostHalfGrowth && held <= mostHalfGrowth, `more than ${mostHalfGrowth} MiB`)
}

const data = await openBenchData(Number(process.env.BENCH_LOTS ?? 20_000))
const port = await findPort()
const service = await startCatalogue(data.dataDir, minutes > 0 ? { ...inspected(port), WORKER: 'in-process' } : {})
try {
  if (minutes > 0) await measureMinutes(service, data.key, port)
  else await measureRush(service, data.key)
} finally {
  await service.stop()
  await data.close()
}
