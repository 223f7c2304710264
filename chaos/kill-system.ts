import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { listJobs } from '../src/jobs/jobs.ts'
import { openCatalogue } from '../src/service.ts'
import { findPort, runCommand } from '../test/support/process.ts'
import { openBidders } from './kill-system/bidders.ts'
import { checkBids, checkImages, checkItems, checkSchedule } from './kill-system/checks.ts'
import { openClient } from './kill-system/client.ts'
import { kinds, openProcesses, type Kind } from './kill-system/processes.ts'
import { house, planLots, records } from './kill-system/sale.ts'
import { openWriters } from './kill-system/writers.ts'

// Kills the server, the worker or the database at random moments while items and lots are written, images uploaded and
// bids placed. At the end everything that was acknowledged is there, nothing is half written, and lots close rightly.
// ROUNDS=100 node chaos/kill-system.ts

const rounds = Number(process.env.ROUNDS ?? 100)
const settleMilliseconds = 300_000
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-kill-'))
const dataDir = path.join(folder, 'data')
const port = await findPort()
const processes = openProcesses(dataDir, port)
const print = (line: string) => process.stdout.write(`${line}\n`)

async function command(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(processes.settings, ...words)
  assert.equal(code, 0, `catalogue ${words.join(' ')}: ${stderr}${stdout}`)
  return stdout
}

async function killAtRandom(report: (round: number) => void) {
  const recoveries: Record<Kind, number[]> = { server: [], worker: [], database: [] }
  for (let round = 1; round <= rounds; round++) {
    await sleep(50 + Math.random() * 350)
    const kind = kinds[Math.floor(Math.random() * kinds.length)]!
    recoveries[kind].push(await processes.kill(kind))
    if (round % 10 === 0) report(round)
  }
  return recoveries
}

function describe(kind: Kind, recoveries: number[]): string {
  const seconds = recoveries.map((each) => each / 1000).toSorted((a, b) => a - b)
  const [median, longest] = [seconds[seconds.length >> 1], seconds.at(-1)].map((each) => each?.toFixed(1) ?? '-')
  return `${seconds.length} × ${kind} (ready again after ${median} s, at most ${longest} s)`
}

async function settle(db: Parameters<typeof listJobs>[0]): Promise<number> {
  const begun = performance.now()
  const unfinished = async () => (await listJobs(db, { failed: false })).filter(({ task }) => task !== 'clean_store')
  for (let jobs = await unfinished(); jobs.length > 0; jobs = await unfinished()) {
    assert.ok(performance.now() - begun < settleMilliseconds, `jobs are left: ${JSON.stringify(jobs)}`)
    await sleep(200)
  }
  return (performance.now() - begun) / 1000
}

async function run(): Promise<void> {
  const lots = planLots(rounds * 4 + 30)
  const file = path.join(folder, 'house.ndjson')
  await writeFile(file, [...records(lots)].map((line) => `${JSON.stringify(line)}\n`).join(''))
  await command('load', file)
  const { key } = JSON.parse(await command('keys', 'create', '--house', house, '--all', '--json')) as { key: string }
  await processes.start()

  let over = false
  const isOver = () => over
  const client = openClient(port, key)
  const writers = openWriters(client, lots, isOver)
  const bidders = await openBidders(dataDir, lots, isOver)
  const begun = performance.now()
  const elapsed = () => ((performance.now() - begun) / 1000).toFixed(0)
  const { counts, uploads } = writers
  const killing = killAtRandom((round) =>
    print(
      `${round} rounds, ${elapsed()} s: ${counts.created} items, ${counts.changed} changes, ${counts.switched} switches, ` +
        `${uploads.length} images, ${bidders.count('acknowledged')} bids`,
    ),
  ).finally(() => (over = true))
  const working = Promise.all([killing, writers.write(), bidders.bid()])
  const [recoveries] = await Promise.race([working, processes.failed]).finally(() => (over = true))
  const took = elapsed()

  const settled = await Promise.race([settle(bidders.db), processes.failed])
  await bidders.close()
  assert.deepEqual(await processes.stop(), [0, 0], 'the exit codes of the server and the worker')

  assert.deepEqual(JSON.parse(await command('doctor', '--json')), [])
  const catalogue = await openCatalogue(readConfig(processes.settings))
  const { db, media } = catalogue
  try {
    const figures = [
      `${rounds} kills in ${took} s: ${kinds.map((kind) => describe(kind, recoveries[kind])).join(', ')}; ` +
        `${processes.countStartsAgain()} starts given up and made again; settled in ${settled.toFixed(1)} s`,
      await checkItems(db, writers),
      await checkSchedule(db, writers),
      await checkBids(db, bidders),
      await checkImages(db, media, writers),
      `running sale: ${counts.refused} attempts to change it refused`,
      `answers: ${Array.from(client.answers, ([outcome, count]) => `${count} × ${outcome}`).join(', ')}`,
      'doctor: nothing found',
    ]
    for (const figure of figures) print(figure)
  } finally {
    await catalogue.close()
  }
}

try {
  await run()
  await rm(folder, { recursive: true, force: true })
} catch (error) {
  process.stderr.write(`violation: ${error instanceof Error ? error.stack : String(error)}\nSee ${folder}\n`)
  await processes.stop()
  process.exit(1)
}
