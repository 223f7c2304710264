import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from './support/database.ts'
import { urlOf } from './support/address.ts'
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
  const ask = (instance: number, path: string, key: string, body?: object) =>
    fetch(`http://127.0.0.1:${ports[instance]}/api/v2${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })

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
  process.kill((await findServerProcess(`${folder.dataDir}-own`))!, 'SIGKILL')
  const deadline = Date.now() + 60_000
  do await write()
  while (!(statuses.has(503) && acknowledged.length > 5) && Date.now() < deadline)
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
