// The query builder (Kysely) makes a statement. The driver in pipeline.ts prepares it, and lets the statements of a
// transaction travel together. statement-batch.ts sends them. shared.ts lets equal calls share a statement. errors.ts classifies
// failures. citus.ts has what Citus needs beyond PostgreSQL.
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type LogEvent } from 'kysely'
import { Client, defaults, Pool, type ClientBase, type ClientConfig } from 'pg'
import { isReadOnly, noteConnectionError } from './errors.ts'
import { createDriver } from './pipeline.ts'
import type { Tables } from './schema/tables.ts'

/** Runs statements: on the pool, or inside a transaction on its connection. */
export type Database = Kysely<Tables>

/** How to reach the server: a URL, or the socket folder of the embedded one. */
export type Connection = { connectionString: string } | { host: string; user: string; database: string }

// In the process's time zone, instants before standard time would lose their seconds.
defaults.parseInputDatesAsUTC = true

const settings = {
  client_encoding: 'UTF8',
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '60s',
  jit: 'off',
  // Random reads come from memory or an SSD. At a higher cost the planner would scan small tables.
  random_page_cost: '1.1',
}

// Set on the open connection, because options in a URL override options beside it. Generic plans: for a house without
// statistics, a custom plan takes any index that begins with the house, and then sorts. Citus can plan some
// statements only with their values.
const setUp = `select set_config(name, case when name = 'plan_cache_mode' and citus then 'auto' else value end, false)
  from unnest($1::text[], $2::text[]) as settings (name, value),
    (select exists (select from pg_extension where extname = 'citus') as citus) installed`

function prepareSession(client: ClientBase, applicationName: string) {
  const all = { ...settings, application_name: applicationName, plan_cache_mode: 'force_generic_plan' }
  return client.query(setUp, [Object.keys(all), Object.values(all)])
}

// One's own server is on this machine: it is slow where the machine is busy, and gives an error at once where it is gone.
const [ownMilliseconds, othersMilliseconds] = [60_000, 5_000]

const onReadOnly = new WeakSet<object>()

class CatalogueClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    // The driver passes errors of its socket on unchanged, and an ENOENT of a socket looks like one of a file.
    this.connection.on('error', noteConnectionError)
    this.connection.on('errorMessage', (error: Error) => {
      if (isReadOnly(error)) onReadOnly.add(this)
    })
  }
}

/** Called after every statement of `db`, with its duration. */
export type LogStatement = (details: { statement: string; milliseconds: number }) => void

/**
 * `timeout`: how many milliseconds a connection may take to answer a statement before it is given up. Default: no
 * limit. `pipeline`: whether statements may travel together. COPY needs `false`. Default: true.
 */
type DatabaseOptions = {
  applicationName?: string
  pipeline?: boolean
  timeout?: number | undefined
  logStatement?: LogStatement | undefined
}

/**
 * Opens a pool of at most `size` connections, and the database object on which `sql` templates run. `destroy()` on
 * that object ends the pool.
 */
export function openDatabase(
  connection: Connection,
  size: number,
  { applicationName = 'catalogue', pipeline = true, timeout, logStatement }: DatabaseOptions = {},
) {
  const pool = new Pool({
    ...connection,
    Client: CatalogueClient,
    max: size,
    pipeline,
    application_name: applicationName,
    connectionTimeoutMillis: Math.min(timeout ?? Infinity, 'host' in connection ? ownMilliseconds : othersMilliseconds),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its type does not say so
    onConnect: (client) => prepareSession(client, applicationName),
  })
  // Without a listener, a broken connection would end the process. The pool replaces it at the next use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  // The job queue uses the pool too. Only a new connection finds the successor of a read-only server.
  pool.on('release', (_error, client) => {
    if (onReadOnly.has(client)) void client.end()
  })
  const log = ({ query, queryDurationMillis }: LogEvent) =>
    logStatement?.({
      statement: query.sql.replaceAll(/\s+/g, ' ').trim(),
      milliseconds: Math.round(queryDurationMillis * 10) / 10,
    })
  const db: Database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createDriver(pool, timeout),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    ...(logStatement && { log }),
  })
  return { db, pool }
}
