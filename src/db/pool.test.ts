import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../test/support/database.ts'
import { urlOf } from '../../test/support/address.ts'
import { openTunnel } from '../../test/support/tunnel.ts'
import { isOutOfService, isReadOnly, isUnreachable, violatedConstraint } from './errors.ts'
import { migrate } from './schema/migrate.ts'
import { openDatabase, type Connection, type Database } from './pool.ts'

const database = await createTestDatabase()
after(() => database.drop())

test('a connection with a hundred prepared statements is replaced, so that no server process grows without limit', async () => {
  const { db, pool } = openDatabase(database.connection, 1)
  const prepared: number[] = []
  for (let each = 0; each < 350; each++) {
    await sql`select ${each}::int as ${sql.ref(`of_${each}`)}`.execute(db)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_prepared_statements`.execute(db)
    prepared.push(rows[0]!.count)
  }
  assert.ok(Math.max(...prepared) <= 101)
  assert.ok(prepared.includes(100), 'statements are prepared once a connection, not anew for each request')
  await pool.end()
})

test('logStatement gets each statement and its milliseconds, but none of its values', async () => {
  const lines: { statement: string; milliseconds: number }[] = []
  const logStatement = (line: (typeof lines)[number]) => void lines.push(line)
  const { db, pool } = openDatabase(database.connection, 1, { logStatement })
  await sql`select ${'a value'}::text,
    pg_sleep(0.02)`.execute(db)
  await assert.rejects(sql`select ${1}::int / 0`.execute(db))
  assert.deepEqual(
    lines.map(({ statement }) => statement),
    ['select $1::text, pg_sleep(0.02)', 'select $1::int / 0'],
  )
  assert.ok(lines[0]!.milliseconds >= 20)
  await pool.end()
})

test('a silent connection is given up and replaced, in a transaction too', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const connections = new Set<{ silent: boolean }>()
  const tunnel = await openTunnel(database.connection, (client, server) => {
    const connection = { silent: false }
    connections.add(connection)
    client.on('data', (piece) => connection.silent || server.write(piece)).on('close', () => server.destroy())
    server.on('data', (piece) => connection.silent || client.write(piece))
  })
  const { db, pool } = openDatabase(tunnel.connection, 1, { timeout: 300 })
  const ask = (on: Database) => sql`select ${1}::int`.execute(on)
  for (const work of [() => ask(db), () => db.transaction().execute(ask)]) {
    await ask(db)
    for (const connection of connections) connection.silent = true
    const passing = setInterval(() => t.mock.timers.tick(300), 10)
    await assert.rejects(work(), isUnreachable)
    clearInterval(passing)
    await ask(db)
  }
  await pool.end()
  await tunnel.close()
})

test('a server that cannot be connected to is unreachable, whatever the error of the network', async () => {
  const ways = [
    'postgres://nobody@127.0.0.1:1/x',
    'postgres://nobody@nowhere.invalid/x',
    'postgres://nobody@240.0.0.1/x',
    'postgres://nobody@[100::1]/x',
    'postgres://nobody@255.255.255.255/x',
    `postgres://nobody@localhost/x?host=${encodeURIComponent('/no/such/folder')}`,
    `postgres://nobody@localhost/x?host=${encodeURIComponent(import.meta.filename)}`,
  ]
  for (const connectionString of ways) {
    const { db, pool } = openDatabase({ connectionString }, 1)
    await assert.rejects(sql`select 1`.execute(db), isUnreachable, connectionString)
    await pool.end()
  }
})

test('an error of another service or of a file is no failure of the database, even in the same words', async () => {
  const file = await readFile('/no/such/folder').catch((error: unknown) => error)
  const elsewhere = connect(1, '127.0.0.1')
  const [refused] = (await once(elsewhere, 'error')) as unknown[]
  const words = ['53300', '57P01', '25006', '08006', 'ENOENT'].map((code) => Object.assign(new Error('x'), { code }))
  for (const error of [file, refused, ...words]) {
    assert.ok(error instanceof Error)
    assert.ok(!isUnreachable(error) && !isOutOfService(error), String((error as { code?: string }).code))
  }
})

test('errors that describe the server’s state mean that it is out of service, others do not', async () => {
  const { db, pool } = openDatabase(database.connection, 1)
  const raise = (code: string, text = 'x') =>
    sql.raw(`do $$ begin raise exception '${text}' using errcode = '${code}'; end $$`).execute(db)
  for (const code of ['53000', '53100', '53200', '53400', '58000', '58030'])
    await assert.rejects(raise(code), isOutOfService)
  for (const code of ['08003', '08006', '53300', '57P01', '57P04', '57P05', '25P03', '25P04'])
    await assert.rejects(raise(code), isUnreachable)
  const lost = [
    'postmaster was shut down, exiting',
    'terminating connection due to unexpected postmaster exit',
    'failure on connection marked as essential: 127.0.0.1:5802',
  ]
  for (const text of lost) await assert.rejects(raise('XX000', text), isUnreachable)
  for (const code of ['23505', '42P01', '22000', '57014', 'XX000'])
    await assert.rejects(raise(code), (error) => !isUnreachable(error) && !isOutOfService(error))
  await pool.end()
})

test('a violated constraint has its name in any language of the server, and through Citus from the message', async () => {
  const fail = (message: string, extra = '') =>
    sql`do ${sql.lit(`begin raise exception using errcode = '23505', message = '${message}'${extra}; end`)}`
      .execute(database.db)
      .then(() => undefined, violatedConstraint)
  const german = 'doppelter Schlüsselwert verletzt Unique-Constraint »lots_number«'
  assert.equal(await fail(german, `, constraint = 'lots_number'`), 'lots_number')
  const ofShard = 'duplicate key value violates unique constraint "lots_number_102008"'
  assert.equal(await fail(ofShard), 'lots_number')
  assert.equal(violatedConstraint(new Error(ofShard)), undefined)
})

test('a connection to a server that has become read-only is replaced, so that its successor is found', async () => {
  const { db, pool } = openDatabase(database.connection, 1)
  const write = (on: Database) => sql`create table written (x int)`.execute(on)
  const own = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
  const makeReadOnly = () => sql`set default_transaction_read_only = on`.execute(db)
  const uses: (() => Promise<unknown>)[] = [
    () => write(db),
    () => db.transaction().execute(write),
    () => pool.query('create table written (x int)'),
  ]
  for (const use of uses) {
    const before = await own()
    await makeReadOnly()
    assert.equal(await own(), before)
    await assert.rejects(use(), (error) => isReadOnly(error) && isOutOfService(error))
    assert.notEqual(await own(), before)
    await use()
    await sql`drop table written`.execute(db)
  }
  await pool.end()
})

test('session settings in the URL of the database change none that the service relies on', async () => {
  const show = async (connection: Connection) => {
    const { db, pool } = openDatabase(connection, 1, { applicationName: 'ours' })
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name in ('client_encoding', 'TimeZone', 'DateStyle', 'statement_timeout', 'jit',
        'idle_in_transaction_session_timeout', 'random_page_cost', 'plan_cache_mode', 'application_name', 'work_mem')
      order by name`.execute(db)
    await pool.end()
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  }
  const plain = await show(database.connection)
  assert.deepEqual(
    [plain['TimeZone'], plain['statement_timeout'], plain['idle_in_transaction_session_timeout']],
    ['UTC', '30000', '60000'],
  )
  const address = new URL(urlOf(database.connection))
  const options = { timezone: 'Asia/Tokyo', datestyle: 'SQL,DMY', jit: 'on', random_page_cost: '9', work_mem: '8MB' }
  const flags = Object.entries(options).map(([name, value]) => `-c ${name}=${value}`)
  address.searchParams.set('options', [...flags, '-c plan_cache_mode=force_custom_plan'].join(' '))
  address.searchParams.set('statement_timeout', '60000')
  address.searchParams.set('idle_in_transaction_session_timeout', '0')
  address.searchParams.set('application_name', 'theirs')
  address.searchParams.set('client_encoding', 'LATIN1')
  assert.deepEqual(await show({ connectionString: address.href }), { ...plain, work_mem: '8192' })
})

test('a migration waits without a time-out, and afterwards the connection has its time-out again', async () => {
  const { db, pool } = openDatabase(database.connection, 2)
  await migrate({ db, pool })
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)
  assert.deepEqual(rows, [{ statement_timeout: '30s' }])
  await pool.end()
})
