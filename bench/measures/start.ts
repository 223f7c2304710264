import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBenchData } from '../lib/data.ts'
import { openCluster } from '../../src/db/embedded/cluster.ts'
import { startServer, stopServer } from '../../src/db/embedded/postmaster.ts'
import { startCatalogue } from '../lib/processes.ts'
import { spread } from '../lib/report.ts'

// Measures the start of `catalogue serve` until /readyz, on a migrated catalogue whose PostgreSQL is stopped, and the
// start of that PostgreSQL alone. Also measures the memory at rest, for each limit of the response cache.
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const bounds = ['64', '0']

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const begun = performance.now()
  const result = await work()
  return { result, milliseconds: performance.now() - begun }
}

const data = await openBenchData()
assert(process.env.BENCH_DIR !== undefined, 'set BENCH_DIR: the catalogue has to outlive the server that is stopped')
await data.close()

const alone: number[] = []
const service: number[] = []
const atRest: Record<string, number[]> = {}
for (let round = 0; round < rounds; round++) {
  const cluster = await openCluster(data.dataDir, true)
  alone.push((await timed(() => startServer(cluster))).milliseconds)
  await stopServer(cluster)
  for (const bound of bounds) {
    const { result, milliseconds } = await timed(() =>
      startCatalogue(data.dataDir, { ANSWER_CACHE_MIB: bound, WORKER: 'in-process' }),
    )
    service.push(milliseconds)
    await sleep(3_000)
    ;(atRest[bound] ??= []).push(await result.memory())
    await result.stop()
  }
}
console.log(`\n## Start, ${data.lots} lots, ${rounds} rounds\n`)
console.log(
  `PostgreSQL alone: ${spread(alone, 0)} ms. The service, PostgreSQL's start in it: ${spread(service, 0)} ms.`,
)
for (const [bound, values] of Object.entries(atRest)) {
  console.log(`Memory at rest with ANSWER_CACHE_MIB=${bound}: ${spread(values, 0)} MiB.`)
}
