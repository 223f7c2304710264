import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import { Migrator, sql, type Migration } from 'kysely'
import type { Pool } from 'pg'
import { errorCode, isRetryable } from '../errors.ts'
import { lastUuid } from '../../values/ids.ts'
import type { Database } from '../pool.ts'
import { locks } from '../advisory-locks.ts'

const folder = path.join(import.meta.dirname, 'migrations')

// A migration that waits for a table blocks every later statement on it, also those of the serving version. After a
// second the server may abort one of those as a deadlock.
const lockMilliseconds = 500
const attempts = 6
const lockNotAvailable = '55P03'

// Each statement is sent alone: Citus passes a text on as it is, and its workers refuse several statements in one.
function splitStatements(text: string): string[] {
  const statements = text.replaceAll(/^--.*$/gm, '').split(/;\s*$/m)
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

async function readMigrations(db: Database): Promise<Record<string, Migration>> {
  const citus = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations: Record<string, Migration> = {}
  for (const file of files) {
    const text = (await readFile(path.join(folder, file), 'utf8')).replaceAll(`:'last_uuid'`, `'${lastUuid}'`)
    const statements = splitStatements(citus.rows.length > 0 ? text.replaceAll(/^-- citus: /gm, '') : text)
    migrations[path.basename(file, '.sql')] = {
      up: async (tx) => {
        // Without this, Citus does not pass settings on to its workers.
        await sql`set local citus.propagate_set_commands = 'local'`.execute(tx)
        await sql.raw(`set local lock_timeout = '${lockMilliseconds}'`).execute(tx)
        for (const statement of statements) await sql.raw(statement).execute(tx)
      },
    }
  }
  // A newer version may have migrated further. Its migrations only add, so this version still works.
  for (const name of await findExecuted(db)) migrations[name] ??= { up: async () => undefined }
  return migrations
}

async function findExecuted(db: Database): Promise<string[]> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('catalogue.kysely_migration') is not null as found`.execute(db)
  if (!rows[0]!.found) return []
  const executed = await sql<{ name: string }>`select name from catalogue.kysely_migration`.execute(db)
  return executed.rows.map(({ name }) => name)
}

function createMigrator(db: Database, connection = db) {
  const provider = { getMigrations: () => readMigrations(db) }
  return new Migrator({ db: connection, provider, migrationTableSchema: 'catalogue' })
}

// No time-out: a migration may take long, and another instance waits for it.
async function migrateUnhurried({ db, pool }: { db: Database; pool: Pool }) {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ timeout: string }>`
      select current_setting('statement_timeout') as timeout, set_config('statement_timeout', '0', false)`.execute(
      connection,
    )
    try {
      for (let attempt = 1; ; attempt++) {
        const { error, results = [] } = await createMigrator(db, connection).migrateToLatest()
        if (error === undefined) {
          await migrateQueue(connection, pool)
          return results
        }
        const disorder = await findDisorder(connection)
        if (disorder !== undefined) throw new Error(disorder, { cause: error })
        if (attempt === attempts || !(isRetryable(error) || errorCode(error) === lockNotAvailable)) throw error
        await sleep(lockMilliseconds)
      }
    } finally {
      await sql`select set_config('statement_timeout', ${rows[0]!.timeout}, false)`.execute(connection)
    }
  })
}

// The library's migrations sometimes fail when several instances run them at once.
async function migrateQueue(connection: Database, pool: Pool) {
  await sql`select pg_advisory_lock(${locks.queue})`.execute(connection)
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await sql`select pg_advisory_unlock(${locks.queue})`.execute(connection)
  }
}

/**
 * Brings the schema and the tables of the job queue up to date. Returns the names of the migrations that it ran. Several
 * instances may call it at once: one migrates, and the others wait.
 * @throws Error if a table is in use for some seconds, or no release made the schema; then nothing has changed
 */
export async function migrate(database: { db: Database; pool: Pool }): Promise<string[]> {
  const results = await migrateUnhurried(database)
  return results.map((result) => result.migrationName)
}

/** The migrations that have run, in their order. */
export async function findMigrations(db: Database): Promise<string[]> {
  return (await findExecuted(db)).toSorted()
}

/** Blocks migrations by other processes until the connection ends. */
export async function holdMigrations(connection: Database): Promise<void> {
  const table = { lockTable: '', lockRowId: '' }
  await connection.getExecutor().adapter.acquireMigrationLock(connection, table)
}

const migratorTables = [
  'create schema catalogue',
  'create table catalogue.kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)',
  'create table catalogue.kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null)',
  "insert into catalogue.kysely_migration_lock (id) values ('migration_lock')",
]

/**
 * Rebuilds the schema of a catalogue without records with exactly these migrations.
 * @throws Error if this version has others
 */
export async function rebuildSchema(tx: Database, names: string[]): Promise<void> {
  await sql`drop schema catalogue cascade`.execute(tx)
  const migrations = await readMigrations(tx)
  const own = Object.keys(migrations).toSorted()
  const unknown = names.find((name, index) => name !== own[index])
  if (unknown !== undefined)
    throw new Error(`this version of the program has no migration ${unknown}: take a newer one`)
  // The library's migrator takes no transaction. These are its tables.
  for (const statement of migratorTables) await sql.raw(statement).execute(tx)
  for (const name of names) {
    await migrations[name]!.up(tx)
    const at = new Date().toISOString()
    await sql`insert into catalogue.kysely_migration (name, timestamp) values (${name}, ${at})`.execute(tx)
  }
}

/** The migrations of this version that have not run. The database may have more. */
export async function findPendingMigrations(db: Database): Promise<string[]> {
  const migrations = await createMigrator(db).getMigrations()
  return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

/**
 * Says which migration ran before one that comes first, as between two releases; undefined if all ran in their order. No
 * version can then tell what the schema is.
 */
export async function findDisorder(db: Database): Promise<string | undefined> {
  const migrations = await createMigrator(db).getMigrations()
  const executed = migrations
    .filter(({ executedAt }) => executedAt !== undefined)
    .toSorted((one, other) => one.executedAt!.getTime() - other.executedAt!.getTime())
  const index = executed.findIndex(({ name }, place) => name !== migrations[place]!.name)
  if (index === -1) return undefined
  return `no release made this schema, in which ${executed[index]!.name} ran before ${migrations[index]!.name}: export each house with the program that made it, and load it into an empty database`
}

/** Whether every migration of this version has run. */
export async function isMigrated(db: Database): Promise<boolean> {
  return (await findPendingMigrations(db)).length === 0
}
