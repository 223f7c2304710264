import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../test/support/database.ts'

// The conditions of Citus on the schema (docs/scaling.md), checked on any server.

const { db, drop } = await createTestDatabase()
after(drop)

const migrations = path.join(import.meta.dirname, 'migrations')
const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql'))
const texts = await Promise.all(files.map((file) => readFile(path.join(migrations, file), 'utf8')))

const { rows: owned } = await sql<{ name: string }>`
  select table_name as name from information_schema.columns
  where table_schema = 'catalogue' and column_name = 'house_id' and table_name <> 'api_keys'`.execute(db)
const ownedNames = sql.join(owned.map(({ name }) => name))

test('each table of a house is distributed by it when it is created', () => {
  assert.ok(owned.length > 15)
  for (const { name } of owned) {
    const creation = new RegExp(
      `^create (?:unlogged )?table catalogue\\.${name} \\([^;]*\\)(?: with \\([^;]*\\))?;\n(?:alter table catalogue\\.${name} alter column \\w+ set storage \\w+;\n)?-- citus: select create_distributed_table\\('catalogue\\.${name}', 'house_id'\\);$`,
      'm',
    )
    assert.ok(
      texts.some((text) => creation.test(text)),
      name,
    )
  }
})

test('no table of a house is unlogged on Citus, because its shards could not move', () => {
  const unlogged = owned.filter(({ name }) =>
    texts.some((text) => text.includes(`create unlogged table catalogue.${name} `)),
  )
  assert.ok(unlogged.length > 0)
  for (const { name } of unlogged)
    assert.ok(
      texts.some((text) => text.includes(`\n-- citus: alter table catalogue.${name} set logged;\n`)),
      name,
    )
})

test('each migration changes the nodes one after another, and has only plain statements', () => {
  for (const text of texts) {
    assert.match(
      text,
      /^(--.*\n)*set local citus\.enable_local_reference_table_foreign_keys = off;\nset local citus\.multi_shard_modify_mode = 'sequential';$/m,
    )
    // A statement ends at a semicolon at the end of a line: there the text is split.
    assert.doesNotMatch(text, /\$\$|create (or replace )?(function|trigger)|;[ \t]*--|^[^-\n].*;.*;$/m)
    // Citus refuses it for a table that is distributed.
    assert.doesNotMatch(text, /\bset storage \w+;\n(?!-- citus: select create_distributed_table)/)
  }
})

test('every key, unique constraint and reference of a house’s table begins with the house', async () => {
  // A GIN index has hashes, and the hash of each key begins with the house.
  const { rows } = await sql<{ name: string; definition: string }>`
    select conrelid::regclass || '.' || conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid left join pg_class target on target.oid = c.confrelid
    where c.connamespace = 'catalogue'::regnamespace and t.relname in (${ownedNames}) and contype in ('p', 'u', 'f')
      and (contype <> 'f' or target.relname in (${ownedNames}))
    union all
    select indexrelid::regclass::text, regexp_replace(pg_get_indexdef(indexrelid), '^.* USING [a-z]+ ', '')
    from pg_index join pg_class t on t.oid = indrelid join pg_class i on i.oid = indexrelid join pg_am on pg_am.oid = i.relam
    where t.relnamespace = 'catalogue'::regnamespace and t.relname in (${ownedNames}) and amname <> 'gin'`.execute(db)
  assert.ok(rows.length > 60)
  for (const { name, definition } of rows) {
    assert.match(definition, /^[A-Z ]*\(house_id/, name)
    assert.doesNotMatch(definition, /ON DELETE SET|DEFERRABLE/, name)
  }
})

test('the name of a constraint is short and does not end like a shard suffix', async () => {
  // The shards of reference tables are on the coordinator of Citus too.
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint join pg_class t on t.oid = conrelid
    where connamespace = 'catalogue'::regnamespace and t.relname !~ '[0-9]$'
    union select indexrelid::regclass::text from pg_index join pg_class t on t.oid = indrelid
    where t.relnamespace = 'catalogue'::regnamespace and t.relname !~ '[0-9]$'`.execute(db)
  assert.ok(rows.length > 80)
  for (const { name } of rows) assert.match(name.replace('catalogue.', ''), /^.{0,49}[^0-9]$/)
})
