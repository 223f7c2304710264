import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'

/** What one transaction did to one row: the changed columns, or all of a new or deleted one. `row`: as it is now, or was. */
export type ObservedChange = {
  transaction: string
  house: string
  table: string
  columns: string[]
  row: Record<string, unknown>
  statement: string
}

/**
 * Makes the database keep every change of every table of the program, except those in `without`, in the transaction of
 * the change. The service does not know of it.
 */
export async function observeTables(db: Database, without: readonly string[]): Promise<void> {
  await sql`create schema observed`.execute(db)
  await sql`create table observed.changes (id bigserial primary key, transaction text, house text, name text,
    columns text[], content jsonb, statement text)`.execute(db)
  await sql`
    create function observed.keep() returns trigger language plpgsql as $$
    declare
      content jsonb := to_jsonb(coalesce(new, old));
      columns text[] := array(select key from jsonb_each(content)
        where tg_op <> 'UPDATE' or value is distinct from to_jsonb(old) -> key order by key);
    begin
      if columns <> '{}' then
        insert into observed.changes (transaction, house, name, columns, content, statement)
        values (pg_current_xact_id()::text, coalesce(content ->> 'house_id', content ->> 'id'), tg_table_name, columns, content,
          current_query());
      end if;
      return null;
    end $$`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'catalogue' and tablename <> all(${without}) order by 1`.execute(
    db,
  )
  for (const { name } of rows)
    await sql`create trigger observed after insert or update or delete on ${sql.table(`catalogue.${name}`)}
      for each row execute function observed.keep()`.execute(db)
}

/** Every change since `observeTables`, in its order. */
export async function readObserved(db: Database): Promise<ObservedChange[]> {
  const { rows } = await sql<ObservedChange>`
    select transaction, house, name as table, columns, content as row, statement from observed.changes order by id`.execute(
    db,
  )
  return rows
}
