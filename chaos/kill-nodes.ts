import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/pool.ts'
import { json, openClient } from '../test/support/client.ts'
import { findUnfinished } from '../test/support/jobs.ts'
import { createMirror } from '../test/support/mirror.ts'
import { findPort } from '../test/support/process.ts'
import { findPlacement, moveHouse } from './kill-nodes/placement.ts'
import { openSearcher } from './kill-nodes/searcher.ts'
import { openBidders } from './kill-system/bidders.ts'
import { checkBids, checkImages, checkItems, checkSchedule } from './kill-system/checks.ts'
import { openClients } from './kill-system/client.ts'
import { openProcesses } from './kill-system/processes.ts'
import { house, planLots } from './kill-system/sale.ts'
import { openStage } from './kill-system/stage.ts'
import { openWriters } from './kill-system/writers.ts'

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
const recoveryMilliseconds = 120_000
type Kind = 'add' | 'move' | 'worker' | 'coordinator'
const kinds: Kind[] = ['move', 'worker', 'move', 'coordinator']

const run = promisify(execFile)
const print = (line: string) => process.stdout.write(`${line}\n`)
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-nodes-'))
const ports = { server: await findPort(), routed: await findPort() }
const processes = openProcesses(path.join(folder, 'data'), ports, url, url)
const stage = openStage(processes, folder)
const { db: admin, pool } = openDatabase({ connectionString: url }, 2, { applicationName: 'nodes' })
pool.on('error', () => undefined)

async function add(): Promise<string> {
  const { host, port } = /^(?<host>.*):(?<port>\d+)$/.exec(newWorker!)!.groups!
  await sql`select citus_add_node(${host!}, ${port!}::int)`.execute(admin)
  // The new worker takes no shard before it has the houses.
  await sql`select replicate_reference_tables('force_logical')`.execute(admin)
  return port!
}

async function restart(port: number): Promise<string> {
  await run(script!, ['kill', String(port)])
  await sleep(awayMilliseconds)
  await run(script!, ['start', String(port)])
  return String(port)
}

async function disturb(kind: Kind): Promise<string> {
  if (kind === 'add') return add()
  if (kind === 'move') return moveHouse(admin, house)
  if (kind === 'worker') return restart((await findPlacement(admin, house)).port)
  return restart(Number(new URL(url!).port))
}

/** A client that repeats a request, and records the longest time without any answer but 503. */
function openProbe(ask: () => Promise<unknown>, isOver: () => boolean) {
  const seen = { last: performance.now(), longest: 0 }
  return {
    async probe() {
      while (!isOver()) {
        const isAnswered = (await ask()) !== undefined
        const now = performance.now()
        seen.longest = Math.max(seen.longest, now - seen.last)
        if (isAnswered) seen.last = now
        await sleep(20)
      }
    },
    async take(): Promise<number> {
      const asked = performance.now()
      while (seen.last < asked) {
        assert.ok(performance.now() < asked + recoveryMilliseconds, 'it does not answer again')
        await sleep(10)
      }
      const found = seen.longest
      seen.longest = 0
      return found
    },
  }
}

/** A copy that follows the changes, and in the end reports whether it equals the catalogue. */
function openFollower(key: string, isOver: () => boolean) {
  const client = openClient(`http://127.0.0.1:${ports.routed}`, key, 1)
  let pages = 0
  async function ask<T>(path: string): Promise<T> {
    for (;;) {
      const reply = await client.call('GET', path.slice(1)).catch(() => undefined)
      if (reply?.status === 200) return JSON.parse(reply.text) as T
      assert.ok(reply === undefined || reply.status === 503, `${path} answered ${reply?.status}: ${reply?.text}`)
      await sleep(50)
    }
  }
  const mirror = createMirror(ask)
  return {
    async follow() {
      while (!isOver()) {
        const { data } = await mirror.step()
        if (data.length > 0) pages++
        else await sleep(100)
      }
    },
    async prove(): Promise<string> {
      await mirror.follow()
      await mirror.prove()
      client.close()
      return `feed: ${mirror.records.size} records after ${pages} pages, the copy is the catalogue`
    },
  }
}

async function disturbInTurn(probes: Record<'reads' | 'writes', ReturnType<typeof openProbe>>): Promise<void> {
  for (let round = 0; round <= Number(rounds); round++) {
    await sleep(restMilliseconds)
    for (const probe of Object.values(probes)) await probe.take()
    const begun = performance.now()
    const kind = round === 0 ? 'add' : kinds[round % kinds.length]!
    const done = await disturb(kind)
    const took = performance.now() - begun
    const [reads, writes] = [await probes.reads.take(), await probes.writes.take()]
    const seconds = [took, reads, writes].map((milliseconds) => (milliseconds / 1000).toFixed(1))
    print(`${kind} ${done}: ${seconds[0]} s; unanswered for at most: reads ${seconds[1]} s, writes ${seconds[2]} s`)
  }
}

async function settle(): Promise<void> {
  const end = Date.now() + recoveryMilliseconds
  while ((await findUnfinished(admin)).length > 0) {
    assert.ok(Date.now() < end, 'jobs are left')
    await sleep(200)
  }
}

async function main(): Promise<void> {
  const lots = planLots(Number(rounds) * 8 + 60)
  const key = await stage.begin(lots)

  let over = false
  const isOver = () => over
  const clients = openClients(Object.values(ports), key)
  const writers = openWriters(clients, lots, isOver)
  const bidders = await openBidders({ connectionString: url! }, lots, isOver)
  let auctions = 0
  const writing = () => json({ title: 'Probe', external_reference: `probe ${auctions++}` })
  const probes = {
    reads: openProbe(() => clients.call('GET', 'lots?limit=5&expand[]=item.images', [200]), isOver),
    writes: openProbe(() => clients.call('POST', 'auctions', [201], writing()), isOver),
  }
  const follower = openFollower(key, isOver)
  const searcher = openSearcher(clients, writers.items, isOver)
  const disturbing = disturbInTurn(probes).finally(() => (over = true))
  const working = [
    writers.write(),
    bidders.bid(),
    follower.follow(),
    searcher.search(),
    ...Object.values(probes).map(({ probe }) => probe()),
  ]
  await Promise.race([Promise.all([disturbing, ...working]), processes.failed]).finally(() => (over = true))
  await settle()
  await bidders.close()
  print(await follower.prove())
  print(await searcher.prove())
  await stage.end(async ({ db, media }) => {
    print(await checkItems(db, writers))
    print(await checkSchedule(db, writers))
    print(await checkBids(db, bidders))
    print(await checkImages(db, media, writers.uploads))
    print(`answers: ${Array.from(clients.answers, ([outcome, count]) => `${count} × ${outcome}`).join(', ')}`)
  })
}

await stage.run(main)
await pool.end()
