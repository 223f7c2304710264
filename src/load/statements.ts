import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { kinds, type Kind, type RecordKind } from '../kinds.ts'
import { readDatabaseClock } from '../writes/time.ts'

// Tables are named as in the schema, without `catalogue.`; records are internal ids.

/** Prepares the transaction of a load, with temporary tables of what it has loaded, which may outgrow memory. */
export async function prepareLoad(tx: Database): Promise<void> {
  // A slow stream or another load of the house may keep the transaction waiting.
  await sql`select set_config(name, '0', true)
    from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) names (name)`.execute(tx)
  await sql`
    create temporary table loaded_refs (ref text primary key, kind text not null, house_id bigint not null, id bigint not null)
    on commit drop`.execute(tx)
  await sql`create temporary table loaded_items (id bigint primary key) on commit drop`.execute(tx)
}

/** Discards the connection's plans. */
export async function discardPlans(tx: Database): Promise<void> {
  await sql`discard plans`.execute(tx)
}

/** The record that a ref of the file names. `kind` is its type. */
export type Referent = { kind: string; house: string; id: string }

/** Stores the refs of a house's lines, except those that are known already. Returns how many were new. */
export async function insertRefs(
  { db, house }: Scope,
  refs: { ref: string; kind: string; id: string }[],
): Promise<number> {
  const inserted = await sql`
    insert into loaded_refs (ref, kind, house_id, id)
    select ref, kind, ${house.id}::bigint, id
    from unnest(${refs.map(({ ref }) => ref)}::text[], ${refs.map(({ kind }) => kind)}::text[],
      ${refs.map(({ id }) => id)}::bigint[]) as refs (ref, kind, id)
    on conflict do nothing`.execute(db)
  return Number(inserted.numAffectedRows)
}

/** The records that these refs name, for the known ones. */
export async function findRefs(tx: Database, refs: string[]): Promise<Map<string, Referent>> {
  const { rows } = await sql<Referent & { ref: string }>`
    select ref, kind, house_id as house, id from loaded_refs where ref = any(${refs}::text[])`.execute(tx)
  return new Map(rows.map(({ ref, ...referent }) => [ref, referent]))
}

/** Stores which items the transaction has created. */
export async function insertLoadedItems(tx: Database, items: string[]): Promise<void> {
  await sql`insert into loaded_items (id) select id from unnest(${items}::bigint[]) id`.execute(tx)
}

/** Which of these items the transaction has created. */
export async function findLoadedItems(tx: Database, items: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from loaded_items where id = any(${items}::bigint[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Whether a house has this public id. */
export async function hasHouse(tx: Database, uuid: string): Promise<boolean> {
  const house = await tx.selectFrom('catalogue.houses').select('id').where('public_id', '=', uuid).executeTakeFirst()
  return house !== undefined
}

/** The records of a kind in a house that have one of these values in a column, by the value. */
export async function findBy(
  { db, house }: Scope,
  kind: Kind,
  column: 'public_id' | 'external_reference' | 'slug',
  values: string[],
  condition = sql``,
): Promise<Map<string, string>> {
  const type = sql.raw(column === 'public_id' ? 'uuid' : 'text')
  const { rows } = await sql<{ key: string; id: string }>`
    select ${sql.ref(column)} as key, id from ${sql.table(`catalogue.${kinds[kind].plural}`)}
    where house_id = ${house.id} and ${sql.ref(column)} = any(${values}::${type}[]) ${condition}`.execute(db)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/**
 * The records of a kind in a house by public id, without those that staff have deleted. Nobody deletes them until the
 * transaction ends.
 */
export async function findKept(scope: Scope, kind: RecordKind, uuids: string[]): Promise<Map<string, string>> {
  const condition = 'deletes' in kinds[kind] ? sql`and not archived for key share` : sql``
  return findBy(scope, kind, 'public_id', uuids, condition)
}

/** The unarchived lots of a house by `<session> <number>`. */
export async function findByNumber({ db, house }: Scope, keys: string[]): Promise<Map<string, string>> {
  const pairs = keys.map((key) => key.split(' '))
  const { rows } = await sql<{ key: string; id: string }>`
    select lots.session_id || ' ' || lots.lot_number as key, lots.id
    from unnest(${pairs.map((pair) => pair[0])}::bigint[], ${pairs.map((pair) => pair[1])}::int[])
      as wanted (session_id, lot_number)
    join catalogue.lots using (session_id, lot_number)
    where lots.house_id = ${house.id} and not lots.archived`.execute(db)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** The slugs of a house's auctions that are one of these, or begin with one and a hyphen. */
export async function findSlugs({ db, house }: Scope, bases: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`
    select auctions.slug from catalogue.auctions
    join unnest(${bases}::text[]) as bases (slug)
      on auctions.slug = bases.slug or starts_with(auctions.slug, bases.slug || '-')
    where auctions.house_id = ${house.id}`.execute(db)
  return new Set(rows.map(({ slug }) => slug))
}

/** The auctions of sessions, by session. */
export async function findAuctions({ db, house }: Scope, sessions: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; auction: string }>`
    select id, auction_id as auction from catalogue.sessions
    where house_id = ${house.id} and id = any(${sessions}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, auction }) => [id, auction]))
}

/** Keeps other transactions from preparing the sessions of lots. Locks the sessions in the order of their ids. */
export async function lockSessions({ db, house }: Scope, lots: string[]): Promise<void> {
  await sql`
    select id from catalogue.sessions where house_id = ${house.id} and id in (
      select session_id from catalogue.lots where house_id = ${house.id} and id = any(${lots}::bigint[]))
    order by id for key share`.execute(db)
}

/**
 * Leaves the lots that have closed by now to staff, in those of these sessions whose results are recorded
 * automatically. Returns these sessions. By the clock of the database, as the job decides.
 */
export async function leaveClosedLots({ db, house }: Scope, sessions: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update catalogue.sessions set decides_from = ${await readDatabaseClock({ db })}
    where house_id = ${house.id} and id = any(${sessions}::bigint[]) and results = 'automatic' and kind = 'timed' and not finished
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Inserts rows with the same columns, except those that violate a unique constraint. Returns how many it inserted. */
export async function insertAll(tx: Database, table: string, rows: Record<string, unknown>[]): Promise<number> {
  const name = sql.table(`catalogue.${table}`)
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)))
  // One parameter holds all rows, so that the statement's text is constant. The row count of Citus is that of the given
  // rows, so the inserted ones are returned and counted.
  const inserted = await sql`
    insert into ${name} (${columns})
    select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)
    on conflict do nothing returning id`.execute(tx)
  return inserted.rows.length
}
