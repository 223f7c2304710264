import { findNodes } from '../db/nodes.ts'
import type { Database } from '../db/pool.ts'
import { programName } from '../values/program.ts'
import type { Check } from './store.ts'

/** Checks whether each node of Citus answers, and counts its houses. One PostgreSQL has no nodes. */
export async function checkNodes(db: Database): Promise<Check[]> {
  const nodes = await findNodes(db)
  return nodes.map(({ name, isCoordinator, answers, houses }): Check => {
    const count = houses.length === 1 ? '1 house' : `${houses.length} houses`
    const node = `${isCoordinator ? 'coordinator' : 'worker'} ${name}`
    if (answers) return { check: 'node', state: 'ok', says: `${node}: ${count}` }
    const lost = houses.length === 0 ? count : `${count} out of service (see: ${programName} houses list)`
    return { check: 'node', state: 'wrong', says: `${node} does not answer: ${lost}` }
  })
}
