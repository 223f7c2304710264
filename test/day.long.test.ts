import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/pool.ts'
import { createInstallation } from './support/installation.ts'
import { checkout, findPort, startProcess } from './support/process.ts'

// Runs the day of a house as docs/staff.md and docs/staff-interface.md print it. The first has a sale of today, which the
// test waits for. Of the second it moves the times of the session, because its sale opens long after it was prepared.
const installation = await createInstallation()
const work = await mkdtemp(`${path.dirname(installation.dataDir)}/work-`)
const port = String(await findPort())
const settings = { ...installation.settings, PORT: port, TZ: 'Europe/Amsterdam', WINDOW: 'off' }
const service = await startProcess(settings)
const database = openDatabase(installation.connection, 1)
after(async () => {
  await service.stop()
  await database.pool.end()
  await rm(work, { recursive: true })
  await installation.remove()
})

type Blocks = { [language: string]: string[] }

/** The blocks of a section of a page by their languages, in order. */
async function readSection(page: string, heading: string): Promise<Blocks> {
  const text = await readFile(path.join(checkout, 'docs', page), 'utf8')
  const section = text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  const blocks: Blocks = {}
  for (const [, language, block] of section.matchAll(/^```(\w+)\n([^]*?)^```$/gm))
    (blocks[language!] ??= []).push(block!.replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`))
  return blocks
}

const save = (name: string, text: string) => writeFile(path.join(work, name), text)
let key = ''

async function runShell(script: string): Promise<string> {
  const programs = script
    .replaceAll('npx catalogue-import', `${process.execPath} ${checkout}/packages/importer/bin/catalogue-import.js`)
    .replaceAll('bin/catalogue ', `${checkout}/bin/catalogue `)
  const env = { ...process.env, ...settings, CATALOGUE_KEY: key, KEY: key }
  const { stdout } = await promisify(execFile)('bash', ['-ec', programs], { cwd: work, env })
  return stdout
}

/** Waits until the last of these times of the house is past. */
async function whenPast(records: 'sessions' | 'lots', time: 'opens_at' | 'closes_at'): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: number }>`
      select coalesce(extract(epoch from max(r.${sql.ref(time)} - clock_timestamp())), 0)::float8 as left
      from ${sql.table(`catalogue.${records}`)} r join catalogue.houses h on h.id = r.house_id
      where h.slug = 'veiling-noord'`.execute(database.db)
    if (rows[0]!.left <= 0) return
    await sleep(Math.ceil(rows[0]!.left * 1000))
  }
}

/** Lets the sessions of a house open, and their lots close, this many hours from now. */
async function move(house: string, opens: number, closes: number): Promise<void> {
  const { db } = database
  const houseId = sql`(select id from catalogue.houses where slug = ${house})`
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  await sql`update catalogue.sessions set opens_at = ${at(opens)} where house_id = ${houseId}`.execute(db)
  await sql`update catalogue.lots set closes_at = ${at(closes)}, scheduled_closes_at = ${at(closes)}
    where house_id = ${houseId}`.execute(db)
}

test('docs/staff.md: the commands lead a house from its first seller to the finished sale', async () => {
  const { sh, csv, yaml } = await readSection('staff.md', 'The day of a house')
  const [house, seller, imported, prepared, practised, published, running, closed, ...more] = sh!
  assert.deepEqual(more, [])
  const { csv: steps } = await readSection('staff.md', 'Increment strategies')
  await save('steps.csv', steps![0]!)
  await save('kavels.csv', csv![0]!)
  await save('kavels.csv.mapping.yaml', yaml![0]!)
  await save('order.csv', csv![1]!)
  await save('results.csv', csv![2]!)

  key = /^ack_\S+$/m.exec(await runShell(house!))![0]
  await runShell(seller!)
  // The kinds of records stand in the order in which the first of each was stored.
  const created = /^created: (?=.*\b1 auction\b)(?=.*\b6 items\b)(?=.*\b1 session\b).*$/m.source
  assert.match(await runShell(imported!), new RegExp(`^made 1 maker\n[^]*${created}[^]*^added 6 lots: `, 'm'))
  const preparation = await runShell(prepared!)
  assert.match(preparation, /^6 items\n[^]*^renumbered 2 lots$[^]*numbers fixed$[^]*^activated 6 lots$/m)
  await runShell(practised!)
  await runShell(published!)
  await whenPast('sessions', 'opens_at')
  const day = await runShell(running!)
  assert.match(day, /^lot 2026-1\/A\/2 "Vaas": .*notice "met een haarscheur"/m)
  assert.match(day, /^lot 2026-1\/A\/6 "Kast": .*withdrawn/m)
  await whenPast('lots', 'closes_at')
  const results = await runShell(closed!)
  assert.match(results, /^recorded 4 results: 1 sold, 3 unsold$/m)
  assert.match(results, /^lot 2026-1\/A\/4 "Stoel": .*sold together with 1,/m)
  assert.match(results, /^recorded 0 results\n3 lots had the result already; together: 1 sold, 2 unsold$/m)
  assert.match(results, /^session 2026-1\/A .*finished/m)
  assert.match(results, /^lot 2026-1\/A\/3 "Spiegel": .*sold for €90\.00 after the sale/m)
  assert.match(results, / bids place .*amount: €450\.00/)
  const bills = await readFile(path.join(work, 'bills.csv'), 'utf8')
  assert.equal(bills.trimEnd().split('\n').length, 7)
})

test('docs/staff-interface.md: the programs lead a house from its first seller to the finished sale', async () => {
  const { ts } = await readSection('staff-interface.md', 'The day of a house')
  const client = path.join(checkout, 'packages/client/dist/index.js')
  for (const [index, name] of ['prepare.ts', 'sell.ts'].entries())
    await save(name, ts![index]!.replace('@auction-catalogue/client', client))
  await installation.run('houses', 'create', 'zuid', '--name', 'Zuid', '--locale', 'nl', '--currency', 'EUR')
  const issued = await installation.run('keys', 'create', '--house', 'zuid', '--staff', '--all', '--name', 'Anna')
  key = /^ack_\S+$/m.exec(issued.stdout)![0]
  await runShell('node prepare.ts')
  await move('zuid', -1, 1)
  const journal = await runShell('node sell.ts')
  assert.deepEqual(journal.match(/(?<= Anna )\w+/g), [
    'changeLot',
    'placeBid',
    'updateLotsOfSession',
    'orderLots',
    'addLots',
  ])
  const listed = await installation.run('lots', 'list', '--house', 'zuid', '--json')
  const lots = JSON.parse(listed.stdout) as { title: string; lot_number: number; result: { state: string } }[]
  assert.deepEqual(
    lots.toSorted((one, other) => one.lot_number - other.lot_number).map(({ title, result }) => [title, result.state]),
    [
      ['Kast', 'sold'],
      ['Lamp', 'sold'],
      ['Reisklok', 'sold'],
      ['Spiegel', 'sold'],
      ['Stoel', 'sold'],
      ['Vaas', 'withdrawn'],
    ],
  )
})
