import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createTestDatabase } from './support/database.ts'
import { urlOf } from './support/address.ts'
import { until } from './support/pictures.ts'
import {
  checkout,
  createDataDir,
  findPort,
  programOf,
  runCommand,
  startProcess,
  type RunningService,
} from './support/process.ts'
import { catalogueOf } from './support/lines.ts'

const { slug, ids, lines } = catalogueOf(1)
const folder = await createDataDir()
const next = await mkdtemp(path.join(tmpdir(), 'catalogue-next-'))
const nextProgram = programOf(next)
const started: RunningService[] = []
const tables = ['auctions', 'sessions', 'lots', 'items', 'images', 'sellers', 'api_keys']

// The next version is this one with one more migration, on every table that it reads and writes.
before(async () => {
  for (const part of ['src', 'bin', 'package.json']) {
    await cp(path.join(checkout, part), path.join(next, part), { recursive: true })
  }
  await symlink(path.join(checkout, 'node_modules'), path.join(next, 'node_modules'))
  await writeFile(
    path.join(next, 'src/db/schema/migrations/9999-remarks.sql'),
    ['set local citus.enable_local_reference_table_foreign_keys = off;']
      .concat("set local citus.multi_shard_modify_mode = 'sequential';")
      .concat(tables.map((table) => `alter table catalogue.${table} add column remark text;`))
      .concat('create index lots_remark on catalogue.lots (house_id, remark);')
      .join('\n'),
  )
})
after(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  await Promise.all([folder.remove(), rm(next, { recursive: true })])
})

async function start(startProcess: typeof nextProgram.startProcess, settings: Record<string, string>) {
  const service = await startProcess(settings)
  started.push(service)
  return service
}

/** A database filled by the version under test, and the settings of every instance on it. */
async function openCatalogue() {
  const database = await createTestDatabase()
  const settings = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: urlOf(database.connection),
    SECRET: 'the same on both of the versions',
    RATE_LIMIT_PER_MINUTE: '0',
  }
  const file = path.join(next, 'catalogue.ndjson')
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const loaded = await runCommand(settings, 'load', file)
  assert.equal(loaded.code, 0, loaded.stderr)
  const issued = await runCommand(settings, 'keys', 'create', '--house', slug, '--all', '--json')
  return { database, settings, key: (JSON.parse(issued.stdout) as { key: string }).key }
}

const isReady = async (port: string) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status

/**
 * Reads and writes, two at once, until `stop()`, which returns the requests without a 2xx (refusals of overload
 * excepted).
 */
function startTraffic(port: string, key: string) {
  const stopping = new AbortController()
  let rounds = 0
  const failed: string[] = []
  const ask = async (method: string, url: string, body?: object): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const reply = await fetch(`http://127.0.0.1:${port}/api/v2${url}`, request).catch(String)
    const text = typeof reply === 'string' ? reply : await reply.text()
    // Overload comes from the machine and not from the upgrade: the client tries again, as Retry-After says.
    if (text.includes('The service is overloaded.')) return sleep(2_000).then(() => ask(method, url, body))
    if (typeof reply === 'string' || !reply.ok) failed.push(`${method} ${url}: ${text}`)
  }
  const reads = ['/lots?expand[]=item.images&expand[]=session', `/lots/${ids.lot}?expand[]=item`, '/items', '/auctions']
    .concat(`/items/${ids.item}?expand[]=images`, `/items/${ids.item}/images`, '/sessions?expand[]=auction', '/sellers')
    .concat('/makers', '/categories', '/consignments', '/increment_strategies')
  const client = async () => {
    for (let round = 0; !stopping.signal.aborted && failed.length === 0; round++, rounds++) {
      const external_reference = randomUUID()
      for (const url of reads) await ask('GET', url)
      await ask('POST', '/items', { external_reference, title: 'Vaas', translations: { en: { title: 'Vase' } } })
      await ask('PATCH', `/items/${ids.item}`, { description: `Olieverf ${external_reference}` })
      await ask('POST', '/auctions', { external_reference, title: 'Najaar' })
      await ask('PATCH', `/sessions/${ids.draftSession}`, { title: `Concept ${external_reference}` })
      await ask('PATCH', `/lots/${ids.lot}`, { active: round % 2 === 0 })
      await ask('PATCH', `/items/${ids.item}/gallery`, {
        images: [ids.image, ids.secondImage].toSorted(() => round % 2),
      })
    }
  }
  const clients = [client(), client()]
  return {
    /** Waits until at least `more` further rounds of requests have begun and ended. */
    async pass(more: number) {
      const goal = rounds + clients.length + more
      await until(async () => rounds >= goal || failed.length > 0)
    },
    async stop() {
      stopping.abort()
      await Promise.all(clients)
      return failed
    },
  }
}

test('the next version migrates and starts while this one serves: no request fails, both are ready, and a return is possible', async () => {
  const { database, settings, key } = await openCatalogue()
  const [port, nextPort] = [String(await findPort()), String(await findPort())]
  const old = await start(startProcess, { ...settings, PORT: port })
  const traffic = startTraffic(port, key)
  await traffic.pass(4)
  const young = await start(nextProgram.startProcess, { ...settings, PORT: nextPort })
  const nextTraffic = startTraffic(nextPort, key)
  await Promise.all([traffic.pass(4), nextTraffic.pass(4)])
  assert.deepEqual([await isReady(port), await isReady(nextPort)], [200, 200])

  for (const words of [['doctor'], ['jobs', 'list'], ['sessions', 'publish', ids.liveSession]]) {
    const runs = [nextProgram.runProcess(settings, ...words), runCommand(settings, ...words)]
    for (const { code, stderr } of await Promise.all(runs)) assert.deepEqual([code, stderr], [0, ''], words.join(' '))
  }
  assert.deepEqual(await traffic.stop(), [])
  assert.equal(await old.stop(), 0)

  // An instance of this version that starts again, during the upgrade or to undo it.
  const back = await start(startProcess, { ...settings, PORT: port })
  assert.equal(await isReady(port), 200)
  const again = startTraffic(port, key)
  await Promise.all([again.pass(4), nextTraffic.pass(4)])
  assert.deepEqual([await again.stop(), await nextTraffic.stop()], [[], []])
  await Promise.all([back.stop(), young.stop()])
  await database.drop()
})

test('an instance is not ready until all migrations of its version have run', async () => {
  const { database, settings } = await openCatalogue()
  const [port, nextPort] = [String(await findPort()), String(await findPort())]
  const [old, young] = [
    await start(startProcess, { ...settings, PORT: port }),
    await start(nextProgram.startProcess, { ...settings, PORT: nextPort }),
  ]
  // As after the restore of a backup that this version made.
  for (const table of tables) {
    await sql`alter table ${sql.table(`catalogue.${table}`)} drop column remark`.execute(database.db)
  }
  await sql`delete from catalogue.kysely_migration where name = '9999-remarks'`.execute(database.db)
  await until(async () => (await isReady(nextPort)) === 503)
  assert.equal(await isReady(port), 200)
  assert.match((await nextProgram.runProcess(settings, 'migrate')).stdout, /^ran 9999-remarks$/m)
  // The result of a look-up is kept for a second.
  await until(async () => (await isReady(port)) === 200 && (await isReady(nextPort)) === 200)
  await Promise.all([old.stop(), young.stop()])
  await database.drop()
})

test('both versions may start at once on an empty database', async () => {
  const database = await createTestDatabase()
  await database.db.schema.dropSchema('catalogue').cascade().execute()
  const settings = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: urlOf(database.connection),
    SECRET: 'the same on both of the versions',
  }
  const ports = [String(await findPort()), String(await findPort())]
  const instances = await Promise.all([
    start(startProcess, { ...settings, PORT: ports[0]! }),
    start(nextProgram.startProcess, { ...settings, PORT: ports[1]! }),
  ])
  assert.deepEqual(await Promise.all(ports.map(isReady)), [200, 200])
  await Promise.all(instances.map((instance) => instance.stop()))
  await database.drop()
})

test('a migration that waits for a long transaction gives up, fails no request, and runs at the next start', async () => {
  const { database, settings, key } = await openCatalogue()
  const port = String(await findPort())
  const old = await start(startProcess, { ...settings, PORT: port })
  const traffic = startTraffic(port, key)
  // As pg_dump does.
  await database.db.transaction().execute(async (tx) => {
    await sql`lock table catalogue.lots in access share mode`.execute(tx)
    const { code, stderr } = await nextProgram.runProcess(settings, 'migrate')
    assert.deepEqual([code, stderr], [1, 'error: canceling statement due to lock timeout\n'])
  })
  assert.equal((await nextProgram.runProcess(settings, 'migrate')).code, 0)
  await traffic.pass(1)
  assert.deepEqual(await traffic.stop(), [])
  await old.stop()
  await database.drop()
})
