import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../../test/support/statistics.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { openBenchData } from '../lib/data.ts'
import type { Flood, Flooded } from '../lib/flood.ts'
import { findTarget, startClient } from '../lib/offering.ts'
import { startCatalogue } from '../lib/processes.ts'

// A client with a key sends 50 requests per second (pages of 25 expanded lots, single lots, one change in ten) while
// another client floods the service, for BENCH_FLOOD_SECONDS (8) each. BENCH_FLOODS names some of the floods,
// separated by commas.
const seconds = Number(process.env.BENCH_FLOOD_SECONDS ?? 8)
const rate = 50

async function startFlood(wanted: Flood) {
  const child = fork(path.join(import.meta.dirname, '../lib/flood.ts'))
  child.send(wanted)
  return async (): Promise<Flooded> => {
    child.send('end')
    const [flooded] = (await once(child, 'message')) as [Flooded]
    child.kill()
    await once(child, 'exit')
    return flooded
  }
}

const data = await openBenchData(Number(process.env.BENCH_LOTS ?? 2_000), { neighbour: true })
const neighbour = await findHouse(data.db, 'neighbour')
const limited = await createKey(data.db, neighbour!, ['lots.read'], 'bench', new Date(), { rate_limit: 300 })
const unlimited = await createKey(data.db, neighbour!, ['lots.read'], 'bench', new Date())

const many = { connections: 300, ahead: 32 }
const openApi = '/api/v2/openapi.json'
const floods: Record<string, Omit<Flood, 'url'> | undefined> = {
  'no flood': undefined,
  'openapi.json': { ...many, path: openApi },
  'HEAD openapi.json': { ...many, path: openApi, method: 'HEAD' },
  'the page at /': { ...many, path: '/' },
  'a file of /docs': { ...many, path: '/docs/static/swagger-ui.css' },
  'a problem page': { ...many, path: '/problems/unauthorized' },
  'an unknown path': { ...many, path: '/x' },
  'a file of /media that is not there': { ...many, path: '/media/public/x' },
  healthz: { ...many, path: '/healthz' },
  'no key': { ...many, path: '/api/v2/lots' },
  'one wrong key': { ...many, path: '/api/v2/lots', key: 'ack_wrong' },
  'a random key each time': { ...many, path: '/api/v2/lots', key: 'random' },
  'a key of another house, 300 a minute': { ...many, path: '/api/v2/lots?limit=25', key: limited.key },
  'a key of another house without a limit': { ...many, path: '/api/v2/lots?limit=25', key: unlimited.key },
  'openapi.json, no answer read': { ...many, path: openApi, habit: 'reads nothing' },
  'openapi.json, reset at once': { ...many, path: openApi, habit: 'leaves at once' },
  'a connection for each request': { connections: 300, ahead: 1, path: '/healthz', habit: 'leaves after an answer' },
  'half of the headers': { connections: 2_000, ahead: 1, path: openApi, habit: 'sends half' },
  '4,000 idle connections': { connections: 4_000, ahead: 0, path: openApi },
}
const chosen = process.env.BENCH_FLOODS?.split(',') ?? Object.keys(floods)

const service = await startCatalogue(data.dataDir)
const client = startClient(await findTarget(service.url, data.key))
try {
  await client.run({ seconds: 3, connections: 4 })
  console.log(
    `\n## Floods\n\n${cpus().length} processors shared with database and clients, Node ${process.versions.node}\n`,
  )
  console.log('| flood | answers to it, 1/s | p50 ms | p99 ms | longest ms | answers to the key | memory, MiB |')
  console.log('| --- | --- | ---: | ---: | ---: | --- | ---: |')
  const print = (answers: Record<string, number>, over = 1) =>
    Object.entries(answers)
      .map(([answer, count]) => `${answer}: ${(count / over).toFixed(0)}`)
      .join(', ')
  for (const name of chosen) {
    const wanted = floods[name]
    const end = wanted && (await startFlood({ ...wanted, url: service.url }))
    await sleep(1_000)
    const { answers, successes } = await client.run({ rate, seconds, connections: 20 })
    const memory = await service.memory()
    const flooded = await end?.()
    const took = successes.map(([, each]) => each)
    const cells = [
      name,
      flooded ? `${print(flooded.answers, seconds + 1)}; ended: ${flooded.ended}` : '',
      ...[percentile(took, 0.5), percentile(took, 0.99), Math.max(...took)].map((each) => each.toFixed(1)),
      print(answers),
      memory.toFixed(0),
    ]
    console.log(`| ${cells.join(' | ')} |`)
    await sleep(2_000)
  }
} finally {
  await client.stop()
  await service.stop()
  await data.close()
}
