import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUnfinished } from '../test/support/jobs.ts'
import { faults } from '../test/support/commits.ts'
import { findPort } from '../test/support/process.ts'
import { percentile } from '../test/support/statistics.ts'
import { openStriker } from './lib/database.ts'
import { waitUntil } from './lib/processes.ts'
import { openBidders } from './kill-system/bidders.ts'
import { checkBids, checkImages, checkItems, checkLoads, checkSchedule } from './kill-system/checks.ts'
import { openClients } from './kill-system/client.ts'
import { openJournal } from './kill-system/journal.ts'
import { openLoads } from './kill-system/loads.ts'
import { openProcesses } from './kill-system/processes.ts'
import { planLots } from './kill-system/sale.ts'
import { openStage } from './kill-system/stage.ts'
import { openWriters } from './kill-system/writers.ts'

// Kills the servers, the worker, the database and loads in turn, and breaks connections at commits, all at random moments.
// Meanwhile it writes items and lots, uploads, arranges and deletes images, and places bids. At the end every acknowledged write must be
// stored, nothing may be half written, every file must have its row, and lots must close at the right time. After every
// round the journal must say how the records became what they are.
// A thousand rounds take an hour or two:
// nice -n 19 npx node chaos/kill-system.ts 1000 > kill-system.log 2>&1 &
// DATABASE_URL names another, empty database to use instead (of Citus, say). Its server is not killed.

const rounds = Number(process.argv[2] ?? 100)
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-kill-'))
const dataDir = path.join(folder, 'data')
const url = process.env.DATABASE_URL
type Kind = 'server' | 'worker' | 'database' | 'load' | 'commits' | 'routed'
const kinds: Kind[] = [
  'server',
  'worker',
  ...(url === undefined ? ['database' as const] : []),
  'load',
  'commits',
  'routed',
]
const print = (line: string) => process.stdout.write(`${line}\n`)

let strikesLoad = false
const direct =
  url === undefined
    ? { host: path.join(dataDir, 'postgres'), user: 'catalogue', database: 'catalogue' }
    : { connectionString: url }
const proxy = await openStriker(direct, (statements) => {
  if (!statements.includes('loaded_items')) return undefined
  const isStruck = strikesLoad
  strikesLoad = false
  return isStruck
})
const ports = { server: await findPort(), routed: await findPort() }
const processes = openProcesses(dataDir, ports, proxy.connection.connectionString, url)
const stage = openStage(processes, folder)
const loads = openLoads(folder, processes.settings, { DATABASE_URL: proxy.connection.connectionString })

/** Runs one round. Returns the milliseconds until the service was ready again. */
async function disturb(kind: Kind): Promise<number> {
  if (kind !== 'load' && kind !== 'commits') return processes.kill(kind)
  const begun = performance.now()
  if (kind === 'commits') await proxy.strike(1 + Math.floor(Math.random() * 8))
  else await loads.interrupt(Math.random() < 0.5 ? () => (strikesLoad = true) : undefined)
  await processes.untilReady()
  return performance.now() - begun
}

async function killInTurn(check: () => Promise<void>, report: (round: number) => void) {
  const recoveries: Record<Kind, number[]> = { server: [], worker: [], database: [], load: [], commits: [], routed: [] }
  for (let round = 1; round <= rounds; round++) {
    await sleep(50 + Math.random() * 350)
    const kind = kinds[round % kinds.length]!
    recoveries[kind].push(await disturb(kind))
    await check()
    if (round % 10 === 0) report(round)
  }
  return recoveries
}

function describe(kind: Kind, recoveries: number[]): string {
  const [median, longest] = [0.5, 1].map((share) => (percentile(recoveries, share) / 1000).toFixed(1))
  return `${recoveries.length} × ${kind} (ready again after ${median} s, at most ${longest} s)`
}

async function settle(db: Parameters<typeof findUnfinished>[0]): Promise<number> {
  const begun = performance.now()
  await waitUntil('jobs are left', async () => (await findUnfinished(db)).length === 0)
  return (performance.now() - begun) / 1000
}

async function run(): Promise<void> {
  print(`${rounds} rounds: ${kinds.join(', ')} in turn`)
  const lots = planLots(rounds * 4 + 30)
  const key = await stage.begin(lots)

  let over = false
  const isOver = () => over
  const clients = openClients(Object.values(ports), key)
  const journal = await openJournal(direct, clients.acknowledged)
  const writers = openWriters(clients, lots, isOver)
  const bidders = await openBidders(proxy.connection, lots, isOver)
  const begun = performance.now()
  const elapsed = () => ((performance.now() - begun) / 1000).toFixed(0)
  const { counts, uploads } = writers
  const killing = killInTurn(journal.check, (round) => {
    const left = (((performance.now() - begun) / round) * (rounds - round)) / 60_000
    print(
      `${round} rounds, ${elapsed()} s, some ${left.toFixed(0)} minutes left: ${counts.created} items, ${counts.changed} changes, ` +
        `${counts.switched} switches, ${uploads.length} images, ${bidders.count('acknowledged')} bids, ${loads.names.length} loads`,
    )
  }).finally(() => (over = true))
  const working = Promise.all([killing, writers.write(), bidders.bid()])
  const [recoveries] = await Promise.race([working, processes.failed]).finally(() => (over = true))
  const took = elapsed()

  const settled = await Promise.race([settle(bidders.db), processes.failed])
  await journal.check()
  await journal.close()
  await bidders.close()
  await stage.end(async ({ db, media }) => {
    const figures = [
      `${rounds} rounds in ${took} s: ${kinds.map((kind) => describe(kind, recoveries[kind])).join(', ')}; ` +
        `${processes.countStartsAgain()} starts given up and made again; settled in ${settled.toFixed(1)} s`,
      await checkItems(db, writers),
      await checkSchedule(db, writers),
      await checkBids(db, bidders),
      await checkImages(db, media, [...writers.uploads, ...loads.images]),
      await checkLoads(db, loads),
      journal.checkRefusals(bidders),
      `commits: ${faults.map((fault) => `${proxy.strikes[fault]} × ${fault}`).join(', ')}`,
      `galleries: ${counts.arranged} replaced; ${counts.deleted} images deleted`,
      `running sale: ${counts.refused} attempts to change it refused`,
      `answers: ${Array.from(clients.answers, ([outcome, count]) => `${count} × ${outcome}`).join(', ')}`,
      'doctor: nothing found',
    ]
    for (const figure of figures) print(figure)
  })
}

await stage.run(run)
await proxy.close()
