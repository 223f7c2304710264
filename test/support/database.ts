import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection, Database } from '../../src/db/pool.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { askFor } from './shared-fixtures.ts'

/** The addresses of the workers (`host:port`), if the server of this test run is the coordinator of Citus. */
export const findWorkers = () => process.env.TEST_CITUS_WORKERS?.split(' ') ?? []

const { TEST_DATABASE_URL: url } = process.env
/**
 * The migrated database that every test file clones. test/support/global-setup.ts starts its server, template.ts
 * fills it. Runs with different databases in their URLs do not meet.
 */
export const template = `${url === undefined ? 'catalogue' : new URL(url).pathname.slice(1)}_template`

if (url === undefined) process.env.TEST_DATABASE_HOST ??= await askFor('database')

/** The server of this test run, or the worker of Citus at this address. */
export function testServer(database: string, worker?: string): Connection {
  if (url !== undefined) {
    const parts = { pathname: `/${database}`, ...(worker !== undefined && { host: worker }) }
    return { connectionString: Object.assign(new URL(url), parts).href }
  }
  return { host: process.env.TEST_DATABASE_HOST!, user: 'catalogue', database }
}

/** Uses a database with its own connection. */
export async function withDatabase<T>(connection: Connection, use: (db: Database) => Promise<T>): Promise<T> {
  const { db, pool } = openDatabase(connection, 1)
  try {
    return await use(db)
  } finally {
    await pool.end()
  }
}

/** Runs a statement about databases, on every node of Citus: each node has its part of a database. */
export async function administer(statement: string): Promise<void> {
  for (const worker of [undefined, ...findWorkers()])
    await withDatabase(testServer('postgres', worker), (db) => untilFree(() => sql.raw(statement).execute(db)))
}

// Several files may clone at the same moment, but only one connection can read the template. The daemons of Citus
// reconnect to it.
async function untilFree(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('being accessed')) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** A database of its own for a test file: migrated, empty, dropped by `drop()`. */
export async function createTestDatabase() {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const connection = testServer(name)
  const { db, pool } = openDatabase(connection, 10)
  return {
    db,
    pool,
    connection,
    async drop() {
      // Citus finishes within a minute the commits that a lost connection left between their two phases.
      if (findWorkers().length > 0) await sql`select recover_prepared_transactions()`.execute(db)
      await pool.end()
      await administer(`drop database ${name} with (force)`)
    },
  }
}
