import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf } from '../reads/documents.ts'
import { readDocument } from '../reads/reads.ts'
import { selectSession } from '../sessions/queries.ts'

/** The estimates of items, or of the items of lots, by the UUIDs of either. Minor units. */
export async function findEstimates({ db, house }: Context, kind: 'item' | 'lot', uuids: readonly string[]) {
  const { rows } = await sql<{ uuid: string; low: number | null; high: number | null }>`
    select ${kind === 'lot' ? sql`l.public_id` : sql`i.public_id`} as uuid, i.estimate_low::float8 as low,
      i.estimate_high::float8 as high
    from catalogue.items i
    ${kind === 'lot' ? sql`join catalogue.lots l on l.house_id = ${house.id} and l.item_id = i.id` : sql``}
    where i.house_id = ${house.id}
      and ${kind === 'lot' ? sql`l.public_id` : sql`i.public_id`} = any(${uuids}::uuid[])`.execute(db)
  return new Map(rows.map(({ uuid, ...estimate }) => [uuid, estimate]))
}

/** The numbers of a session's active lots that have neither a starting bid nor a bid. */
export async function findUnpriced({ db, house }: Context, session: string): Promise<number[]> {
  const { rows } = await sql<{ lot_number: number }>`
    select l.lot_number from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and s.public_id = ${session} and l.active and not l.archived
      and l.starting_bid is null and l.current_bid is null
    order by l.lot_number`.execute(db)
  return rows.map(({ lot_number }) => lot_number)
}

/** The reference, or else the id, of a session's auction if that is a draft. */
export async function findDraftAuction({ db, house }: Context, session: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(a.external_reference, ${idOf('auction', 'a')}) as name from catalogue.sessions s
    join catalogue.auctions a on a.house_id = ${house.id} and a.id = s.auction_id
    where s.house_id = ${house.id} and s.public_id = ${session} and not a.published`.execute(db)
  return rows[0]?.name
}

/** How many unarchived lots of a session have no result, and whether the session is finished. */
export async function countUndecided({ db, house }: Context, session: string) {
  const { rows } = await sql<{ lots: number; isFinished: boolean }>`
    select s.finished as "isFinished", (select count(*)::int from catalogue.lots l
      where l.house_id = ${house.id} and l.session_id = s.id and not l.archived and l.result_state is null) as lots
    from catalogue.sessions s where s.house_id = ${house.id} and s.public_id = ${session}`.execute(db)
  return rows[0]!
}

/**
 * The document of a session.
 * @throws Problem not-found, integrity-unavailable
 */
export const readSession = (context: Context, uuid: string): Promise<string> =>
  readDocument(context.db, selectSession(context, uuid)).then(({ json }) => json)
