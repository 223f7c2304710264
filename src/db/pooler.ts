import type { Pool } from 'pg'

const rounds = 3

/**
 * Whether a pooler moves connections between server processes, as pgbouncer does in transaction mode. Needs two
 * connections of the pool.
 */
export async function isPooledByTransaction(pool: Pool): Promise<boolean> {
  const connections = [await pool.connect(), await pool.connect()] as const
  const [one, other] = connections
  const processes = [new Set<number>(), new Set<number>()] as const
  try {
    // The first one twice: a pooler that alternates between two servers would otherwise give each connection the same one.
    for (let round = 0; round < rounds; round++) {
      for (const index of [0, 0, 1] as const) {
        const { rows } = await connections[index].query<{ id: number }>('select pg_backend_pid() as id')
        processes[index].add(rows[0]!.id)
      }
    }
  } finally {
    one.release()
    other.release()
  }
  return processes[0].size > 1 || processes[1].size > 1 || [...processes[0]].some((id) => processes[1].has(id))
}
