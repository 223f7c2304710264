import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Pool, type PoolClient } from 'pg'
import { StatementBatch } from '../src/db/statement-batch.ts'
import { urlOf } from './support/address.ts'
import { createDataDir, findPort, startProcess } from './support/process.ts'
import { catalogueOf } from './support/lines.ts'
import { findWaiting, lockRecord, untilWaiting } from './support/locks.ts'
import { checksum, openWriting } from './support/writing.ts'

const { ids, lines } = catalogueOf(1)
const service = await openWriting(lines.slice(1), {}, false)
after(() => service.close())

// The statements with these numbers, counted from 1, are replaced by one that fails in the database, as `statement` says.
let failing: { isAt: (number: number) => boolean; sent: number; statement: string } | undefined
trapStatements(service.pool)

function trapStatements(pool: Pool) {
  const trapped = new WeakSet<PoolClient>()
  pool.on('acquire', (client) => {
    if (trapped.has(client)) return
    trapped.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const trap = (...args: unknown[]) => {
      const [batch] = args
      for (const [index, { text }] of batch instanceof StatementBatch ? batch.statements.entries() : []) {
        // No request waits for an announcement, and an earlier write may have sent it. A key is looked up before a write.
        if (!failing || text === 'rollback' || /pg_notify|catalogue\.api_keys/.test(text)) continue
        if (failing.isAt(++failing.sent)) (batch as StatementBatch).statements[index] = { text: failing.statement }
      }
      return query(...args)
    }
    client.query = trap as typeof client.query
  })
}

/** Every write once, with other values for each `name`. */
const writesOf = (name: string): [method: 'POST' | 'PATCH', path: string, body: unknown][] => [
  ['POST', 'auctions', { title: 'Winter', external_reference: name }],
  ['PATCH', `auctions/${ids.draftAuction}`, { title: name }],
  [
    'POST',
    'sessions',
    {
      auction: ids.draftAuction,
      title: 'x',
      external_reference: name,
      opens_at: '2099-01-01T00:00:00Z',
      live: { closes_at: '2099-01-02T00:00:00Z' },
    },
  ],
  ['PATCH', `sessions/${ids.draftSession}`, { title: name, settings: { buyer_premium_percentage: '5' } }],
  ['PATCH', `lots/${ids.lot}`, { active: name === 'one' }],
  [
    'POST',
    'items',
    {
      external_reference: name,
      title: 'x',
      translations: { en: { title: 'y' } },
      makers: [ids.maker],
      categories: [ids.category],
      consignment: ids.consignment,
    },
  ],
  [
    'PATCH',
    `items/${ids.item}`,
    name === 'one'
      ? {
          title: name,
          translations: { en: { title: 'w' }, de: { title: 'v' } },
          makers: [],
          categories: [],
          estimate: null,
          seller: ids.seller,
          consignment: null,
        }
      : {
          title: name,
          translations: { en: { title: null } },
          makers: [ids.maker],
          categories: [ids.category],
          consignment: ids.consignment,
        },
  ],
]

for (const [name, failure, statement, expected] of [
  ['one', 'an error of the database', 'select 1 / 0', 500],
  ['two', 'the loss of the connection', 'select pg_terminate_backend(pg_backend_pid())', 503],
] as const) {
  test(`${failure} at any statement of any write leaves no partial change, and no job`, async () => {
    for (const [method, path, body] of writesOf(name)) {
      const sum = await checksum(service.db)
      for (let at = 1; ; at++) {
        // After an error a creation is tried alone, and fails there too. After the loss of the connection none is.
        const lasts = path === 'items' && method === 'POST'
        failing = { isAt: (number) => number === at || (lasts && number > at), sent: 0, statement }
        const { status } = await service.send(method, path, body)
        const { sent } = failing
        failing = undefined
        if (sent < at) {
          assert.ok([200, 201].includes(status), `${method} ${path} answered ${status}`)
          assert.ok(at > 4)
          break
        }
        assert.equal(status, expected, `${method} ${path}, statement ${at}`)
        assert.equal(await checksum(service.db), sum, `${method} ${path}, statement ${at}`)
      }
    }
  })
}

test('after an error in a shared transaction an item is created alone, whole, or not at all', async () => {
  const [, , body] = writesOf('alone').find(([method, path]) => method === 'POST' && path === 'items')!
  let refused = 0
  for (let at = 2; ; at++) {
    const sum = await checksum(service.db)
    failing = { isAt: (number) => number === 1 || number === at, sent: 0, statement: 'select 1 / 0' }
    const { status, data } = await service.send('POST', 'items', {
      ...(body as object),
      external_reference: `alone ${at}`,
    })
    const { sent } = failing
    failing = undefined
    if (status === 500) {
      refused++
      assert.equal(await checksum(service.db), sum, `statement ${at}`)
    } else {
      assert.equal(status, 201)
      assert.deepEqual(data, await service.show(`items/${data.id}`))
    }
    if (sent < at) break
  }
  assert.ok(refused > 4)
})

test('a deadlock that the database reports is tried again, and given up if it never ends', async () => {
  const raise = `do $$ begin raise exception 'x' using errcode = '40P01'; end $$`
  for (const at of [2, 3, 4, 5]) {
    failing = { isAt: (number) => number === at, sent: 0, statement: raise }
    assert.equal((await service.patch(`items/${ids.plainItem}`, { title: `again ${at}` })).status, 200)
    failing = undefined
  }
  assert.equal((await service.show(`items/${ids.plainItem}`)).title, 'again 5')
})

test('a write whose statement times out is refused with 503 and Retry-After, and leaves nothing', async () => {
  const reply = await service.db.transaction().execute(async (tx) => {
    await lockRecord(tx, 'items', ids.plainItem.slice(4))
    const writing = service.request({
      method: 'PATCH',
      url: `/api/v2/items/${ids.plainItem}`,
      key: service.key,
      body: { title: 'given up' },
    })
    await untilWaiting(service.db, 1)
    for (const pid of await findWaiting(service.db))
      await service.pool.query('select pg_cancel_backend($1::int)', [pid])
    return writing
  })
  assert.equal(reply.statusCode, 503)
  assert.match(reply.json<{ type: string }>().type, /temporarily-unavailable$/)
  assert.equal(reply.headers['retry-after'], '5')
  assert.equal((await service.show(`items/${ids.plainItem}`)).title, 'again 5')
})

test('while the database is read-only, writes are 503 with Retry-After and reads continue; afterwards writes recover by themselves', async () => {
  const name = new URL(urlOf(service.connection)).pathname.slice(1)
  const admin = new Client(service.connection)
  await admin.connect()
  const url = `/api/v2/items/${ids.plainItem}`
  const send = (title: string) => service.request({ method: 'PATCH', url, key: service.key, body: { title } })
  try {
    // As after a fail-over: new connections lead to a read-only server, and existing ones keep the old server.
    await admin.query(`alter database ${name} set default_transaction_read_only = on`)
    await admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    for (let reads = 1; (await service.get(url, service.key)).statusCode !== 200; reads++) assert.ok(reads < 20)
    for (let attempt = 0; attempt < 3; attempt++) {
      const reply = await send('refused')
      assert.equal(reply.statusCode, 503, reply.payload)
      assert.match(reply.json<{ type: string }>().type, /temporarily-unavailable$/)
      assert.equal(reply.headers['retry-after'], '5')
      assert.equal((await service.get(url, service.key)).statusCode, 200)
    }
  } finally {
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    await admin.end()
  }
  // A connection to the old server ends with the write that it refuses.
  for (let writes = 1; (await send('accepted')).statusCode !== 200; writes++) assert.ok(writes <= 10)
  assert.equal((await service.show(`items/${ids.plainItem}`)).title, 'accepted')
})

test('every write answered 2xx is stored after the service was killed in the middle of a stream of writes', async () => {
  const folder = await createDataDir()
  const { connection } = service
  const databaseUrl =
    'connectionString' in connection
      ? connection.connectionString
      : `postgresql://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`
  const port = await findPort()
  const running = await startProcess({
    DATA_DIR: folder.dataDir,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    SECRET: 'x'.repeat(32),
    RATE_LIMIT_PER_MINUTE: '0',
    WORKER: 'off',
  })
  const sent = new Map<string, number | undefined>()
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const stream = async () => {
    for (;;) {
      const reference = randomUUID()
      sent.set(reference, undefined)
      const body = JSON.stringify({
        external_reference: reference,
        title: reference,
        translations: { en: { title: reference } },
        makers: [ids.maker],
      })
      try {
        const reply = await fetch(`http://127.0.0.1:${port}/api/v2/items`, { method: 'POST', headers, body })
        const text = await reply.text()
        // A busy machine may be overloaded: that write was not taken.
        if (!text.includes('The service is overloaded.')) sent.set(reference, reply.status)
      } catch {
        return
      }
    }
  }
  const streams = Array.from({ length: 4 }, stream)
  while ([...sent.values()].filter((status) => status === 201).length < 60) {
    assert.equal(running.child.exitCode, null)
    await sleep(5)
  }
  await running.stop('SIGKILL')
  await Promise.all(streams)
  await folder.remove()

  const items = await service.walk('/api/v2/items?limit=100', service.key)
  const found = new Map(items.map((item) => [item['external_reference'], item]))
  for (const [reference, status] of sent) {
    const item = found.get(reference)
    if (status !== undefined) assert.equal(status, 201)
    if (status === 201) assert.ok(item, 'what was answered 201 is there')
    // Some writes without an answer were committed, each completely.
    if (item)
      assert.deepEqual(
        [item['translations'], item['makers']],
        [{ nl: { title: reference }, en: { title: reference } }, [ids.maker]],
      )
  }
})
