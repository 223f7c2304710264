import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { urlOf } from '../../../test/support/address.ts'
import { administer, createTestDatabase, testServer, withDatabase } from '../../../test/support/database.ts'
import { createDataDir, runCommand, runProcess } from '../../../test/support/process.ts'
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

test('a schema whose migrations ran in another order than that of the releases is refused in words, and not changed', async (t) => {
  const database = await createTestDatabase()
  const folder = await createDataDir()
  t.after(() => Promise.all([database.drop(), folder.remove()]))
  await withDatabase(database.connection, async (db) => {
    await sql`update catalogue.kysely_migration set timestamp = '2099-01-01T00:00:00.000Z' where name like '0017%'`.execute(
      db,
    )
  })
  const settings = { DATABASE_URL: urlOf(database.connection), DATA_DIR: folder.dataDir }
  const says = 'no release made this schema, in which 0018-search ran before 0017-sources: export each house'
  for (const words of [['migrate'], ['houses', 'list'], ['serve']]) {
    const { code, stderr } = await (words[0] === 'serve' ? runProcess : runCommand)(settings, ...words)
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`^error: ${says}[^\\n]*\\n$`))
  }
  const { code, stdout } = await runCommand(settings, 'doctor', '--installation')
  assert.equal(code, 1)
  assert.match(stdout, new RegExp(`^wrong +migrations +${says}`, 'm'))
})
