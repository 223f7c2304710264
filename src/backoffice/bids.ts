import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { readWritten, inTransaction } from '../writes/transaction.ts'
import { touch } from '../writes/touch.ts'
import { extendClose, findBiddingObstacle, leastBid } from '../lots/bidding.ts'
import { selectLot } from '../lots/queries.ts'
import { findBiddenLot, holdLot, insertBid, readOffer } from '../lots/statements.ts'
import { holdPreparation } from '../sessions/statements.ts'
import { printId } from '../values/ids.ts'
import { printMoney } from '../values/typed-money.ts'
import { requireRecord } from './named-records.ts'
import { Refusal } from './refusal.ts'

// Bids on one lot wait for the lot's lock. Bids on different lots share no lock, except first bids: the preparation of
// a session (activation, schedule) locks it FOR UPDATE and checks that it has no bids, so a first bid holds FOR KEY
// SHARE on the session. The end of bidding locks all lots of the session.

/**
 * Records a bid of `amount` minor units on a lot, and returns the lot's document. A late bid on a timed lot moves its
 * close (section 2.2). A live lot closes with its session. The bid's time is read while the lot is locked.
 * @throws Refusal if the lot takes no bids now, or the bid is too low
 */
export async function placeBid(context: Context, input: { lot: string; amount: number }): Promise<string> {
  const { lot: uuid, amount } = input
  return inTransaction(context, async (tx) => {
    const { id, session_id, has_bids } = requireRecord('lot', uuid, await findBiddenLot(tx, uuid))
    if (!has_bids) await holdPreparation(tx, session_id)
    await holdLot(tx, id)
    const offer = await readOffer(tx, id)
    const now = tx.clock()
    if (offer.archived) throw new Refusal(`the lot ${printId('lot', uuid)} is archived`)
    const obstacle = findBiddingObstacle(offer, now)
    if (obstacle !== undefined) throw new Refusal(obstacle)
    const least = leastBid(offer, offer.steps)
    if (amount < least) {
      const { currency } = context.house
      throw new Refusal(`the bid must be at least ${printMoney({ amount: least, currency })}`)
    }

    const placed = { ...tx, now }
    await insertBid(placed, { public_id: randomUUID(), lot_id: id, amount })
    const closesAt = offer.closes_at!
    const extended = offer.kind === 'timed' ? extendClose(closesAt, now, offer) : closesAt
    await touch(placed, 'lots', id, {
      current_bid: String(amount),
      ...(extended !== closesAt && { closes_at: extended }),
    })
    return (await readWritten(tx, selectLot(tx, uuid))).json
  })
}
