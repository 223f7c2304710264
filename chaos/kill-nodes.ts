import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/pool.ts'
import { json } from '../test/support/client.ts'
import { findPort } from '../test/support/process.ts'
import { findPlacement, moveHouse } from './kill-nodes/placement.ts'
import { openFollower, openProbe, openSearcher } from './kill-nodes/probes.ts'
import { openProcesses } from './kill-system/processes.ts'
import { runSale } from './kill-system/run.ts'
import { house } from './kill-system/sale.ts'

// Moves the shards of a house between the workers of a Citus, adds a worker, and kills a worker and the coordinator, in turn.
// Meanwhile the house is read, searched, written to and bid on, and a copy follows its changes. Every search must find what
// was acknowledged before it. At the end every acknowledged write must be stored, and the copy must equal the catalogue. Each
// answer must be the expected one, or 503 with Retry-After.
// DATABASE_URL=postgres://… npx node chaos/kill-nodes.ts SCRIPT NEW_WORKER [ROUNDS]
// The database of the URL must be empty and distributed over at least two workers. NEW_WORKER (host:port) must have an
// empty one of the same name. `SCRIPT kill PORT` and `SCRIPT start PORT` kill and start a node.

const [, , script, newWorker, rounds = '12'] = process.argv
const url = process.env.DATABASE_URL
if (url === undefined || script === undefined || newWorker === undefined)
  throw new Error('usage: DATABASE_URL=postgres://… npx node chaos/kill-nodes.ts SCRIPT NEW_WORKER [ROUNDS]')
const awayMilliseconds = 3_000
const restMilliseconds = 4_000
const kinds = ['move', 'worker', 'move', 'coordinator'] as const

const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-nodes-'))
const ports = { server: await findPort(), routed: await findPort() }
const processes = openProcesses(path.join(folder, 'data'), ports, url, url)
const { db: admin, pool } = openDatabase({ connectionString: url }, 2, { applicationName: 'nodes' })

async function add(): Promise<string> {
  const { host, port } = /^(?<host>.*):(?<port>\d+)$/.exec(newWorker!)!.groups!
  await sql`select citus_add_node(${host!}, ${port!}::int)`.execute(admin)
  // The new worker takes no shard before it has the houses.
  await sql`select replicate_reference_tables('force_logical')`.execute(admin)
  return port!
}

async function restart(port: number): Promise<string> {
  await promisify(execFile)(script!, ['kill', String(port)])
  await sleep(awayMilliseconds)
  await promisify(execFile)(script!, ['start', String(port)])
  return String(port)
}

async function disturb(kind: 'add' | (typeof kinds)[number]): Promise<string> {
  if (kind === 'add') return add()
  if (kind === 'move') return moveHouse(admin, house)
  if (kind === 'worker') return restart((await findPlacement(admin, house)).port)
  return restart(Number(new URL(url!).port))
}

const connection = { connectionString: url }
await runSale({ folder, processes, connection, lots: Number(rounds) * 8 + 60 }, async (work) => {
  const { key, clients, writers, isOver } = work
  let auctions = 0
  const writing = () => json({ title: 'Probe', external_reference: `probe ${auctions++}` })
  const reads = openProbe(() => clients.call('GET', 'lots?limit=5&expand[]=item.images', [200]), isOver)
  const writes = openProbe(() => clients.call('POST', 'auctions', [201], writing()), isOver)
  const follower = openFollower(ports.routed, key, isOver)
  const searcher = openSearcher(clients, writers.items, isOver)

  return {
    images: [],
    others: () => Promise.all([follower.follow(), searcher.search(), reads.probe(), writes.probe()]),
    async disturb() {
      for (let round = 0; round <= Number(rounds); round++) {
        await sleep(restMilliseconds)
        for (const probe of [reads, writes]) await probe.take()
        const begun = performance.now()
        const kind = round === 0 ? 'add' : kinds[round % kinds.length]!
        const done = await disturb(kind)
        const took = (performance.now() - begun) / 1_000
        const [read, written] = [await reads.take(), await writes.take()].map((seconds) => seconds.toFixed(1))
        console.log(
          `${kind} ${done}: ${took.toFixed(1)} s; unanswered for at most: reads ${read} s, writes ${written} s`,
        )
      }
    },
    settled: async () => [await follower.prove(), await searcher.prove()],
  }
})
await pool.end()
