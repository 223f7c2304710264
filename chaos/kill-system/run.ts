import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Connection } from '../../src/db/pool.ts'
import type { Catalogue } from '../../src/running/catalogue.ts'
import { findUnfinished } from '../../test/support/jobs.ts'
import { list } from '../lib/counts.ts'
import { waitUntil } from '../lib/processes.ts'
import { openOperator } from '../lib/service.ts'
import { openBidders, type Bidders } from './bidders.ts'
import { checkBids, checkImages, checkItems, checkSchedule } from './checks.ts'
import { openClients, type Clients } from './client.ts'
import type { Processes } from './processes.ts'
import { house, houseLines, planLots } from './sale.ts'
import { openWriters, type Upload, type Writers } from './writers.ts'

/** What works on the sale of a program: its writers and bidders, and a key for others. They work until `isOver`. */
export type Work = { key: string; clients: Clients; writers: Writers; bidders: Bidders; isOver: () => boolean }

/**
 * What a program does besides: `disturb` ends the work, `others` work too, `settled` checks what follows the sale once
 * no job is left, and `check` the data of the stopped service, where images were uploaded or loaded. Each check returns
 * lines for the report.
 */
export type Program = {
  disturb: () => Promise<unknown>
  others?: () => Promise<unknown>
  settled: () => Promise<string[]>
  images: Upload[]
  check?: (catalogue: Catalogue) => Promise<string[]>
}

/**
 * Loads a sale of so many lots, starts the processes, and lets people write and bid while the program disturbs them. Then
 * checks everything, and removes the folder. After a violation the folder stays, and the process ends with 1.
 */
export async function runSale(
  {
    folder,
    processes,
    connection,
    lots: count,
  }: {
    folder: string
    processes: Processes
    connection: Connection
    lots: number
  },
  open: (work: Work) => Promise<Program>,
): Promise<void> {
  const { command, issueKey, inspect } = openOperator(processes.settings)

  async function run(): Promise<void> {
    const lots = planLots(count)
    const file = path.join(folder, 'house.ndjson')
    await writeFile(file, [...houseLines(lots)].map((line) => `${JSON.stringify(line)}\n`).join(''))
    await command('load', file)
    const { key } = await issueKey(house, '--all')
    await processes.start()

    let over = false
    const isOver = () => over
    const clients = openClients(processes.ports, key)
    const writers = openWriters(clients, lots, isOver)
    const bidders = await openBidders(connection, lots, isOver)
    const program = await open({ key, clients, writers, bidders, isOver })
    const disturbing = program.disturb().finally(() => (over = true))
    const working = Promise.all([disturbing, writers.write(), bidders.bid(), program.others?.()])
    await Promise.race([working, processes.failed]).finally(() => (over = true))
    const settled = waitUntil('jobs are left', async () => (await findUnfinished(bidders.db)).length === 0)
    await Promise.race([settled, processes.failed])
    const report = await program.settled()
    await bidders.close()

    assert.deepEqual(await processes.stop(), [0, 0, 0], 'the exit codes of the servers and the worker')
    assert.deepEqual(JSON.parse(await command('doctor', '--json')), [])
    await inspect(async (catalogue) => {
      const { db, media } = catalogue
      report.push(
        await checkItems(db, writers),
        await checkSchedule(db, writers),
        await checkBids(db, bidders),
        await checkImages(db, media, [...writers.uploads, ...program.images]),
        ...((await program.check?.(catalogue)) ?? []),
        `answers: ${list(clients.answers)}`,
        `galleries replaced, images deleted, changes of the running sale refused: ${list(writers.counts)}`,
        'doctor: nothing found',
      )
    })
    console.log(report.join('\n'))
  }

  try {
    await run()
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    console.error(`violation: ${error instanceof Error ? error.stack : String(error)}\nSee ${folder}`)
    await processes.stop()
    process.exit(1)
  }
}
