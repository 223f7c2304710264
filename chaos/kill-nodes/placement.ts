import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import { random } from '../lib/random.ts'

type Node = { host: string; port: number }

/** The place of a house's records in a Citus, and the other workers. */
export type Placement = Node & { shard: string; targets: Node[] }

/** Finds the worker of a house. */
export async function findPlacement(db: Database, slug: string): Promise<Placement> {
  const { rows } = await sql<Placement>`
    with place as (
      select s.shardid, s.nodename, s.nodeport from citus_shards s, catalogue.houses h
      where h.slug = ${slug} and s.table_name = 'catalogue.items'::regclass
        and s.shardid = get_shard_id_for_distribution_column('catalogue.items', h.id))
    select shardid::text as shard, nodename as host, nodeport as port,
      (select json_agg(json_build_object('host', n.nodename, 'port', n.nodeport)) from pg_dist_node n
        where n.shouldhaveshards and n.isactive and n.nodeport <> place.nodeport) as targets
    from place`.execute(db)
  return rows[0]!
}

/** Moves a house to another worker while it is read and written. Prints both ports. */
export async function moveHouse(db: Database, slug: string): Promise<string> {
  const { shard, host, port, targets } = await findPlacement(db, slug)
  const target = random.pick(targets)
  // After an outage of a worker an attempt may use a stale connection, or meet the remains of an earlier move. An
  // operator would repeat the move.
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`select citus_move_shard_placement(${shard}::bigint, ${host}, ${port}::int, ${target.host},
        ${target.port}::int, 'force_logical')`.execute(db)
      return `${port} → ${target.port}`
    } catch (error) {
      if (attempt === 5) throw error
      console.log(`a move is tried again: ${String(error)}`)
      await sleep(attempt * 1_000)
    }
  }
}
