import { sql } from 'kysely'
import { migrate } from '../../src/db/schema/migrate.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { administer, findWorkers, template, testServer, withDatabase } from './database.ts'

type Node = { host: string; port: number; coordinator: boolean }

/** The nodes of Citus, if the database of the URL is distributed. */
async function findNodes(url: string): Promise<Node[]> {
  return withDatabase({ connectionString: url }, async (db) => {
    const citus = await sql`select from pg_extension where extname = 'citus'`.execute(db)
    if (citus.rows.length === 0) return []
    const nodes = await sql<Node>`
      select nodename as host, nodeport as port, groupid = 0 as coordinator from pg_dist_node order by groupid`.execute(
      db,
    )
    return nodes.rows
  })
}

/** Distributes the template over the nodes. */
async function distribute(nodes: Node[]): Promise<void> {
  for (const worker of [undefined, ...findWorkers()])
    await withDatabase(testServer(template, worker), (db) => sql`create extension citus`.execute(db))
  await withDatabase(testServer(template), async (db) => {
    for (const { host, port, coordinator } of nodes) {
      if (coordinator) await sql`select citus_set_coordinator_host(${host}, ${port})`.execute(db)
      else await sql`select citus_add_node(${host}, ${port})`.execute(db)
    }
  })
}

/** Creates the database that tests clone, on the server of TEST_DATABASE_URL or TEST_DATABASE_HOST. */
export async function makeTemplate(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL
  const nodes = url === undefined ? [] : await findNodes(url)
  const workers = nodes.filter((node) => !node.coordinator).map(({ host, port }) => `${host}:${port}`)
  if (workers.length > 0) process.env.TEST_CITUS_WORKERS = workers.join(' ')
  await administer(`drop database if exists ${template} with (force)`)
  await administer(`create database ${template}`)
  if (nodes.length > 0) await distribute(nodes)
  const { db, pool } = openDatabase(testServer(template), 2)
  await migrate({ db, pool })
  await pool.end()
  // A template with connections cannot be cloned. On Citus a daemon has one, and does not reconnect to a closed
  // database.
  await administer(`alter database ${template} allow_connections false`)
  await administer(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`)
}
