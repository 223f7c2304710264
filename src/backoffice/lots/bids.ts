import { randomUUID } from 'node:crypto'
import type { Context, Written } from '../../context.ts'
import { noteChange } from '../../writes/journal.ts'
import { readWritten, inTransaction } from '../../writes/transaction.ts'
import { revise, touch } from '../../writes/touch.ts'
import { extendClose, findBiddingObstacle, leastBid } from '../../lots/bidding.ts'
import { selectLot } from '../../lots/queries.ts'
import { findBid, findBids, findHighestBid, markCancelled } from '../../lots/bid-statements.ts'
import { findBiddenLot, holdLot, insertBid, readOffer } from '../../lots/statements.ts'
import { holdPreparation } from '../../sessions/statements.ts'
import { parseId, printId } from '../../values/ids.ts'
import { printMoney } from '../../values/typed-money.ts'
import { requireRecord } from '../named-records.ts'
import { Refusal } from '../refusal.ts'

// Bids on one lot wait for the lot's lock. Bids on different lots share no lock, except first bids: the preparation of
// a session (activation, schedule) locks it FOR UPDATE and checks that it has no bids, so a first bid holds FOR KEY
// SHARE on the session. The end of bidding locks all lots of the session.

/** A bid that the rules of its lot refuse. */
class BidRefusal extends Refusal {}

/**
 * Records a bid of `amount` minor units on a lot, and returns the lot. A late bid on a timed lot moves its close
 * (section 2.2). A live lot closes with its session. The bid's time is that of the database while the lot is locked. A
 * refused bid has its row in the journal too: its transaction is committed.
 * @throws Refusal if there is no such lot, it takes no bids now, or the bid is too low
 */
export async function placeBid(context: Context, input: { lot: string; amount: number }): Promise<Written> {
  const outcome = await inTransaction(context, (tx) => place(tx, input))
  if (outcome instanceof BidRefusal) throw outcome
  return outcome
}

const toMoney = (amount: number | null, { house }: Context) =>
  amount === null ? null : { amount, currency: house.currency }

type Offer = Awaited<ReturnType<typeof readOffer>>

function findRefusal(offer: Offer, lot: string, amount: number, { now, house }: Context): BidRefusal | undefined {
  if (offer.archived) return new BidRefusal(`the lot ${printId('lot', lot)} is archived`, { isMissing: true })
  const obstacle = findBiddingObstacle(offer, now)
  if (obstacle) return new BidRefusal(obstacle.message, { reason: obstacle.reason })
  const minimum = leastBid(offer, offer.steps)
  if (amount >= minimum && amount !== offer.current_bid) return undefined
  const money = printMoney({ amount: minimum, currency: house.currency })
  return new BidRefusal(`the bid must be at least ${money}`, { field: 'amount', minimum })
}

async function place(
  context: Context,
  { lot: uuid, amount }: { lot: string; amount: number },
): Promise<Written | BidRefusal> {
  const { id, session_id, has_bids } = requireRecord('lot', uuid, await findBiddenLot(context, uuid))
  if (!has_bids) await holdPreparation(context, session_id)
  await holdLot(context, id)
  const offer = await readOffer(context, id)
  const now = offer.time
  const tx = { ...context, now }
  const lot = { kind: 'lot', uuid } as const
  const terms = { about: lot, kept: true }
  const bid = { amount: toMoney(amount, tx), placed_at: now }
  const before = { current_bid: toMoney(offer.current_bid, tx), closes_at: offer.closes_at }

  const refusal = findRefusal(offer, uuid, amount, tx)
  if (refusal) {
    noteChange(tx, { kind: 'bid', uuid: null }, {}, bid, { ...terms, reason: refusal.message })
    noteChange(tx, lot, before, before, { ...terms, always: ['closes_at'] })
    return refusal
  }
  const placed = randomUUID()
  await insertBid(tx, { public_id: placed, lot_id: id, amount })
  const closesAt = offer.closes_at!
  const extended = offer.kind === 'timed' ? extendClose(closesAt, now, offer) : closesAt
  await touch(tx, 'lots', id, {
    current_bid: String(amount),
    ...(extended !== closesAt && { closes_at: extended }),
  })
  const after = { current_bid: bid.amount, closes_at: extended }
  noteChange(tx, { kind: 'bid', uuid: placed }, {}, bid, terms)
  noteChange(tx, lot, before, after, { ...terms, always: ['closes_at'] })
  return readWritten(tx, selectLot(tx, uuid))
}

/** A bid in a list of staff. */
export type ListedBid = Awaited<ReturnType<typeof listBids>>[number]

/**
 * The bids on a lot, archived or not, in the order in which they were recorded, cancelled ones too.
 * @throws Refusal if there is no such lot
 */
export async function listBids(context: Context, uuid: string) {
  const { id } = requireRecord('lot', uuid, await findBiddenLot(context, uuid))
  const { currency } = context.house
  return (await findBids(context, id)).map(({ public_id, amount, placed_at, cancelled_at, cancel_reason }) => ({
    id: public_id && printId('bid', public_id),
    amount: { amount: Number(amount), currency },
    placed_at: placed_at?.toISOString() ?? null,
    cancelled_at: cancelled_at?.toISOString() ?? null,
    cancel_reason,
  }))
}

/**
 * Cancels a bid, named by its prefixed or bare id, on a lot without a result. The bid stays, marked. The highest bid
 * left becomes the current one; the close stays. Repeating it changes nothing. Returns the lot's document.
 * @throws Refusal if there is no such bid, or its lot is archived or has a result
 */
export async function cancelBid(context: Context, input: { bid: string; reason: string }): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const uuid = parseId('bid', input.bid)
    const found = uuid === undefined ? undefined : await findBid(tx, uuid)
    if (!found)
      throw new Refusal(`there is no bid ${printId('bid', uuid ?? input.bid)} in the house ${tx.house.slug}`, {
        isMissing: true,
      })
    await holdLot(tx, found.lot_id)
    const [offer, bid] = [await readOffer(tx, found.lot_id), (await findBid(tx, uuid!))!]
    if (offer.archived) throw new Refusal(`the lot ${printId('lot', bid.lot)} is archived`, { isMissing: true })
    if (bid.cancelled_at === null) {
      if (offer.result_state !== null)
        throw new Refusal(`the lot is ${offer.result_state}: take its result back first`, { reason: 'has_result' })
      const cancelled = { ...tx, now: offer.time }
      await markCancelled(cancelled, bid.id, input.reason)
      const highest = await findHighestBid(tx, found.lot_id)
      // A loaded current bid may have no bid of its own.
      const isReplaced = Number(bid.amount) === offer.current_bid && highest !== bid.amount
      if (isReplaced) await touch(cancelled, 'lots', found.lot_id, { current_bid: highest })
      else await revise(cancelled, 'lots', [found.lot_id])
      const lot = { kind: 'lot', uuid: bid.lot } as const
      const terms = { about: lot, reason: input.reason, kept: true }
      noteChange(cancelled, { kind: 'bid', uuid: uuid! }, {}, { cancelled_at: cancelled.now }, terms)
      const before = { current_bid: toMoney(offer.current_bid, tx), closes_at: offer.closes_at }
      const left = highest === null ? null : Number(highest)
      const after = { ...before, ...(isReplaced && { current_bid: toMoney(left, tx) }) }
      noteChange(cancelled, lot, before, after, { ...terms, always: ['closes_at'] })
    }
    return readWritten(tx, selectLot(tx, bid.lot))
  })
}
