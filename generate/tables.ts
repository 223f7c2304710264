import { sql } from 'kysely'
import type { Database } from '../src/db/pool.ts'

// The driver's type for each type of column. Numbers that may exceed 2^53 are text.
const types: Record<string, string> = {
  bigint: 'string',
  'bigint[]': 'string[]',
  boolean: 'boolean',
  bytea: 'Buffer',
  integer: 'number',
  'integer[]': 'number[]',
  smallint: 'number',
  jsonb: 'unknown',
  numeric: 'string',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  uuid: 'string',
}

type Column = { table: string; name: string; type: string; nullable: boolean; optional: boolean }

async function findColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
      a.atthasdef or a.attidentity <> '' as optional
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'catalogue'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db)
  return rows
}

function printColumn({ table, name, type, nullable, optional }: Column): string {
  const known = types[type]
  if (known === undefined) throw new Error(`${table}.${name}: there is no TypeScript type for ${type} yet`)
  const value = nullable ? `${known} | null` : known
  return `    ${name}: ${optional ? `Generated<${value}>` : value}`
}

/** The TypeScript types of all tables of a migrated database, in the form that the query builder needs. */
export async function printTables(db: Database): Promise<string> {
  const tables = Object.entries(Object.groupBy(await findColumns(db), (column) => column.table))
  const printed = tables.map(
    ([table, columns]) => `  'catalogue.${table}': {\n${columns!.map(printColumn).join('\n')}\n  }`,
  )
  return `// Generated from the migrated schema by npm run generate.
import type { Generated } from 'kysely'

/** The catalogue's tables: what their columns hold, and which of them an insert may leave out. */
export type Tables = {
${printed.join('\n')}
}
`
}
