import type { Readable, Writable } from 'node:stream'
import { sql, type RawBuilder } from 'kysely'
import type { PoolClient } from 'pg'
import { from, to } from 'pg-copy-streams'
import { openDatabase, type Connection, type Database } from './pool.ts'

/** A connection with COPY: rows in PostgreSQL's text format. */
export type Session = {
  db: Database
  copyOut: (statement: RawBuilder<unknown>) => AsyncIterable<Buffer>
  copyIn: (statement: RawBuilder<unknown>) => Writable
}

/** Runs the work on its own connection, without time-outs of statements and transactions. */
export async function withSession<T>(connection: Connection, work: (session: Session) => Promise<T>): Promise<T> {
  const { db, pool } = openDatabase(connection, 1, { pipeline: false })
  const clients: PoolClient[] = []
  pool.on('connect', (client) => clients.push(client))
  try {
    return await db.connection().execute(async (held) => {
      await sql`select set_config(name, '0', false)
        from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) names (name)`.execute(held)
      const textOf = (statement: RawBuilder<unknown>) => statement.compile(held).sql
      return work({
        db: held,
        copyOut: (statement) => readAll(clients[0]!, textOf(statement)),
        copyIn: (statement) => clients[0]!.query(from(textOf(statement))),
      })
    })
  } finally {
    await pool.end()
  }
}

async function* readAll(client: PoolClient, text: string): AsyncGenerator<Buffer> {
  const rows: Readable = client.query(to(text))
  let isWhole = false
  try {
    yield* rows
    isWhole = true
  } finally {
    // A connection with unread rows cannot send anything, not even its end.
    if (!isWhole) destroy(client)
  }
}

function destroy(client: PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
