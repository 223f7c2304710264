import { sql, type RawBuilder } from 'kysely'
import { readDatabaseClock } from '../writes/time.ts'
import type { Database } from '../db/pool.ts'
import { longestRow } from './archive.ts'

/** A table in an archive: its columns in order, and the column that a sequence numbers. */
export type Table = { name: string; columns: string[]; identity: string | null }

/**
 * The tables of the catalogue, each after those that it refers to. Excludes tables that belong to the database itself:
 * its migrations, its generation, unlogged tables, the documents of items, which are logged on Citus, and the index of
 * the search, which is made anew.
 */
export async function findTables(db: Database): Promise<Table[]> {
  const { rows } = await sql<Table & { parents: string[] }>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      max(a.attname::text) filter (where a.attidentity <> '') as identity,
      array(select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'catalogue'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname not like 'kysely%' and c.relname not in ('generation', 'item_documents') and c.relname not like 'search\\_%'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.oid, c.relname order by c.relname`.execute(db)
  const ordered: Table[] = []
  const waiting = new Map(rows.map((row) => [row.name, row]))
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ parents }) => !parents.some((parent) => waiting.has(parent)))
    if (!next) throw new Error(`tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    const { parents: _, ...table } = next
    ordered.push(table)
    waiting.delete(table.name)
  }
  return ordered
}

const place = (table: Pick<Table, 'name'>) => sql.table(`catalogue.${table.name}`)
const list = (names: string[]) => sql.join(names.map((name) => sql.ref(name)))

// An escaped byte of the text takes two in a part.
const longestAnswer = longestRow / 2 - 1024 * 1024

/** The COPY that reads all rows of a table, without the remembered answers that are too long for a part. */
export function copyTableOut(table: Table): RawBuilder<unknown> {
  if (table.name !== 'idempotency_keys') return sql`copy ${place(table)} (${list(table.columns)}) to stdout`
  return sql`copy (select ${list(table.columns)} from ${place(table)}
    where coalesce(octet_length(body), 0) <= ${sql.lit(longestAnswer)}) to stdout`
}

/** The COPY that writes them. */
export function copyTableIn(table: Table): RawBuilder<unknown> {
  return sql`copy ${place(table)} (${list(table.columns)}) from stdin`
}

/**
 * Locks the tables against other writers until the transaction ends. `share` lets other transactions take the same
 * lock.
 * @throws DatabaseError if other transactions keep writing for longer than `seconds`
 */
export async function lockTables(
  tx: Database,
  tables: Table[],
  mode: 'share' | 'share row exclusive',
  seconds: number,
): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(`${seconds}s`)}`.execute(tx)
  await sql`lock table ${sql.join(tables.map(place))} in ${sql.raw(mode)} mode`.execute(tx)
}

/** Whether all tables are empty. */
export async function areEmpty(db: Database, tables: Table[]): Promise<boolean> {
  for (const table of tables) {
    const { rows } = await sql`select from ${place(table)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** The state of the sequence that numbers a table's rows. */
type Counter = { last_value: string; is_called: boolean }

const sequenceOf = async (db: Database, { name, identity }: Table) => {
  const { rows } = await sql<{ sequence: string }>`
    select pg_get_serial_sequence(${`catalogue.${name}`}, ${identity}) as sequence`.execute(db)
  return rows[0]!.sequence
}

/** The counters of all tables with a sequence. Read them after the snapshot. */
export async function readCounters(db: Database, tables: Table[]): Promise<Record<string, Counter>> {
  const counters: Record<string, Counter> = {}
  for (const table of tables.filter(({ identity }) => identity !== null)) {
    const { rows } = await sql<Counter>`
      select last_value::text, is_called from ${sql.raw(await sequenceOf(db, table))}`.execute(db)
    counters[table.name] = rows[0]!
  }
  return counters
}

/** Sets a table's counter, so that its next row continues the numbers. */
export async function setCounter(db: Database, table: Table, { last_value, is_called }: Counter): Promise<void> {
  const sequence = await sequenceOf(db, table)
  await sql`select setval(${sequence}::regclass, ${last_value}::bigint, ${is_called}::boolean)`.execute(db)
}

/** The highest number of a table's rows; undefined if it has none. */
export async function findHighest(db: Database, { name, identity }: Table): Promise<bigint | undefined> {
  const { rows } = await sql<{ highest: string | null }>`
    select max(${sql.ref(identity!)})::text as highest from ${place({ name })}`.execute(db)
  const highest = rows[0]!.highest
  return highest === null ? undefined : BigInt(highest)
}

/** Leaves the lots that have closed by now to staff: bids that came after the backup are lost. */
export async function leaveClosedLots(db: Database, tables: Table[]): Promise<void> {
  // An archive of an earlier version has no session whose results a job records.
  if (!tables.some(({ name, columns }) => name === 'sessions' && columns.includes('decides_from'))) return
  await sql`update catalogue.sessions set decides_from = ${await readDatabaseClock({ db })}
    where results = 'automatic' and not finished`.execute(db)
}
