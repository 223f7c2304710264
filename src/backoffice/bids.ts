import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { extendClose, findBiddingObstacle, leastBid, type IncrementStep } from '../lots/bidding.ts'
import { selectLot } from '../lots/queries.ts'
import { printId } from '../values/ids.ts'
import { missing } from './named-records.ts'
import { Refusal } from './refusal.ts'

// Bids on one lot wait for one another at the lot's lock; bids on different lots share no lock at all, but for the
// first bid of each lot: preparing a session (activation, its schedule) locks the session FOR UPDATE and asks whether it
// has bids, so a first bid holds FOR KEY SHARE against it. Whoever ends bidding takes the locks of all lots.

type StoredLot = {
  archived: boolean
  active: boolean
  starting_bid: number | null
  current_bid: number | null
  closes_at: Date | null
}

type StoredSession = {
  kind: 'timed' | 'live'
  published: boolean
  opens_at: Date | null
  finished: boolean
  customer_bidding_enabled: boolean
  live_closes_at: Date | null
  extension_threshold_seconds: number
  extension_seconds: number
  steps: IncrementStep[]
}

async function findLot(db: Database, house: Context['house'], uuid: string) {
  const { rows } = await sql<{ id: string; session: string; has_bids: boolean }>`
    select l.id, l.session_id as session,
      exists (select from catalogue.bids b where b.house_id = l.house_id and b.lot_id = l.id) as has_bids
    from catalogue.lots l where l.house_id = ${house.id} and l.public_id = ${uuid}`.execute(db)
  if (!rows[0]) throw missing('lot', uuid)
  return rows[0]
}

async function lockLot(tx: Database, house: Context['house'], lot: string): Promise<StoredLot> {
  const { rows } = await sql<StoredLot>`
    select archived, coalesce(active, false) as active, starting_bid::float8, current_bid::float8, closes_at
    from catalogue.lots where house_id = ${house.id} and id = ${lot} for update`.execute(tx)
  return rows[0]!
}

async function readSessionState(tx: Database, { id, defaults }: Context['house'], session: string) {
  const { rows } = await sql<StoredSession>`
    select s.kind, s.published and not s.hidden as published, s.opens_at, s.finished, s.customer_bidding_enabled, s.live_closes_at,
      coalesce(s.extension_threshold_seconds, ${defaults.extension_threshold_seconds}::int, 120) as extension_threshold_seconds,
      coalesce(s.extension_seconds, ${defaults.extension_seconds}::int, 120) as extension_seconds,
      (select coalesce(json_agg(json_build_object('from', step.from_amount, 'increment', step.increment_amount)), '[]')
        from catalogue.increment_steps step
        where step.house_id = s.house_id and step.increment_strategy_id = s.increment_strategy_id) as steps
    from catalogue.sessions s where s.house_id = ${id} and s.id = ${session}`.execute(tx)
  return rows[0]!
}

/**
 * Records a bid of `amount` minor units on a lot, and gives the lot's document. A late bid on a timed lot moves its
 * close (section 2.2); a live one closes with its session. The time of the bid is taken under the lot's lock.
 * @throws Refusal when the lot takes no bids now, or a higher one only
 */
export async function placeBid(context: Context, input: { lot: string; amount: number }): Promise<string> {
  const { house } = context
  const { lot: uuid, amount } = input
  return inTransaction(context, async ({ db: tx }) => {
    const { id, session: sessionId, has_bids } = await findLot(tx, house, uuid)
    if (!has_bids) {
      await sql`select from catalogue.sessions where house_id = ${house.id} and id = ${sessionId} for key share`.execute(
        tx,
      )
    }
    const lot = await lockLot(tx, house, id)
    // A statement of its own: what was committed while the lock was waited for is seen.
    const session = await readSessionState(tx, house, sessionId)
    const now = context.clock()
    if (lot.archived) throw new Refusal(`the lot ${printId('lot', uuid)} is archived`)
    const closesAt = session.kind === 'live' ? session.live_closes_at : lot.closes_at
    const obstacle = findBiddingObstacle({ ...session, active: lot.active, closes_at: closesAt }, now)
    if (obstacle !== undefined) throw new Refusal(obstacle)
    const least = leastBid(lot, session.steps)
    if (amount < least) throw new Refusal(`the bid must be at least ${least}`)

    await sql`
      insert into catalogue.bids (house_id, public_id, lot_id, amount, placed_at, created_at, updated_at)
      values (${house.id}, ${randomUUID()}, ${id}, ${amount}, ${now}, ${now}, ${now})`.execute(tx)
    const extended = session.kind === 'timed' ? extendClose(closesAt!, now, session) : closesAt
    const inside = { ...context, db: tx, now }
    await touch(inside, 'lots', id, {
      current_bid: String(amount),
      ...(extended !== closesAt && { closes_at: extended }),
    })
    return readOne(inside.db, selectLot(inside, uuid))
  })
}
