import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection, Database } from '../../src/db/pool.ts'
import { openDatabase } from '../../src/db/pool.ts'

/** The server and the migrated database that every test file clones; test/support/global-setup.ts starts and fills it. */
export const template = 'catalogue_template'

/** The server of this test run. */
export function testServer(database: string): Connection {
  const url = process.env.TEST_DATABASE_URL
  if (url !== undefined) return { connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href }
  const host = process.env.TEST_DATABASE_HOST
  if (host === undefined) throw new Error('run the tests with npm test, which starts their database')
  return { host, user: 'catalogue', database }
}

/** A database of its own for a test file: migrated, empty, dropped by `drop()`. */
export async function createTestDatabase() {
  const admin = openDatabase(testServer('postgres'), 1)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await createClone(admin.db, name)
  const connection = testServer(name)
  const { db, pool } = openDatabase(connection, 10)
  return {
    db,
    pool,
    connection,
    async drop() {
      await pool.end()
      await sql.raw(`drop database ${name} with (force)`).execute(admin.db)
      await admin.pool.end()
    },
  }
}

/** The address of a database for processes of their own. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, user, database } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}

// Two files may clone at the same moment, and the template can be read by one only.
async function createClone(admin: Database, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.raw(`create database ${name} template ${template}`).execute(admin)
      return
    } catch (error) {
      if (attempt === 50 || !(error instanceof Error) || !error.message.includes('being accessed')) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
