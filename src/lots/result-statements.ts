import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import { decisionMilliseconds, type DecidedLot } from './outcomes.ts'
import { printPlace } from './queries.ts'
import type { LotFields } from './touch.ts'

/** Lots to lock: by their UUIDs, or all of a session by its internal id. Archived lots never count. */
export type Chosen = { uuids: string[] } | { session: string }

const chosenBy = (chosen: Chosen): RawBuilder<unknown> =>
  'uuids' in chosen ? sql`l.public_id = any(${chosen.uuids}::uuid[])` : sql`l.session_id = ${chosen.session}`

/**
 * A lot with each field that a write may change. `ends_at`: its close, or that of its live session. `has_bids`: it has had
 * one.
 */
export type StoredLot = DecidedLot &
  Required<LotFields> & {
    ends_at: Date | null
    has_bids: boolean
  }

/**
 * Locks lots in the order of their ids, then reads them, their bids and sessions. A second statement, because the first sees
 * nothing that was committed in other tables while it waited.
 */
export async function lockDecided(scope: Pick<Context, 'db' | 'house'>, chosen: Chosen): Promise<StoredLot[]> {
  const { db, house } = scope
  await sendAhead(
    db,
    sql`
    select from catalogue.lots l where l.house_id = ${house.id} and not l.archived and ${chosenBy(chosen)}
    order by l.id for update`,
  )
  return readDecided(scope, sql`not l.archived and ${chosenBy(chosen)}`)
}

type Defaults = Pick<Context, 'db'> & { house: Scope['house'] & Partial<Pick<Context['house'], 'defaults'>> }

async function readDecided({ db, house }: Defaults, chosen: RawBuilder<unknown>): Promise<StoredLot[]> {
  const { rows } = await sql<StoredLot>`
    select l.id, l.public_id, ${printPlace('s', 'l')} as place, l.session_id, l.lot_number, coalesce(l.active, false) as active, l.archived, l.held,
      l.current_bid::float8 as current_bid, l.starting_bid::float8 as starting_bid, l.closes_at, l.notices,
      case when s.kind = 'live' then s.live_closes_at else l.closes_at end as ends_at,
      exists (select from catalogue.bids b where b.house_id = ${house.id} and b.lot_id = l.id) as has_bids,
      case when l.result_state is not null then json_build_object('state', l.result_state, 'amount', l.result_amount,
        'after_sale', l.result_after_sale, 'with', l.result_with::text) end as result,
      coalesce(c.carried, '[]') as carried,
      (select other.public_id from catalogue.lots other
        where other.house_id = ${house.id} and other.id = l.result_with) as carrier,
      (select h.currency from catalogue.houses h where h.id = ${house.id}) as currency, s.public_id as session,
      s.kind, s.opens_at, s.published and not s.hidden as published, s.finished, s.customer_bidding_enabled, s.results,
      s.decides_from, coalesce(s.extension_seconds, ${house.defaults?.extension_seconds ?? null}::int, 120) as extension_seconds
    from catalogue.lots l join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    left join (select other.result_with, json_agg(other.public_id order by other.id) as carried from catalogue.lots other
      where other.house_id = ${house.id} and other.result_with is not null and other.session_id in (
        select l.session_id from catalogue.lots l where l.house_id = ${house.id} and ${chosen})
      group by other.result_with) c on c.result_with = l.id
    where l.house_id = ${house.id} and ${chosen} order by l.id`.execute(db)
  return rows
}

/**
 * Locks and reads, as `lockDecided` does, the lots of a session that closed lately without a result. It does not wait for the
 * bids on the others.
 */
export async function lockClosed(scope: Scope, session: string, now: Date): Promise<StoredLot[]> {
  const { db, house } = scope
  const { rows } = await sql<{ id: string }>`
    select id from catalogue.lots where house_id = ${house.id} and session_id = ${session} and not archived and active
      and not held and result_state is null and closes_at <= ${now}
      and closes_at > ${new Date(now.getTime() - decisionMilliseconds)}
    order by id for update`.execute(db)
  if (rows.length === 0) return []
  return readDecided(scope, sql`l.id = any(${rows.map(({ id }) => id)}::bigint[])`)
}

/**
 * The next close of a lot that the job may decide, after `now`; null if there is none, or the session's results are
 * not recorded by the job.
 */
export async function findNextClose({ db, house }: Scope, session: string, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(l.closes_at) as next from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.session_id = ${session} and not l.archived and l.active and not l.held
      and l.result_state is null and l.closes_at > ${now}
      and s.kind = 'timed' and s.results = 'automatic' and s.published and not s.finished`.execute(db)
  return rows[0]!.next
}

/** The sessions whose results the job records, in this house. */
export async function findAutomaticSessions({ db, house }: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('catalogue.sessions')
    .select('id')
    .where('house_id', '=', house.id)
    .where('results', '=', 'automatic')
    .where('kind', '=', 'timed')
    .where('published', '=', true)
    .where('finished', '=', false)
    .execute()
  return rows.map(({ id }) => id)
}
