import { readdir, readFile, readlink } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { percentile } from '../../test/support/statistics.ts'
import { ask, printRequest } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { findMiddle, sessionPage } from '../lib/pages.ts'
import { readProcessor, startCatalogue, type ServerProcess } from '../lib/processes.ts'
import { spread } from '../lib/report.ts'

// Measures how several processes share connections: the first process hands them on in turn (`rr`), or each takes
// what it can (`none`). 16 kept connections, then 16 at a time with one request each, for BENCH_SECONDS (4),
// BENCH_ROUNDS (3) times.
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const processes = Number(process.env.PROCESSES || 2)
const connections = 16

const readChildren = async (pid: number) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)

/** How many connections to a port each of the processes has. */
async function countConnections(pids: number[], port: number): Promise<number[]> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  const inodes = new Set(
    lines.filter(([, from, , state]) => from?.endsWith(local) && state === '01').map((all) => all[9]),
  )
  const count = async (pid: number) => {
    const files = await readdir(`/proc/${pid}/fd`)
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
    return links.filter((link) => inodes.has(/^socket:\[(\d+)\]$/.exec(link)?.[1])).length
  }
  return Promise.all(pids.map(count))
}

type Run = { perSecond: number; p99: number; shares: number[]; first: number }

async function run(service: ServerProcess, request: string, isKept: boolean): Promise<Run> {
  const workers = await readChildren(service.pid)
  const began = performance.now()
  const end = began + seconds * 1000
  const took: number[] = []
  const before = await Promise.all([service.pid, ...workers].map(readProcessor))
  const walk = async () => {
    while (performance.now() < end) {
      let sent = performance.now()
      let isFirst = true
      const next = () => {
        if (!isFirst && (!isKept || performance.now() >= end)) return undefined
        if (!isFirst) sent = performance.now()
        isFirst = false
        return request
      }
      await ask(service.url, next, (status, _bytes, head) => {
        if (status !== 200) throw new Error(head)
        took.push(performance.now() - sent)
      })
    }
  }
  const walks = Array.from({ length: connections }, walk)
  await new Promise((later) => setTimeout(later, 500))
  const held = isKept ? await countConnections(workers, Number(new URL(service.url).port)) : []
  await Promise.all(walks)
  const perSecond = took.length / ((performance.now() - began) / 1000)
  const after = await Promise.all([service.pid, ...workers].map(readProcessor))
  const [first, ...others] = after.map(({ own }, index) => own - before[index]!.own)
  return { perSecond, p99: percentile(took, 0.99), shares: isKept ? held : others, first: first! }
}

const data = await openBenchData(Number(process.env.BENCH_LOTS ?? 2_000))
const services: Record<string, ServerProcess> = {}
try {
  for (const policy of ['rr', 'none'])
    services[policy] = await startCatalogue(data.dataDir, {
      PROCESSES: String(processes),
      NODE_CLUSTER_SCHED_POLICY: policy,
    })
  const { session } = await findMiddle(data)
  const header = { host: '127.0.0.1', key: data.key }
  const works = {
    'a page of 25 lots, kept': ['/api/v2/' + sessionPage(session, 25).service, true],
    'a page of 25 lots, one request each': ['/api/v2/' + sessionPage(session, 25).service, false],
    'healthz, one request each': ['/healthz', false],
  } as const
  console.log(
    `\n## ${processes} processes, ${connections} connections, ${availableParallelism()} processors, ${rounds} rounds, Node ${process.versions.node}\n`,
  )
  console.log('| work | shared by | 1/s | p99 ms | the fullest process has | processor time of the first one, s |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: |')
  for (const [work, [path, isKept]] of Object.entries(works)) {
    const runs: Record<string, Run[]> = { rr: [], none: [] }
    const request = printRequest(header, 'GET', path)
    for (let round = 0; round < rounds; round++)
      for (const [policy, service] of Object.entries(services)) runs[policy]!.push(await run(service, request, isKept))
    for (const [policy, all] of Object.entries(runs)) {
      const fullest = all.map(({ shares }) => (100 * Math.max(...shares)) / shares.reduce((sum, each) => sum + each, 0))
      const cells = [
        work,
        policy,
        spread(
          all.map(({ perSecond }) => perSecond),
          0,
        ),
        spread(
          all.map(({ p99 }) => p99),
          1,
        ),
        `${spread(fullest, 0)} %`,
        spread(
          all.map(({ first }) => first),
          1,
        ),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
} finally {
  for (const service of Object.values(services)) await service.stop()
  await data.close()
}
