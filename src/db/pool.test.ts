import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createTestDatabase, urlOf } from '../../test/database.ts'
import { isUnreachable } from './errors.ts'
import { openDatabase, type Database } from './pool.ts'

const database = await createTestDatabase()
after(() => database.drop())

test('a connection that has prepared a hundred statements is replaced, so that no server process grows without end', async () => {
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

/** A way to the database of which each connection that there is can fall silent, as when a network path goes away. */
async function openTunnel() {
  const target = new Client(database.connection)
  const address = new URL(urlOf(database.connection))
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-tunnel-'))
  const connections = new Set<{ silent: boolean }>()
  const tunnel = createServer((client) => {
    const connection = { silent: false }
    connections.add(connection)
    const server = target.host.startsWith('/')
      ? connect(path.join(target.host, `.s.PGSQL.${target.port}`))
      : connect(target.port, target.host)
    client.on('data', (piece) => connection.silent || server.write(piece))
    server.on('data', (piece) => connection.silent || client.write(piece))
    client.on('error', () => undefined).on('close', () => server.destroy())
    server.on('error', () => undefined).on('close', () => client.destroy())
  }).listen(path.join(folder, '.s.PGSQL.5432'))
  await once(tunnel, 'listening')
  address.port = ''
  address.searchParams.set('host', folder)
  return {
    connection: { connectionString: address.href },
    silence() {
      for (const connection of connections) connection.silent = true
    },
    async close() {
      tunnel.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

test('a connection that falls silent is given up and replaced, in a transaction too', async () => {
  const tunnel = await openTunnel()
  const { db, pool } = openDatabase(tunnel.connection, 1, { patience: 300 })
  const ask = (on: Database) => sql`select ${1}::int`.execute(on)
  for (const work of [() => ask(db), () => db.transaction().execute(ask)]) {
    await ask(db)
    tunnel.silence()
    await assert.rejects(work(), isUnreachable)
    await ask(db)
  }
  await pool.end()
  await tunnel.close()
})
