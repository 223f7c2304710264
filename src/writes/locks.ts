import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { names } from '../db/advisory-locks.ts'
import type { RecordKind } from '../kinds.ts'

/** What only one transaction at a time does for a house. For a kind of record: makes or renames records of it. */
type Work = 'changes' | 'fingerprint' | 'load' | 'search' | 'storage' | RecordKind

/** Waits until no other transaction does this work for the house, and keeps others from it until this one ends. */
export async function lockWork({ db, house }: Scope, work: Work): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${names.work(work, house.id)}, 0))`.execute(db)
}
