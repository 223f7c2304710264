import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import type { ResultState } from '../../src/values/offers.ts'

/** What a lot says about its end. Amounts in minor units, times in milliseconds. */
export type LotState = {
  result: { state: ResultState; amount: number | null; at: number } | null
  held: boolean
  closes: number
  current: number | null
}

/** A bid as it was written. */
export type BidState = { amount: number; placed: number; cancelled: boolean }

/** A change in the order of the lot's lock. `at`: by the database's clock, before the commit. */
export type Event = { at: number; transaction: string } & ({ lot: LotState } | { bid: BidState })

/**
 * Makes the database keep every change of a lot and of its bids, in the transaction of the change. The histories are
 * independent of the service: it does not know of them.
 */
export async function keepHistories(db: Database): Promise<void> {
  const statements = [
    sql`create schema if not exists observed`,
    sql`create table if not exists observed.events (id bigserial primary key, house_id bigint, lot_id bigint,
      at timestamptz default clock_timestamp(), transaction text default pg_current_xact_id()::text, lot jsonb, bid jsonb)`,
    sql`create index if not exists events_of_lots on observed.events (lot_id)`,
    sql`create or replace function observed.keep_lot() returns trigger language plpgsql as $$ begin
      insert into observed.events (house_id, lot_id, lot) values (new.house_id, new.id, to_jsonb(new)); return null; end $$`,
    sql`create or replace function observed.keep_bid() returns trigger language plpgsql as $$ begin
      insert into observed.events (house_id, lot_id, bid) values (new.house_id, new.lot_id, to_jsonb(new)); return null; end $$`,
    sql`create or replace trigger keep after insert or update on catalogue.lots
      for each row execute function observed.keep_lot()`,
    sql`create or replace trigger keep after insert or update on catalogue.bids
      for each row execute function observed.keep_bid()`,
  ]
  for (const statement of statements) await statement.execute(db)
}

type Row = {
  uuid: string
  at: number
  transaction: string
  bid: BidState | null
  state: ResultState | null
  amount: number | null
  recorded: number | null
  held: boolean
  closes: number
  current: number | null
}

/** The history of each lot of a session, by the lot's UUID. */
export async function readHistories(db: Database, session: string): Promise<Map<string, Event[]>> {
  const time = (value: ReturnType<typeof sql>) =>
    sql`(extract(epoch from date_trunc('milliseconds', ${value}))::numeric * 1000)::float8`
  const { rows } = await sql<Row>`
    select l.public_id as uuid, ${time(sql`e.at`)} as at, e.transaction,
      case when e.bid is not null then json_build_object('amount', (e.bid ->> 'amount')::bigint,
        'placed', ${time(sql`(e.bid ->> 'placed_at')::timestamptz`)}, 'cancelled', e.bid ->> 'cancelled_at' is not null) end as bid,
      e.lot ->> 'result_state' as state, (e.lot ->> 'result_amount')::float8 as amount,
      ${time(sql`(e.lot ->> 'result_at')::timestamptz`)} as recorded, (e.lot ->> 'held')::boolean as held,
      ${time(sql`(e.lot ->> 'closes_at')::timestamptz`)} as closes, (e.lot ->> 'current_bid')::float8 as current
    from observed.events e
    join catalogue.lots l on l.house_id = e.house_id and l.id = e.lot_id
    join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where s.public_id = ${session} order by e.id`.execute(db)
  const histories = new Map<string, Event[]>()
  for (const { uuid, at, transaction, bid, state, amount, recorded, held, closes, current } of rows) {
    const result = state === null ? null : { state, amount, at: recorded! }
    const event = { at, transaction, ...(bid ? { bid } : { lot: { result, held, closes, current } }) }
    const events = histories.get(uuid)
    if (events) events.push(event)
    else histories.set(uuid, [event])
  }
  return histories
}
