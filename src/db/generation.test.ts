import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { catalogueOf } from '../../test/support/lines.ts'
import { administer, template, testServer } from '../../test/support/database.ts'
import { urlOf } from '../../test/support/address.ts'
import { runCommand } from '../../test/support/process.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { readGeneration, renewGeneration } from './generation.ts'
import { openDatabase } from './pool.ts'

let service: TestService
let key: string
const admin = openDatabase(testServer('postgres'), 1)
const { slug, lines } = catalogueOf(1)

before(async () => {
  service = await startService({ records: lines })
  key = await service.issueKey(slug)
})
after(async () => {
  await service.close()
  await admin.pool.end()
})

test('maintenance of the database and reads by other users keep its generation', async () => {
  const { db } = service
  const before = await readGeneration(db)
  assert.match(before, /^[0-9a-f]{64}$/)
  for (const upkeep of ['vacuum (freeze)', 'vacuum full']) await sql.raw(`${upkeep} catalogue.generation`).execute(db)
  assert.equal(await readGeneration(db), before)
  const role = `reader_${randomUUID().replaceAll('-', '')}`
  await sql.raw(`create role ${role}`).execute(db)
  await sql.raw(`grant usage on schema catalogue to ${role}`).execute(db)
  await sql.raw(`grant select on catalogue.generation to ${role}`).execute(db)
  await db.connection().execute(async (connection) => {
    await sql.raw(`set role ${role}`).execute(connection)
    assert.equal(await readGeneration(connection), before)
    await sql`reset role`.execute(connection)
  })
  await sql.raw(`drop owned by ${role}`).execute(db)
  await sql.raw(`drop role ${role}`).execute(db)
})

test('a copy of the database has its own generation', async () => {
  const source = `source_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${source} template ${template}`)
  const read = async (name: string) => {
    const { db, pool } = openDatabase(testServer(name), 1)
    const generation = await readGeneration(db)
    await pool.end()
    return generation
  }
  await administer(`create database ${source}_copy template ${source}`)
  const original = await read(source)
  assert.equal(await read(source), original)
  assert.notEqual(await read(`${source}_copy`), original)
  for (const name of [source, `${source}_copy`]) await administer(`drop database ${name} with (force)`)
})

test('rows of a dump that are restored into the same database begin a new generation', async () => {
  const { db } = service
  const { rows } = await sql<{ value: string }>`select value from catalogue.generation`.execute(db)
  const restores = {
    'the data only': ['delete from catalogue.generation'],
    'after a truncation': ['truncate catalogue.generation'],
    'with its table': [
      'create table catalogue.again (like catalogue.generation including all)',
      'drop table catalogue.generation',
      'alter table catalogue.again rename to generation',
    ],
  }
  const generations = new Set([await readGeneration(db)])
  for (const statements of Object.values(restores)) {
    for (const statement of statements) await sql.raw(statement).execute(db)
    await sql`insert into catalogue.generation (value) values (${rows[0]!.value})`.execute(db)
    generations.add(await readGeneration(db))
  }
  assert.equal(generations.size, 1 + Object.keys(restores).length)
})

test('generation prints the present one, and generation --new begins another', async () => {
  const settings = { DATABASE_URL: urlOf(service.connection), DATA_DIR: service.dataDir }
  const before = await runCommand(settings, 'generation')
  assert.equal(before.stdout, `${await readGeneration(service.db)}\n`)
  const after = await runCommand(settings, 'generation', '--new', '--json')
  const { generation } = JSON.parse(after.stdout) as { generation: string }
  assert.notEqual(`${generation}\n`, before.stdout)
  assert.equal((await runCommand(settings, 'generation')).stdout, `${generation}\n`)
})

// The last test, since the service repeats its reads when it closes: no generation may begin within a second of that.
test('a new generation invalidates cursors, ETags and cached answers of a running service within a second', async (t) => {
  const list = '/api/v2/items?limit=1'
  const first = await service.get(list, key)
  const { next_cursor } = first.json<{ next_cursor: string }>()
  const second = `${list}&cursor=${next_cursor}`
  const condition = { 'if-none-match': String(first.headers['etag']) }
  assert.equal((await service.get(second, key)).statusCode, 200)
  assert.equal((await service.get(list, key, condition)).statusCode, 304)

  await renewGeneration(service.db)
  const { now } = performance
  t.mock.method(performance, 'now', () => now.call(performance) + 1000)
  await service.refused(second, key, 400, 'invalid-cursor')
  const again = await service.get(list, key, condition)
  assert.equal(again.statusCode, 200)
  assert.notEqual(again.headers['etag'], first.headers['etag'])
  assert.deepEqual(again.json<{ data: unknown }>().data, first.json<{ data: unknown }>().data)
  const cursor = again.json<{ next_cursor: string }>().next_cursor
  assert.equal((await service.get(`${list}&cursor=${cursor}`, key)).statusCode, 200)
})
