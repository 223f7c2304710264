import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { markChanged, touched } from '../writes/touch.ts'
import { sendAhead } from '../db/pipeline.ts'
import { latestTime } from '../values/timestamps.ts'
import type { IncrementStep, Offer } from './bidding.ts'

type NewLot = {
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

/** Locks a lot, archived or not. */
export async function lockAnyLot({ db, house }: Scope, uuid: string) {
  return db
    .selectFrom('catalogue.lots')
    .select((lot) => [
      'id',
      'session_id',
      'lot_number',
      'archived',
      lot.fn.coalesce('active', lot.lit(false)).as('active'),
    ])
    .where('house_id', '=', house.id)
    .where('public_id', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
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
  /** When it was read. See `readTime`. */
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
      l.archived, l.result_state, coalesce(l.active, false) as active, l.starting_bid::float8 as starting_bid, l.current_bid::float8 as current_bid,
      case when s.kind = 'live' then s.live_closes_at else l.closes_at end as closes_at, clock_timestamp() as time
    from catalogue.lots l join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.id = ${id}`.execute(db)
  const offer = rows[0]!
  return databaseClock ? { ...offer, time: databaseClock() } : offer
}

const currentLots = ({ db, house }: Scope, session: string) =>
  db
    .selectFrom('catalogue.lots')
    .where('house_id', '=', house.id)
    .where('session_id', '=', session)
    .where((lot) => lot.not('archived'))
    .orderBy('id')
    .forUpdate()

/** Locks a session's current lots in the order of their ids, with the columns of their schedule. */
export async function lockSchedule(tx: Scope, session: string) {
  return currentLots(tx, session)
    .select((lot) => ['id', 'lot_number', lot.fn.coalesce('active', lot.lit(false)).as('active')])
    .select(['closes_at', 'scheduled_closes_at'])
    .execute()
}

/** Locks a session's current lots, or those with these UUIDs, in the order of their ids. */
export async function lockLotsOfSession(tx: Scope, session: string, uuids?: string[]) {
  return currentLots(tx, session)
    .select(['id', 'public_id', 'session_id', 'lot_number'])
    .select((lot) => lot.fn.coalesce('active', lot.lit(false)).as('active'))
    .$if(uuids !== undefined, (lots) => lots.where(sql<boolean>`public_id = any(${uuids}::uuid[])`))
    .execute()
}

/** Locks a session's current lots in the order of their ids. */
export async function lockLots(tx: Scope, session: string): Promise<void> {
  await tx.db
    .selectFrom(currentLots(tx, session).as('locked'))
    .select(({ fn }) => fn.countAll().as('lots'))
    .execute()
}

/** Whether any lot of the session has a bid, archived lots included. */
export async function sessionHasBids({ db, house }: Scope, session: string): Promise<boolean> {
  const { found } = await db
    .selectNoFrom((select) =>
      select
        .exists(
          select
            .selectFrom('catalogue.lots as l')
            .innerJoin('catalogue.bids as b', (join) =>
              join.on('b.house_id', '=', house.id).onRef('b.lot_id', '=', 'l.id'),
            )
            .where('l.house_id', '=', house.id)
            .where('l.session_id', '=', session),
        )
        .$castTo<boolean>()
        .as('found'),
    )
    .executeTakeFirstOrThrow()
  return found
}

/** Writes the closing times of several lots. null: no closing time. */
export async function writeSchedule(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  lots: readonly { id: string; closes_at: Date | null }[],
): Promise<void> {
  await sendAhead(
    db,
    sql`
    update catalogue.lots l set closes_at = w.closes_at, scheduled_closes_at = w.closes_at, ${touched(now)}
    from unnest(${lots.map((lot) => lot.id)}::bigint[], ${lots.map((lot) => lot.closes_at)}::timestamptz[]) w (id, closes_at)
    where l.house_id = ${house.id} and l.id = w.id`,
  )
  await markChanged(
    { db, house },
    'lot',
    lots.map((lot) => lot.id),
  )
}

/** Moves the closes of a timed session's current lots that close after `now`, with their schedule. Returns how many. */
export async function delayCloses(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  session: string,
  seconds: number,
): Promise<number> {
  // Independent of the session's time zone: Citus allows only immutable expressions in CASE.
  const moved = (time: RawBuilder<unknown>) =>
    sql`(${time} at time zone 'UTC' + make_interval(secs => ${seconds})) at time zone 'UTC'`
  const late = (time: RawBuilder<unknown>) =>
    sql`case when ${time} <= ${latestTime} then least(${moved(time)}, ${latestTime}) else ${time} end`
  const { rows } = await sql<{ id: string }>`
    update catalogue.lots set closes_at = ${late(sql`closes_at`)},
      scheduled_closes_at = ${late(sql`scheduled_closes_at`)}, ${touched(now)}
    where house_id = ${house.id} and session_id = ${session} and not archived and closes_at > ${now} returning id`.execute(
    db,
  )
  await markChanged(
    { db, house },
    'lot',
    rows.map(({ id }) => id),
  )
  return rows.length
}

/** Advances the current lots of a live session, whose close they show. */
export async function touchLots({ db, house, now }: Scope & Pick<Context, 'now'>, session: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update catalogue.lots set ${touched(now)}
    where house_id = ${house.id} and session_id = ${session} and not archived returning id`.execute(db)
  await markChanged(
    { db, house },
    'lot',
    rows.map(({ id }) => id),
  )
}

/** Switches lots on or off, by their internal ids. */
export async function writeActive(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  ids: string[],
  active: boolean,
): Promise<void> {
  await sendAhead(
    db,
    sql`
    update catalogue.lots set active = ${active}, ${touched(now)}
    where house_id = ${house.id} and id = any(${ids}::bigint[])`,
  )
  await markChanged({ db, house }, 'lot', ids)
}

/** The given numbers that lots of the session, except archived ones, already have. */
export async function findNumbers({ db, house }: Scope, session: string, numbers: number[]): Promise<number[]> {
  const lots = await db
    .selectFrom('catalogue.lots')
    .select('lot_number')
    .where('house_id', '=', house.id)
    .where('session_id', '=', session)
    .where(sql<boolean>`lot_number = any(${numbers}::int[])`)
    .where((lot) => lot.not('archived'))
    .execute()
  return lots.map((lot) => lot.lot_number!)
}

/** Gives lots other numbers, by their internal ids. All numbers are taken away before any is given. */
export async function writeNumbers(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  lots: readonly { id: string; lot_number: number }[],
): Promise<void> {
  const ids = lots.map((lot) => lot.id)
  await sendAhead(
    db,
    sql`
    update catalogue.lots set lot_number = null where house_id = ${house.id} and id = any(${ids}::bigint[])`,
  )
  await sendAhead(
    db,
    sql`
    update catalogue.lots l set lot_number = w.lot_number, ${touched(now)}
    from unnest(${ids}::bigint[], ${lots.map((lot) => lot.lot_number)}::int[]) w (id, lot_number)
    where l.house_id = ${house.id} and l.id = w.id`,
  )
  await markChanged({ db, house }, 'lot', ids)
}

/** The estimate of the item of a lot, by the lot's internal id, in minor units. */
export async function readEstimate({ db, house }: Scope, id: string) {
  const { rows } = await sql<{ low: number | null; high: number | null }>`
    select i.estimate_low::float8 as low, i.estimate_high::float8 as high
    from catalogue.lots l join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
    where l.house_id = ${house.id} and l.id = ${id}`.execute(db)
  return rows[0]!
}

/** The highest number of the session's lots, except archived ones; 0 if there is none. */
export async function findLastNumber({ db, house }: Scope, session: string): Promise<number> {
  const { last } = await db
    .selectFrom('catalogue.lots')
    .select(({ fn }) => fn.max<number | null>('lot_number').as('last'))
    .where('house_id', '=', house.id)
    .where('session_id', '=', session)
    .where((lot) => lot.not('archived'))
    .executeTakeFirstOrThrow()
  return last ?? 0
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
