import { sql } from 'kysely'
import type { Database } from './pool.ts'

// Tables are named as in the schema, without `catalogue.`.

/** Reserves internal ids of a table. */
export async function takeIds(db: Database, table: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select nextval(sequence)::text as id
    from pg_get_serial_sequence(${`catalogue.${table}`}, 'id') as sequence, generate_series(1, ${count}::int)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Gathers the planner's statistics of a table at once. */
export async function analyzeTable(db: Database, table: string): Promise<void> {
  await sql`analyze ${sql.table(`catalogue.${table}`)}`.execute(db)
}
