import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/pool.ts'
import { createTestDatabase } from './support/database.ts'
import { urlOf } from './support/address.ts'
import { untilWaiting } from './support/locks.ts'
import { until } from './support/pictures.ts'
import { createDataDir, findPort, findServerProcess, runCommand, startProcess } from './support/process.ts'

const folder = await createDataDir()
after(() => folder.remove())

test('two instances behind one database share the schema, cursors, keys, revocations and rate-limit windows', async () => {
  const database = await createTestDatabase()
  await database.db.schema.dropSchema('catalogue').cascade().execute()
  const shared = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: urlOf(database.connection),
    SECRET: 'the same on both of the instances',
    RATE_LIMIT_PER_MINUTE: '20',
  }
  const ports = [String(await findPort()), String(await findPort())]
  // Both find a database without a schema, and migrate.
  const instances = await Promise.all(
    ports.map((PORT) => startProcess({ ...shared, PORT, PUBLIC_URL: 'http://catalogue.test' })),
  )
  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand(shared, ...words, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as { id: string; key: string }
  }
  const ask = async (instance: number, path: string, key: string, body?: object) => {
    // No window ends during the test, however long it takes.
    await sql`update catalogue.rate_windows set ends_at = now() + interval '1 minute'`.execute(database.db)
    return fetch(`http://127.0.0.1:${ports[instance]}/api/v2${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  }

  await command('houses', 'create', 'noord', '--name', 'Noord', '--locale', 'nl', '--currency', 'EUR')
  const { id, key } = await command('keys', 'create', '--house', 'noord', '--all')
  for (const [index, reference] of ['one', 'two', 'three'].entries()) {
    assert.equal((await ask(index % 2, '/items', key, { external_reference: reference, title: reference })).status, 201)
  }
  const first = (await (await ask(0, '/items?limit=2', key)).json()) as {
    data: { title: string }[]
    next_cursor: string
  }
  const second = (await (await ask(1, `/items?limit=2&cursor=${first.next_cursor}`, key)).json()) as typeof first
  assert.deepEqual(
    [...first.data, ...second.data].map((item) => item.title),
    ['three', 'two', 'one'],
  )

  const statuses: number[] = []
  for (let request = 0; request < 20; request++) statuses.push((await ask(request % 2, '/items?limit=1', key)).status)
  assert.deepEqual(statuses.filter((status) => status === 200).length, 15)
  assert.deepEqual(statuses.slice(15), Array(5).fill(429))

  const other = await command('keys', 'create', '--house', 'noord', '--all')
  assert.deepEqual([(await ask(0, '', other.key)).status, (await ask(1, '', other.key)).status], [200, 200])
  await command('keys', 'revoke', other.id)
  // A revocation takes effect everywhere within a second.
  await sleep(1000)
  assert.deepEqual([(await ask(0, '', other.key)).status, (await ask(1, '', other.key)).status], [401, 401])
  assert.notEqual(id, other.id)
  await Promise.all(instances.map((instance) => instance.stop()))
  await database.drop()
})

test('while the database is down requests are 503; it returns without a restart and no acknowledged write is lost', async (t) => {
  const PORT = String(await findPort())
  const service = await startProcess(
    { DATA_DIR: `${folder.dataDir}-own`, PORT, RATE_LIMIT_PER_MINUTE: '0' },
    '--demo',
    '--json',
  )
  t.after(() => service.child.kill('SIGKILL'))
  const { url, key } = JSON.parse(service.printed) as { url: string; key: string }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  const write = async () => {
    const external_reference = `W-${acknowledged.length}-${Math.random()}`
    const reply = await fetch(`${url}/items`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ external_reference, title: 'Vaas' }),
    })
    statuses.add(reply.status)
    if (reply.status === 201) acknowledged.push(external_reference)
    return reply.status
  }
  for (let count = 0; count < 5; count++) assert.equal(await write(), 201)
  // A write waits for a lock when the server is killed. The process that holds the lock ends later.
  const own = { host: `${folder.dataDir}-own/postgres`, user: 'catalogue', database: 'catalogue' }
  const { db, pool } = openDatabase(own, 2)
  t.after(() => pool.end())
  let interrupted: Promise<number> | undefined
  const hold = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`lock table catalogue.items`.execute(tx)
    interrupted = write()
    await untilWaiting(db, 1)
    process.kill(rows[0]!.pid, 'SIGSTOP')
    process.kill((await findServerProcess(`${folder.dataDir}-own`))!, 'SIGKILL')
    await interrupted.finally(() => process.kill(rows[0]!.pid, 'SIGKILL'))
  })
  await assert.rejects(hold)
  assert.equal(await interrupted, 503)
  while (acknowledged.length <= 5) await write()
  assert.deepEqual(
    [...statuses].toSorted((a, b) => a - b),
    [201, 503],
  )
  // A server process that outlives its killed parent for a moment may have stored the last write.
  await until(async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).status === 200)
  for (const reference of acknowledged) {
    const found = (await (await fetch(`${url}/items?external_reference=${reference}`, { headers })).json()) as {
      data: unknown[]
    }
    assert.equal(found.data.length, 1, reference)
  }
  assert.equal(await service.stop(), 0)
})
