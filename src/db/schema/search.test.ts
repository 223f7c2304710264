import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../test/support/database.ts'
import { listJobs } from '../../jobs/jobs.ts'
import { findMigrations, migrate, rebuildSchema } from './migrate.ts'

const database = await createTestDatabase()
after(() => database.drop())

test('an upgrade from words in tables deletes the job that indexed them, and no other', async () => {
  const { db } = database
  const before = (await findMigrations(db)).filter((name) => name < '0027')
  await db.transaction().execute((tx) => rebuildSchema(tx, before))
  for (const task of ['index_search', 'number_changes'])
    await sql`select graphile_worker.add_job(${task}::text, job_key => ${task}::text)`.execute(db)
  await migrate(database)
  assert.deepEqual(
    (await listJobs(db, { failed: false })).map(({ task }) => task),
    ['number_changes'],
  )
})
