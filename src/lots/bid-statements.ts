import { sql } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Offer, IncrementStep } from './bidding.ts'

/** The bid with this UUID. `lot`: the UUID of its lot. */
export async function findBid({ db, house }: Scope, uuid: string) {
  return db
    .selectFrom('catalogue.bids as b')
    .innerJoin('catalogue.lots as l', (join) => join.on('l.house_id', '=', house.id).onRef('l.id', '=', 'b.lot_id'))
    .select(['b.id', 'b.lot_id', 'b.amount', 'b.cancelled_at', 'l.public_id as lot'])
    .where('b.house_id', '=', house.id)
    .where('b.public_id', '=', uuid)
    .where('l.public_id', 'is not', null)
    .$narrowType<{ lot: string }>()
    .executeTakeFirst()
}

/** Marks a bid as cancelled now. */
export async function markCancelled(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  id: string,
  reason: string,
): Promise<void> {
  const bid = db.updateTable('catalogue.bids').set({ cancelled_at: now, cancel_reason: reason, updated_at: now })
  await sendAhead(db, bid.where('house_id', '=', house.id).where('id', '=', id))
}

/** The highest amount of the lot's bids that are not cancelled; null if there is none. Minor units. */
export async function findHighestBid({ db, house }: Scope, lot: string): Promise<string | null> {
  const { highest } = await db
    .selectFrom('catalogue.bids')
    .select(({ fn }) => fn.max<string | null>('amount').as('highest'))
    .where('house_id', '=', house.id)
    .where('lot_id', '=', lot)
    .where('cancelled_at', 'is', null)
    .executeTakeFirstOrThrow()
  return highest
}

/** Locks a lot by its internal id. Sent with the next statement, which sees what was committed before the lock. */
export async function holdLot({ db, house }: Scope, id: string): Promise<void> {
  await sendAhead(
    db,
    sql`
    select from catalogue.lots where house_id = ${house.id} and id = ${id} for update`,
  )
}

/** A lot and its session's rules for bids. Amounts in minor units, times in seconds. */
type OfferOfSession = Offer & {
  kind: 'timed' | 'live'
  archived: boolean
  starting_bid: number | null
  current_bid: number | null
  extension_threshold_seconds: number
  extension_seconds: number
  steps: IncrementStep[]
  /** When it was read. See `readDatabaseClock`. */
  time: Date
}

/** Reads what a bid on a lot depends on. Values that its session lacks come from the house, or are built in. */
export async function readOffer(
  { db, house, databaseClock }: Pick<Context, 'db' | 'house' | 'databaseClock'>,
  id: string,
): Promise<OfferOfSession> {
  const { defaults } = house
  const { rows } = await sql<OfferOfSession>`
    select s.kind, s.published and not s.hidden as published, s.opens_at, s.finished, s.customer_bidding_enabled,
      coalesce(s.extension_threshold_seconds, ${defaults.extension_threshold_seconds}::int, 120) as extension_threshold_seconds,
      coalesce(s.extension_seconds, ${defaults.extension_seconds}::int, 120) as extension_seconds,
      (select coalesce(json_agg(json_build_object('from', step.from_amount, 'increment', step.increment_amount)), '[]')
        from catalogue.increment_steps step
        where step.house_id = ${house.id} and step.increment_strategy_id = s.increment_strategy_id) as steps,
      l.public_id, s.public_id as session, l.archived, l.result_state, coalesce(l.active, false) as active, l.starting_bid::float8 as starting_bid, l.current_bid::float8 as current_bid,
      case when s.kind = 'live' then s.live_closes_at else l.closes_at end as closes_at, clock_timestamp() as time
    from catalogue.lots l join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.id = ${id}`.execute(db)
  const offer = rows[0]!
  return databaseClock ? { ...offer, time: databaseClock() } : offer
}

/** Inserts a bid of `amount` minor units, placed now. */
export async function insertBid(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  bid: { public_id: string; lot_id: string; amount: number },
): Promise<void> {
  const times = { placed_at: now, created_at: now, updated_at: now }
  const row = { ...bid, house_id: house.id, amount: String(bid.amount), ...times }
  await sendAhead(db, db.insertInto('catalogue.bids').values(row))
}
