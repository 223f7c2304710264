import { findNodes } from '../db/nodes.ts'
import type { Database } from '../db/pool.ts'
import { listHouses, type NamedHouse } from './locks.ts'

/** A worker of Citus that does not answer (`host:port`), and the slugs of the houses whose records it has. */
export type Away = { name: string; houses: string[] }

/** The houses whose records can be reached, and the workers that do not answer. One PostgreSQL reaches all houses. */
export async function sortHouses(db: Database): Promise<{ reached: NamedHouse[]; away: Away[] }> {
  const away = (await findNodes(db)).filter(({ answers }) => !answers)
  const lost = new Set(away.flatMap(({ houses }) => houses))
  return { reached: (await listHouses(db)).filter(({ slug }) => !lost.has(slug)), away }
}

/** What a worker that is away keeps from being reached. */
export function describeAway({ name, houses }: Away): string {
  const which = houses.length === 1 ? 'the house' : `${houses.length} houses`
  return `the worker ${name} does not answer${houses.length === 0 ? '' : `, which has the records of ${which} ${houses.join(', ')}`}`
}
