import { sql } from 'kysely'
import { heldTable, isCitus } from './citus.ts'
import type { Database } from './pool.ts'

const answerMilliseconds = 5_000

/** A node of Citus. `name`: `host:port`. `houses`: the slugs of the houses whose records it has. */
type CitusNode = { name: string; isCoordinator: boolean; answers: boolean; houses: string[] }

/**
 * The nodes of Citus, the coordinator first; none on one PostgreSQL. The coordinator asks each worker for a connection, for
 * at most five seconds.
 */
export async function findNodes(db: Database): Promise<CitusNode[]> {
  if (!(await isCitus(db))) return []
  const { rows } = await sql<Omit<CitusNode, 'answers'> & { host: string; port: number }>`
    select n.nodename as host, n.nodeport as port, n.nodename || ':' || n.nodeport as name, n.groupid = 0 as "isCoordinator",
      array(select h.slug from catalogue.houses h join pg_dist_placement p
        on p.shardid = get_shard_id_for_distribution_column(${`catalogue.${heldTable}`}::regclass, h.id)
        where p.groupid = n.groupid order by h.slug) as houses
    from pg_dist_node n where n.noderole = 'primary' order by n.groupid`.execute(db)
  const nodes: CitusNode[] = []
  for (const { host, port, ...node } of rows)
    nodes.push({ ...node, answers: node.isCoordinator || (await answers(db, host, port)) })
  return nodes
}

async function answers(db: Database, host: string, port: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`set local citus.node_connection_timeout = ${sql.lit(answerMilliseconds)}`.execute(tx)
    const { rows } = await sql<{ answers: boolean }>`
      select citus_check_connection_to_node(${host}, ${port}::int) as answers`.execute(tx)
    return rows[0]!.answers
  })
}
