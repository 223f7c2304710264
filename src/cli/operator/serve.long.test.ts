import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { until } from '../../../test/support/pictures.ts'
import {
  environmentOf,
  checkout,
  createDataDir,
  findPort,
  findServerProcess,
  runCommand,
  runProcess,
  serveDemo,
  spawnCommand,
  startProcess,
  stopProcess,
} from '../../../test/support/process.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { urlOf } from '../../../test/support/address.ts'
import { houseLine } from '../../../test/support/lines.ts'
import { inTransaction } from '../../writes/transaction.ts'

const folder = await createDataDir()
const { dataDir } = folder
after(() => folder.remove())

test('a command that is interrupted while it creates the database leaves no process', async (t) => {
  const other = await createDataDir()
  t.after(() => other.remove())
  const child = spawnCommand({ DATA_DIR: other.dataDir }, ['houses', 'list'])
  await until(async () => (await readdir(other.dataDir).catch(() => [])).length > 0)
  assert.equal(await stopProcess(child, 'SIGINT'), 130)
  assert.deepEqual(await readdir(other.dataDir), ['postgres.log'])
})

test('two concurrent first starts in one folder load the demo house once, and both serve it', async (t) => {
  const other = await createDataDir()
  t.after(() => other.remove())
  const settings = async () => ({ DATA_DIR: other.dataDir, PORT: String(await findPort()) })
  const services = await Promise.all(
    [await settings(), await settings()].map((each) => startProcess(each, '--demo', '--json')),
  )
  for (const { printed } of services) {
    const { url, key } = JSON.parse(printed) as { url: string; key: string }
    const reply = await fetch(`${url}/lots?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(reply.status, 200)
  }
  assert.deepEqual(await Promise.all(services.map((service) => service.stop())), [0, 0])
  assert.equal(await findServerProcess(other.dataDir), undefined)
})

test('the next start draws the demo pictures that a first start has left', async (t) => {
  const other = await createDataDir()
  t.after(() => other.remove())
  const settings = { DATA_DIR: other.dataDir, PORT: String(await findPort()), RATE_LIMIT_PER_MINUTE: '0' }
  const first = await startProcess(settings, '--demo', '--json')
  await first.stop('SIGKILL')
  const second = await startProcess(settings, '--demo', '--json')
  t.after(() => second.child.kill())
  const { url, key } = JSON.parse(second.printed) as { url: string; key: string }
  const headers = { authorization: `Bearer ${key}` }
  const isDrawn = async () => {
    const reply = await fetch(`${url}/items?limit=100&expand[]=images`, { headers })
    const { data } = (await reply.json()) as { data: { images: { url: string | null }[] }[] }
    return data.some(({ images }) => images.some((image) => image.url !== null))
  }
  await until(isDrawn)
  assert.equal(await second.stop(), 0)
})

test('a signal to npm start ends the service too', async () => {
  const PORT = String(await findPort())
  const env = environmentOf({ DATA_DIR: dataDir, PORT })
  const npm = spawn('npm', ['start'], { cwd: checkout, env, stdio: 'ignore' })
  await until(() =>
    fetch(`http://127.0.0.1:${PORT}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  assert.equal(await stopProcess(npm), 0)
  assert.equal(await findServerProcess(dataDir), undefined)
})

test('a start with another secret explains why it shows no key, and how to issue one', async () => {
  const settings = { DATA_DIR: dataDir, PORT: String(await findPort()), SECRET: 'another secret, which is long enough' }
  const child = spawnCommand(settings, ['serve', '--demo', '--json'])
  const complaints = text(child.stderr!)
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  await stopProcess(child)
  assert.deepEqual(Object.keys(JSON.parse(line) as object), ['url'])
  assert.match(await complaints, /another SECRET.*bin\/catalogue keys create --house terbraeck --all/)
})

test('after kill -9 the next command takes over the database, loses nothing and stops it', async () => {
  const killed = await serveDemo(dataDir)
  const created = await fetch(`${killed.url}/auctions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${killed.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Kort voor de val', external_reference: 'killed' }),
  })
  assert.equal(created.status, 201)
  await killed.stop('SIGKILL')
  assert.notEqual(await findServerProcess(dataDir), undefined)

  const houses = await runCommand({ DATA_DIR: dataDir }, 'houses', 'list', '--json')
  assert.equal(houses.code, 0, houses.stderr)
  assert.equal((JSON.parse(houses.stdout) as unknown[]).length, 1)
  assert.equal(await findServerProcess(dataDir), undefined)

  const again = await serveDemo(dataDir)
  assert.equal((await again.read('/auctions?external_reference=killed')).body.data.length, 1)
  assert.equal(await again.stop(), 0)
})

test('several commands work at once beside a running service, which refuses a revoked key within a second', async () => {
  const service = await serveDemo(dataDir)
  const settings = { DATA_DIR: dataDir }
  const [list, doctor, issued] = await Promise.all([
    runCommand(settings, 'houses', 'list', '--json'),
    runCommand(settings, 'doctor', '--json'),
    runCommand(settings, 'keys', 'create', '--house', 'terbraeck', '--permissions', 'lots.read', '--json'),
  ])
  assert.deepEqual([list.code, doctor.code, issued.code], [0, 0, 0])
  assert.deepEqual(JSON.parse(doctor.stdout), [])
  const { id, key } = JSON.parse(issued.stdout) as { id: string; key: string }
  const ask = async () =>
    (await fetch(`${service.url}/lots?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status
  assert.equal(await ask(), 200)
  assert.equal((await runCommand(settings, 'keys', 'revoke', id)).code, 0)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  assert.equal(await ask(), 401)
  assert.notEqual(await findServerProcess(dataDir), undefined)
  assert.equal(await service.stop(), 0)
  assert.equal(await findServerProcess(dataDir), undefined)
})

test('a start on a taken port runs no job and schedules none', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const PORT = String((taken.address() as AddressInfo).port)
  const other = await createDataDir()
  const settings = { DATA_DIR: other.dataDir }
  const file = path.join(path.dirname(other.dataDir), 'item.ndjson')
  await writeFile(path.join(path.dirname(file), 'picture.jpg'), Buffer.from([0xff, 0xd8, 0xff]))
  const lines = [
    houseLine('house'),
    { type: 'item', ref: 'item', external_reference: 'I', title: 'Vaas' },
    { type: 'image', item: 'item', external_reference: 'P', file: 'picture.jpg' },
  ]
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  assert.equal((await runCommand(settings, 'load', file)).code, 0)
  const listJobs = async () => {
    const { stdout } = await runCommand(settings, 'jobs', 'list', '--json')
    return JSON.parse(stdout) as { task: string; attempts: number }[]
  }
  const waiting = await listJobs()
  assert.deepEqual(waiting.map(({ task, attempts }) => `${task} ${attempts}`).toSorted(), [
    'derive_renditions 0',
    'number_changes 0',
    'ready_documents 0',
  ])
  assert.notEqual((await runProcess({ ...settings, PORT }, 'serve')).code, 0)
  assert.deepEqual(await listJobs(), waiting)
  await other.remove()
})

test('a service whose output has no reader any more goes on serving, and stops on a signal', async (t) => {
  const PORT = String(await findPort())
  const child = spawnCommand({ DATA_DIR: dataDir, PORT, LOG_LEVEL: 'info' }, ['serve'])
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  for (let request = 0; request < 3; request++) {
    const reply = await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(10_000) })
    assert.equal(reply.status, 200)
    await sleep(300)
  }
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.equal(await findServerProcess(dataDir), undefined)
})

test('a second signal does not shorten the shutdown that the first one began', async (t) => {
  const PORT = String(await findPort())
  const child = spawnCommand({ DATA_DIR: dataDir, PORT }, ['serve'])
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await once(child.stdout!, 'data')
  child.stdout!.resume()
  child.kill('SIGINT')
  await sleep(20)
  child.kill('SIGINT')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.equal(await findServerProcess(dataDir), undefined)
})

/** Starts a service that waits for a lock on the database, until `release()`. */
async function startHeldUp(lock: string, prepare = 'select') {
  const database = await createTestDatabase()
  await database.pool.query(prepare)
  const PORT = String(await findPort())
  const settings = { DATABASE_URL: urlOf(database.connection), SECRET: 'a secret of the tests, long enough', PORT }
  const free = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = inTransaction(database, async ({ db: tx }) => {
    await sql.raw(lock).execute(tx)
    locked.resolve()
    await free.promise
  })
  await locked.promise
  const child = spawnCommand({ DATA_DIR: dataDir, ...settings }, ['serve'], 'ignore')
  const ended = once(child, 'exit')
  await until(async () => {
    const { rows } = await database.pool.query(
      'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
    )
    return rows.length > 0
  })
  const release = async () => {
    free.resolve()
    await holding
  }
  return { ...database, child, ended, PORT, release }
}

test('a signal during the start ends the service at once, also as the first process of a container', async (t) => {
  const service = await startHeldUp('select pg_advisory_xact_lock(3853314791062309107)')
  t.after(() => service.child.kill('SIGKILL'))
  service.child.kill('SIGTERM')
  assert.deepEqual(await service.ended, [0, null])
  await service.release()
  await service.drop()
})

test('a signal between the first answer and the start of the worker stops both', async (t) => {
  const service = await startHeldUp(
    'select from graphile_worker._private_jobs for update',
    `select graphile_worker.add_job('delete_media', '{"keys": []}');
      update graphile_worker._private_jobs set locked_by = 'a killed worker', locked_at = now() - interval '1 hour'`,
  )
  t.after(() => service.child.kill('SIGKILL'))
  assert.equal((await fetch(`http://127.0.0.1:${service.PORT}/healthz`)).status, 200)
  await until(async () => {
    const { rows } = await service.pool.query(`select from pg_stat_activity where application_name like 'pool-%'
      and datname = current_database()`)
    return rows.length === 2
  })
  service.child.kill('SIGTERM')
  await sleep(500)
  await service.release()
  assert.deepEqual(await service.ended, [0, null])
  await service.drop()
})

test('a service that numbers the changes of a thousand houses ends all work in the time that a stop has', async () => {
  const database = await createTestDatabase()
  const { dataDir, remove } = await createDataDir()
  await sql`insert into catalogue.houses (slug, name, default_locale, currency)
    select 'house-' || n, 'x', 'nl', 'EUR' from generate_series(1, 1000) n`.execute(database.db)
  const settings = {
    DATABASE_URL: urlOf(database.connection),
    SECRET: 'a secret of this test, long enough',
    DATA_DIR: dataDir,
  }
  const service = await startProcess({ ...settings, PORT: String(await findPort()) })
  await until(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier = 'number_changes' and locked_at is not null`.execute(database.db)
    return rows.length > 0
  })
  // After 20 seconds it ends with 1.
  assert.equal(await service.stop(), 0)
  await database.drop()
  await remove()
})

test('a service whose log is on a full disk goes on serving, and stops on a signal', async (t) => {
  const PORT = String(await findPort())
  const full = await open('/dev/full', 'w')
  const child = spawnCommand({ DATA_DIR: dataDir, PORT, LOG_LEVEL: 'info' }, ['serve'], ['ignore', full.fd, 'ignore'])
  await full.close()
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const isReady = () =>
    fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(isReady)
  for (let request = 0; request < 20; request++) assert.ok(await isReady())
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.equal(await findServerProcess(dataDir), undefined)
})

test('a command whose output cannot be written reports that in one line', async () => {
  const full = await open('/dev/full', 'w')
  const child = spawnCommand({ DATA_DIR: dataDir }, ['houses', 'list'], ['ignore', full.fd, 'pipe'])
  const [complaint, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  await full.close()
  assert.equal(code, 1)
  assert.match(complaint, /^error: .*output cannot be written.*\n$/)
})

test('an outage of the database is one line of the log at its beginning and one at its end; a stop is two', async () => {
  const own = await createDataDir()
  const settings = { DATA_DIR: own.dataDir, PORT: String(await findPort()), LOG_LEVEL: 'info' }
  // Once it prints its address its worker has started too.
  const { child, stop } = await startProcess(settings, '--json')
  let log = ''
  child.stderr!.on('data', (piece) => (log += piece))
  const messages = () =>
    log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { level: number; msg: string; err?: unknown })
      .filter(({ msg }) => /database|worker|listener|unlock|stop/i.test(msg))
  const ofOutage = () => messages().map(({ msg, err }) => [msg, err])
  for (let outage = 1; outage <= 2; outage++) {
    process.kill((await findServerProcess(own.dataDir))!, 'SIGINT')
    await until(() => Promise.resolve(messages().filter(({ msg }) => msg === 'the database is back').length === outage))
  }
  assert.equal(await stop(), 0)
  const [away, back] = [
    ['the database is away: jobs wait', undefined],
    ['the database is back', undefined],
  ]
  assert.deepEqual(ofOutage(), [away, back, away, back, ['stopping', undefined], ['stopped', undefined]])
  await own.remove()
})
