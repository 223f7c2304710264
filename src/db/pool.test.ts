import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../test/database.ts'
import { openTunnel } from '../../test/tunnel.ts'
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

test('a connection that falls silent is given up and replaced, in a transaction too', async () => {
  const connections = new Set<{ silent: boolean }>()
  const tunnel = await openTunnel(database.connection, (client, server) => {
    const connection = { silent: false }
    connections.add(connection)
    client.on('data', (piece) => connection.silent || server.write(piece)).on('close', () => server.destroy())
    server.on('data', (piece) => connection.silent || client.write(piece))
  })
  const { db, pool } = openDatabase(tunnel.connection, 1, { patience: 300 })
  const ask = (on: Database) => sql`select ${1}::int`.execute(on)
  for (const work of [() => ask(db), () => db.transaction().execute(ask)]) {
    await ask(db)
    for (const connection of connections) connection.silent = true
    await assert.rejects(work(), isUnreachable)
    await ask(db)
  }
  await pool.end()
  await tunnel.close()
})
