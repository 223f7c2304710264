import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { defaults, Pool, type PoolClient, type QueryConfig } from 'pg'
import { isUnreachable } from './errors.ts'

/** Runs `sql` templates: the pool, or inside a transaction its one connection. */
export type Database = Kysely<unknown>

/** How to reach the server: a URL, or the socket folder of the embedded one. */
export type Connection = { connectionString: string } | { host: string; user: string; database: string }

// In the time zone of the process, instants from before standard time would lose their seconds.
defaults.parseInputDatesAsUTC = true

// A plan made for one house, when the statistics don't know that house yet, takes any index that begins with the house,
// and then sorts. Citus can plan some statements only for the values at hand.
const planForAllHouses = `select set_config('plan_cache_mode', 'force_generic_plan', false)
  where not exists (select from pg_extension where extname = 'citus')`

const statementNames = new Map<string, string>()

// Statements are few and their texts constant, so each is parsed and planned once per connection.
function prepare(client: PoolClient): PostgresPoolClient {
  // A connection that the server has given up is not used again: the pool may hear of its end too late.
  let lost = false
  const run = async (statement: string | QueryConfig) => {
    try {
      return await client.query(statement)
    } catch (error) {
      lost ||= isUnreachable(error)
      throw error
    }
  }
  const query = async (text: string, values: readonly unknown[]) => {
    if (values.length === 0) return run(text)
    let name = statementNames.get(text)
    if (name === undefined) {
      name = `catalogue_${statementNames.size}`
      statementNames.set(text, name)
    }
    return run({ name, text, values: values as unknown[] })
  }
  const release = (destroy = false) => client.release(destroy || lost)
  return { query, release } as unknown as PostgresPoolClient
}

/**
 * Opens a pool of at most `size` connections, and the door through which `sql` templates run on it.
 * `destroy()` on the database ends the pool.
 */
export function openDatabase(connection: Connection, size: number, applicationName = 'catalogue') {
  const pool = new Pool({
    ...connection,
    max: size,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its type doesn't say so
    onConnect: (client) => client.query(planForAllHouses),
    idle_in_transaction_session_timeout: 60_000,
    // Random pages of a catalogue are in memory or on an SSD: dearer ones make the planner read small tables whole.
    options: '-c timezone=UTC -c datestyle=ISO -c jit=off -c random_page_cost=1.1',
  })
  // A connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const prepared: PostgresPool = {
    options: {},
    connect: async () => prepare(await pool.connect()),
    end: () => pool.end(),
  }
  const db: Database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: prepared }) })
  return { db, pool }
}
