import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { extendClose, findBiddingObstacle, leastBid } from '../lots/bidding.ts'
import { selectLot } from '../lots/queries.ts'
import { findSessionOfLot, insertBid, lockAnyLot } from '../lots/statements.ts'
import { holdPreparation, readBiddingTerms } from '../sessions/statements.ts'
import { printId } from '../values/ids.ts'
import { requireRecord } from './named-records.ts'
import { Refusal } from './refusal.ts'

// Bids on one lot wait for one another at the lot's lock; bids on different lots share no lock at all, but for the
// first bid of each lot: preparing a session (activation, its schedule) locks the session FOR UPDATE and asks whether it
// has bids, so a first bid holds FOR KEY SHARE against it. Whoever ends bidding takes the locks of all lots.

/**
 * Records a bid of `amount` minor units on a lot, and gives the lot's document. A late bid on a timed lot moves its
 * close (section 2.2); a live one closes with its session. The time of the bid is taken under the lot's lock.
 * @throws Refusal when the lot takes no bids now, or a higher one only
 */
export async function placeBid(context: Context, input: { lot: string; amount: number }): Promise<string> {
  const { lot: uuid, amount } = input
  return inTransaction(context, async (tx) => {
    const { session_id, has_bids } = requireRecord('lot', uuid, await findSessionOfLot(tx, uuid))
    if (!has_bids) await holdPreparation(tx, session_id)
    const lot = requireRecord('lot', uuid, await lockAnyLot(tx, uuid))
    // A statement of its own: what was committed while the lock was waited for is seen.
    const session = await readBiddingTerms(tx, session_id)
    const now = tx.clock()
    if (lot.archived) throw new Refusal(`the lot ${printId('lot', uuid)} is archived`)
    const closesAt = session.kind === 'live' ? session.live_closes_at : lot.closes_at
    const obstacle = findBiddingObstacle({ ...session, active: lot.active, closes_at: closesAt }, now)
    if (obstacle !== undefined) throw new Refusal(obstacle)
    const least = leastBid(lot, session.steps)
    if (amount < least) throw new Refusal(`the bid must be at least ${least}`)

    const placed = { ...tx, now }
    await insertBid(placed, { public_id: randomUUID(), lot_id: lot.id, amount })
    const extended = session.kind === 'timed' ? extendClose(closesAt!, now, session) : closesAt
    await touch(placed, 'lots', lot.id, {
      current_bid: String(amount),
      ...(extended !== closesAt && { closes_at: extended }),
    })
    return readOne(tx.db, selectLot(tx, uuid))
  })
}
