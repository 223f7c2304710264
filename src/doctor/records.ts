import type { Database } from '../db/pool.ts'
import type { NamedHouse } from '../houses/locks.ts'
import { printId } from '../values/ids.ts'
import { findDefects } from './queries.ts'

/** A record that the interface answers with integrity-unavailable: its public id or its row, and the reason. */
export type Finding = { type: string; record: string; problem: string }

/** Examines every record of these houses, and changes nothing. */
export async function examine(db: Database, houses: readonly NamedHouse[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const house of houses) {
    for (const { kind, row, uuid, defect } of await findDefects(db, house)) {
      const record = uuid === null ? `row ${row} of house ${house.slug}` : printId(kind, uuid)
      findings.push({ type: kind, record, problem: defect })
    }
  }
  return findings
}
