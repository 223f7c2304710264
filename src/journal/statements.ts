import { sql } from 'kysely'
import type { Scope } from '../context.ts'

/** Deletes at most `most` rows from before a time, except those of bids and results. Returns how many. */
export async function deleteRows({ db, house }: Scope, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from catalogue.journal where house_id = ${house.id} and (at, id) in (
      select at, id from catalogue.journal where house_id = ${house.id} and at < ${before} and not kept
      order by at limit ${most})`.execute(db)
  return Number(numAffectedRows)
}
