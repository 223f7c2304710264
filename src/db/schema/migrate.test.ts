import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { administer, testServer, withDatabase } from '../../../test/support/database.ts'
import { isMigrated, migrate } from './migrate.ts'
import { openDatabase } from '../pool.ts'

test('instances that start at once on an empty database all find it migrated, with its queue', async () => {
  for (let round = 0; round < 2; round++) {
    const name = `empty_${randomUUID().replaceAll('-', '')}`
    await administer(`create database ${name} template template0`)
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const database = openDatabase(testServer(name), 2)
        try {
          await migrate(database)
        } finally {
          await database.pool.end()
        }
      }),
    )
    await withDatabase(testServer(name), async (db) => {
      assert.ok(await isMigrated(db))
      await sql`select graphile_worker.add_job('delete_media', '{"keys": []}')`.execute(db)
    })
    await administer(`drop database ${name} with (force)`)
  }
})
