import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPort } from '../test/support/process.ts'
import { list } from './lib/counts.ts'
import { openStriker } from './lib/database.ts'
import { random } from './lib/random.ts'
import { checkLoads } from './kill-system/checks.ts'
import { openJournal } from './kill-system/journal.ts'
import { openLoads } from './kill-system/loads.ts'
import { openProcesses } from './kill-system/processes.ts'
import { runSale } from './kill-system/run.ts'

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
const kinds = (['server', 'worker', 'database', 'load', 'commits', 'routed'] as const).filter(
  (kind) => kind !== 'database' || url === undefined,
)

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
const loads = openLoads(folder, processes.settings, proxy.connection.connectionString)

async function disturb(kind: (typeof kinds)[number]): Promise<void> {
  if (kind === 'commits') await proxy.strike(1 + random.below(8))
  else if (kind === 'load') await loads.interrupt(random.chance(0.5) ? () => (strikesLoad = true) : undefined)
  else return processes.kill(kind)
  return processes.untilReady()
}

console.log(`${rounds} rounds: ${kinds.join(', ')} in turn`)
await runSale(
  { folder, processes, connection: proxy.connection, lots: rounds * 4 + 30 },
  async ({ clients, writers, bidders }) => {
    const journal = await openJournal(direct, clients.acknowledged)
    return {
      images: loads.images,
      async disturb() {
        for (let round = 1; round <= rounds; round++) {
          await sleep(50 + random.below(350))
          const kind = kinds[round % kinds.length]!
          const disturbed = performance.now()
          await disturb(kind)
          const seconds = ((performance.now() - disturbed) / 1_000).toFixed(1)
          await journal.check()
          const done = `${list(writers.counts)}, ${bidders.count('acknowledged')} × bid`
          console.log(`round ${round}: ${kind}, ready again after ${seconds} s; ${done}`)
        }
      },
      async settled() {
        await journal.check()
        await journal.close()
        return [
          `${processes.countStartsAgain()} starts given up and made again`,
          journal.checkRefusals(bidders),
          `commits: ${list(proxy.strikes)}`,
        ]
      },
      check: async ({ db }) => [await checkLoads(db, loads)],
    }
  },
)
await proxy.close()
