import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Pool } from 'pg'
import type { Database } from './pool.ts'

const folder = path.join(import.meta.dirname, 'migrations')

async function readMigrations(db: Database): Promise<Record<string, Migration>> {
  const citus = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations: Record<string, Migration> = {}
  for (const file of files) {
    const text = await readFile(path.join(folder, file), 'utf8')
    const statements = citus.rows.length > 0 ? text.replaceAll(/^-- citus: /gm, '') : text
    migrations[path.basename(file, '.sql')] = {
      up: async (tx) => {
        await sql.raw(statements).execute(tx)
      },
    }
  }
  return migrations
}

function createMigrator(db: Database) {
  return new Migrator({ db, provider: { getMigrations: () => readMigrations(db) }, migrationTableSchema: 'catalogue' })
}

/**
 * Brings the schema and the job queue's tables up to date and gives the names of the migrations it ran. Several
 * machines may call it at once: one migrates, the others wait and find nothing left to do.
 */
export async function migrate({ db, pool }: { db: Database; pool: Pool }): Promise<string[]> {
  const { error, results } = await createMigrator(db).migrateToLatest()
  if (error) throw error
  await runMigrations({ pgPool: pool })
  return (results ?? []).map((result) => result.migrationName)
}

/** Whether every migration of this version has run on the database. */
export async function isMigrated(db: Database): Promise<boolean> {
  const migrations = await createMigrator(db).getMigrations()
  return migrations.every((migration) => migration.executedAt !== undefined)
}
