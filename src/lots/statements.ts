import { sql } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { markChanged } from '../writes/touch.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { IncrementStep, Offer } from './bidding.ts'

/** A lot to insert. The starting bid is in minor units. */
export type NewLot = {
  public_id: string
  auction_id: string
  session_id: string
  item_id: string
  lot_number: number
  starting_bid: number | null
  active: boolean
}

/** Finds the lots with these UUIDs that are not archived. */
export async function findLots({ db, house }: Scope, uuids: string[]) {
  return db
    .selectFrom('catalogue.lots')
    .select(['id', 'public_id', 'session_id', 'lot_number'])
    .select((lot) => lot.fn.coalesce('active', lot.lit(false)).as('active'))
    .where('house_id', '=', house.id)
    .where(sql<boolean>`public_id = any(${uuids}::uuid[])`)
    .where((lot) => lot.not('archived'))
    .execute()
}

/** Finds the internal ids of a lot, archived or not, and of its session, and whether the lot has bids. */
export async function findBiddenLot({ db, house }: Scope, uuid: string) {
  return db
    .selectFrom('catalogue.lots as l')
    .select((lot) => [
      'l.id',
      'l.session_id',
      lot
        .exists(
          lot.selectFrom('catalogue.bids as b').where('b.house_id', '=', house.id).whereRef('b.lot_id', '=', 'l.id'),
        )
        .$castTo<boolean>()
        .as('has_bids'),
    ])
    .where('l.house_id', '=', house.id)
    .where('l.public_id', '=', uuid)
    .executeTakeFirst()
}

/** The unarchived lots of a session that have bids, in the order of their UUIDs, with the number of those that stand. */
export async function countBids({ db, house }: Scope, session: string): Promise<{ lot: string; bids: number }[]> {
  return db
    .selectFrom('catalogue.lots as l')
    .innerJoin('catalogue.bids as b', (join) => join.onRef('b.lot_id', '=', 'l.id'))
    .select(['l.public_id as lot', (lot) => lot.cast<number>(lot.fn.countAll(), 'integer').as('bids')])
    .where('l.house_id', '=', house.id)
    .where('b.house_id', '=', house.id)
    .where('l.session_id', '=', session)
    .where((lot) => lot.not('l.archived'))
    .where('l.public_id', 'is not', null)
    .where('b.cancelled_at', 'is', null)
    .groupBy('l.public_id')
    .orderBy('l.public_id')
    .$narrowType<{ lot: string }>()
    .execute()
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

// A statement has at most 65,535 parameters, and a lot has ten.
const mostLots = 5_000

/** Inserts lots. Their starting bids are in minor units. */
export async function insertLots({ db, house, now }: Scope & Pick<Context, 'now'>, lots: NewLot[]): Promise<void> {
  const rows = lots.map((lot) => {
    const starting_bid = lot.starting_bid === null ? null : String(lot.starting_bid)
    return { ...lot, house_id: house.id, starting_bid, created_at: now, updated_at: now }
  })
  for (let start = 0; start < rows.length; start += mostLots) {
    const inserted = await db
      .insertInto('catalogue.lots')
      .values(rows.slice(start, start + mostLots))
      .returning('id')
      .execute()
    await markChanged(
      { db, house },
      'lot',
      inserted.map(({ id }) => id),
    )
  }
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
