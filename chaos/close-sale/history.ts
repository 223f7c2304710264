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
  await sql`create schema observed`.execute(db)
  await sql`create table observed.events (id bigserial primary key, name text, content jsonb,
    at timestamptz default clock_timestamp(), transaction text default pg_current_xact_id()::text)`.execute(db)
  await sql`create function observed.keep() returns trigger language plpgsql as $$ begin
    insert into observed.events (name, content) values (tg_table_name, to_jsonb(new)); return null; end $$`.execute(db)
  for (const table of ['catalogue.lots', 'catalogue.bids'])
    await sql`create trigger keep after insert or update on ${sql.table(table)}
      for each row execute function observed.keep()`.execute(db)
}

type Stored = { uuid: string; at: string; transaction: string; lot: StoredLot | null; bid: StoredBid | null }
type StoredBid = { amount: number; placed_at: string; cancelled_at: string | null }
type StoredLot = {
  held: boolean
  closes_at: string
  current_bid: number | null
  result_state: ResultState | null
  result_amount: number | null
  result_at: string
}

/** The history of each lot of a session, by the lot's UUID. */
export async function readHistories(db: Database, session: string): Promise<Map<string, Event[]>> {
  const { rows } = await sql<Stored>`
    select l.public_id as uuid, to_jsonb(e.at) as at, e.transaction,
      case e.name when 'lots' then e.content end as lot, case e.name when 'bids' then e.content end as bid
    from observed.events e
    join catalogue.lots l on l.house_id = (e.content ->> 'house_id')::bigint
      and l.id = (e.content ->> case e.name when 'lots' then 'id' else 'lot_id' end)::bigint
    join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where s.public_id = ${session} order by e.id`.execute(db)
  const histories = new Map<string, Event[]>()
  for (const { uuid, at, transaction, lot, bid } of rows) {
    const events = histories.get(uuid) ?? []
    histories.set(uuid, events)
    events.push({ at: Date.parse(at), transaction, ...(lot ? { lot: stateOf(lot) } : { bid: readBid(bid!) }) })
  }
  return histories
}

const readBid = ({ amount, placed_at, cancelled_at }: StoredBid): BidState => ({
  amount,
  placed: Date.parse(placed_at),
  cancelled: cancelled_at !== null,
})

function stateOf({ held, closes_at, current_bid, result_state, result_amount, result_at }: StoredLot): LotState {
  const result = result_state && { state: result_state, amount: result_amount, at: Date.parse(result_at) }
  return { result, held, closes: Date.parse(closes_at), current: current_bid }
}
