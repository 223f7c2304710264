import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { acquireEmbeddedServer, type EmbeddedServer } from '../../src/db/embedded/server.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { template, testServer } from './database.ts'

let folder: string | undefined
let server: EmbeddedServer | undefined

/** Starts a PostgreSQL for the whole run (or uses the one of TEST_DATABASE_URL) and makes the database that tests clone. */
export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL === undefined) {
    folder = await mkdtemp(path.join(tmpdir(), 'catalogue-test-'))
    server = await acquireEmbeddedServer(folder, { durable: false })
    process.env.TEST_DATABASE_HOST = server.connection.host
  }
  const admin = openDatabase(testServer('postgres'), 1)
  await sql.raw(`drop database if exists ${template}`).execute(admin.db)
  await sql.raw(`create database ${template}`).execute(admin.db)
  await admin.pool.end()
  const { db, pool } = openDatabase(testServer(template), 2)
  await migrate({ db, pool })
  await pool.end()
}

/** Stops it again. */
export async function globalTeardown(): Promise<void> {
  await server?.release()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}
