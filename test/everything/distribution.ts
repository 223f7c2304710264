import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findWorkers } from '../support/database.ts'
import { findUncalled, service } from './service.ts'

// The conditions of Citus on statements (docs/scaling.md), checked on any server: the service does everything that the
// program can do, and each statement is checked.
const { enqueue } = await import('../../src/jobs/queue.ts')
const { inTransaction } = await import('../../src/writes/transaction.ts')

const { rows } = await sql<{ name: string }>`
  select table_name as name from information_schema.columns
  where table_schema = 'catalogue' and column_name = 'house_id' and table_name <> 'api_keys'`.execute(service.db)
const owned = rows.map(({ name }) => name)
const distinct = new Map(service.statements.map((statement) => [statement.text, statement]))
const statements = [...distinct.values()].filter(({ text }) => tablesOf(text).length > 0 && !text.startsWith('analyze'))

function plain(text: string): string {
  return text.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim()
}

/** The tables of houses in a statement, with repetitions. Tables that only give a type to values are left out. */
function tablesOf(text: string): string[] {
  const named = plain(text).matchAll(/(?<!::)\bcatalogue\.(\w+)/g)
  return Array.from(named, ([, name]) => name!).filter((name) => owned.includes(name))
}

test('every function that makes a statement about the records of a house was called here', async () => {
  const uncalled = await findUncalled(/\bsql(<.*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/)
  // They belong to no house: the schema and its generation, the nodes, the queue, the windows of keys, the statistics of
  // tables, backups.
  const others =
    /db\/(schema\/migrate|generation|nodes)\.ts|jobs\/statements\.ts|access\/statements\.ts|analyzeTable$|analyzeChanges$|holdFiles$|readServer$/
  assert.deepEqual(
    uncalled.filter((name) => !others.test(name)),
    [],
  )
})

test('each table of a statement has its own condition on the house', () => {
  assert.ok(statements.length > 100)
  for (const { text } of statements) {
    const inserts = Array.from(plain(text).matchAll(/insert into catalogue\.\w+ \((.*?)\)/g), ([, columns]) => columns!)
    for (const columns of inserts) assert.match(columns, /\bhouse_id\b/, text)
    const conditions = plain(text).match(/\bhouse_id = \$\d/g) ?? []
    assert.ok(conditions.length >= tablesOf(text).length - inserts.length, text)
    assert.doesNotMatch(plain(text), /\bset ((?!\bwhere\b).)*\bhouse_id = /, text)
  }
})

test('no statement has a form that Citus refuses, or answers differently', () => {
  for (const { text } of statements) {
    const words = plain(text).toLowerCase()
    assert.doesNotMatch(words, /\bmerge into\b|\bas \(\s*insert into\b/, text)
    assert.doesNotMatch(words, /\bpg_(notify|advisory\w*)\b|\bgraphile_worker\b|\bset_config\b/, text)
    assert.doesNotMatch(words, /\breturning [^()]*\(/, text)
    // With a conflict, the row count is that of the given rows.
    if (/\bon conflict do nothing\b/.test(words)) assert.match(words, /\bon conflict do nothing returning \w+$/, text)
    // With a parameter as the house, it reads no table.
    if (/^insert into \S+ \([^()]*\) select \$/.test(words)) assert.equal(tablesOf(text).length, 1, text)
    if (!/\b(insert into|update|delete from) catalogue\./.test(words)) continue
    // The coordinator reads the clock for an INSERT of values.
    const isPlainInsert = /^insert into \S+ \([^()]*\) values (?!.*\bon conflict\b)/.test(words)
    assert.doesNotMatch(
      isPlainInsert ? words.replaceAll('clock_timestamp()', '') : words,
      /\b(now|random|clock_timestamp|statement_timestamp|timeofday|gen_random_uuid|nextval)\(/,
      text,
    )
    assert.doesNotMatch(words, /\bcurrent_(timestamp|date|time)\b/, text)
    // A time plus an interval depends on the time zone of the session, unless it is taken out of it first.
    if (/\b(case|coalesce)\b/.test(words))
      assert.doesNotMatch(words, /(?<! at time zone 'utc') \+ (make_)?interval\b/, text)
  }
})

const skip = findWorkers().length === 0 && 'it is about Citus'

test('a change of records and its job are committed in two phases', { skip }, async () => {
  const notices: string[] = []
  service.pool.on('acquire', (client) => client.on('notice', ({ message }) => notices.push(String(message))))
  await service.db.transaction().execute(async (tx) => {
    await sql`set local citus.log_remote_commands = on`.execute(tx)
    await sql`update catalogue.items set title = 'x' where house_id = 1`.execute(tx)
    await enqueue(tx, 'delete_media', { keys: [] })
  })
  assert.ok(
    notices.some((notice) => notice.startsWith('issuing PREPARE TRANSACTION')),
    notices.join('\n'),
  )
})

test(
  'a transaction about a house keeps the house on its worker, together with all the locked rows',
  { skip },
  async () => {
    const held = await inTransaction({ db: service.db, house: { id: '1' } }, async ({ db }) => {
      // A move of the shard waits for these locks: resource_lock.h of Citus has the numbers.
      const shards = sql`select from pg_locks
      where pid = pg_backend_pid() and locktype = 'advisory' and objsubid = 8 and mode = 'ShareLock'`
      return (await shards.execute(db)).rows.length
    })
    assert.ok(held > 0)
  },
)

test('one worker answers every statement', { skip }, async (t) => {
  const client = await service.pool.connect()
  t.after(() => client.release())
  for (const { text, values } of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    // The rows of an INSERT … SELECT of parameters go to the worker of their house.
    assert.match(plan, /Task Count: 1$|INSERT\/SELECT method: pull to coordinator$/m, `${text}\n${plan}`)
    assert.doesNotMatch(plan, /Distributed Subplan/, `${text}\n${plan}`)
  }
})
