import assert from 'node:assert/strict'
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../../test/support/statistics.ts'
import { openBenchData } from '../lib/data.ts'
import type { Outcome } from '../lib/offer.ts'
import { findTarget, startClient } from '../lib/offering.ts'
import { startCatalogue } from '../lib/processes.ts'

// Sends ten times the load that the service sustains, for BENCH_OVERLOAD_SECONDS (60). Before and after, it sends
// half of what the service sustains. Requests are for pages of 25 expanded lots, single lots, and changes of items
// (one in ten).
const overloadSeconds = Number(process.env.BENCH_OVERLOAD_SECONDS ?? 60)
const normalSeconds = 10
const manyConnections = 1_500

function latency(successes: Outcome['successes'], share: number): number {
  return percentile(
    successes.map(([, took]) => took),
    share,
  )
}

function describe(work: string, { answers, successes, unsent }: Outcome, seconds: number): void {
  const sent = Object.values(answers).reduce((sum, count) => sum + count, 0)
  const cells = [
    work,
    ((sent + unsent) / seconds).toFixed(0),
    (sent / seconds).toFixed(0),
    (successes.length / seconds).toFixed(0),
    latency(successes, 0.5).toFixed(1),
    latency(successes, 0.99).toFixed(1),
    Object.entries(answers)
      .map(([answer, count]) => `${answer}: ${count}`)
      .join(', '),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

/** Seconds until the end of the first half second whose 99th percentile is within twice the normal one. */
function findRecovery({ successes }: Outcome, normal: number): number {
  for (let from = 0; from < normalSeconds * 1000; from += 500) {
    const window = successes.filter(([due]) => due >= from && due < from + 500)
    if (window.length > 0 && latency(window, 0.99) <= 2 * normal) return (from + 500) / 1000
  }
  return Infinity
}

const data = await openBenchData(Number(process.env.BENCH_LOTS ?? 20_000))
const service = await startCatalogue(data.dataDir)
const client = startClient(await findTarget(service.url, data.key))
try {
  await client.run({ seconds: 5, connections: 16 })
  const flatOut = await client.run({ seconds: 10, connections: 16 })
  const sustainable = flatOut.successes.length / 10
  const half = { rate: sustainable / 2, seconds: normalSeconds, connections: manyConnections }
  const before = await client.run(half)
  const memoryBefore = await service.memory()
  const overloading = client.run({ ...half, rate: sustainable * 10, seconds: overloadSeconds })
  const memory: number[] = []
  for (let second = 0; second < overloadSeconds; second++) {
    await sleep(1000)
    memory.push(await service.memory())
  }
  const after = await client.run(half)
  const overload = await overloading
  const memoryAfter = await service.memory()

  const load = loadavg().map((each) => each.toFixed(1))
  console.log(
    `\n## Overload, ${data.lots} lots\n\n${cpus().length} processors shared with database and client, Node ${process.versions.node}, load average ${load.join(' ')}\n`,
  )
  console.log('| phase | due, 1/s | sent, 1/s | 2xx, 1/s | p50 ms | p99 ms | answers |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- |')
  describe('16 connections, as fast as they go', flatOut, 10)
  describe('half of that', before, normalSeconds)
  describe('ten times', overload, overloadSeconds)
  describe('half again', after, normalSeconds)
  const recovery = findRecovery(after, latency(before.successes, 0.99))
  const third = Math.ceil(memory.length / 3)
  const early = Math.max(...memory.slice(0, third))
  const late = Math.max(...memory.slice(-third))
  console.log(`\nnormal latency again after ${recovery} s (at most 5)`)
  console.log(
    `memory in MiB: ${memoryBefore.toFixed(0)} before, at most ${early.toFixed(0)} in the first third, ${late.toFixed(0)} in the last, ${memoryAfter.toFixed(0)} afterwards`,
  )

  for (const { answers } of [flatOut, before]) assert.deepEqual(Object.keys(answers), ['200'])
  for (const answer of Object.keys({ ...overload.answers, ...after.answers }))
    assert.ok(['200', '429', '503'].includes(answer), answer)
  assert.ok(recovery <= 5)
  assert.ok(late < early * 1.25, 'memory grows')
} finally {
  await client.stop()
  await service.stop()
  await data.close()
}
