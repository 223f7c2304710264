import { randomUUID } from 'node:crypto'
import type { Context, Written } from '../context.ts'
import { fieldError } from '../http/body/validation.ts'
import { extendClose, findBiddingObstacle, leastBid } from './bidding.ts'
import { findBid, findHighestBid, markCancelled, holdLot, insertBid, readOffer } from './bid-statements.ts'
import { selectLot, findBiddenLot } from './queries.ts'
import { touchBid } from './touch.ts'
import { conflict, notFound, Problem, requireFound, validationFailed, type RecordName } from '../problems.ts'
import { plainPrinter, describeCause, describeFieldError } from '../sentences.ts'
import { parseId } from '../values/ids.ts'
import { revise } from '../writes/touch.ts'
import { inTransaction, readWritten } from '../writes/transaction.ts'
import { holdPreparation } from '../sessions/locks.ts'

// Bids on one lot wait for the lot's lock. Bids on different lots share no lock, except first bids: the preparation of
// a session (activation, schedule) locks it FOR UPDATE and checks that it has no bids, so a first bid holds FOR KEY
// SHARE on the session. The end of bidding locks all lots of the session.

/**
 * Records a bid of `amount` minor units on a lot, and returns the lot. A late bid on a timed lot moves its close
 * (section 2.2). A live lot closes with its session. The bid's time is that of the database while the lot is locked. A
 * refused bid has its row in the journal too: its transaction is committed.
 * @throws Problem not-found, conflict if the lot takes no bids now, validation-failed if the bid is too low
 */
export async function placeBid(context: Context, input: { lot: string; amount: number }): Promise<Written> {
  const outcome = await inTransaction(context, (tx) => place(tx, input))
  if (outcome instanceof Problem) throw outcome
  return outcome
}

type Offer = Awaited<ReturnType<typeof readOffer>>

function findRefusal(offer: Offer, amount: number, { house }: Context): Problem | undefined {
  if (offer.archived) return notFound('lot', offer.public_id, true)
  const obstacle = findBiddingObstacle(offer, offer.time)
  if (obstacle) return conflict(obstacle)
  const least = leastBid(offer, offer.steps)
  if (amount >= least && amount !== offer.current_bid) return undefined
  const minimum = { amount: least, currency: house.currency }
  return validationFailed([fieldError('amount', 'out_of_range', 'must be at least', { minimum })])
}

// The row is about the lot: its reason needs no ids.
const printer = { ...plainPrinter, name: ({ kind }: RecordName) => kind }

function explain({ causes: [cause], errors: [error] = [] }: Problem): string {
  if (cause) return describeCause(cause, printer)
  return error ? describeFieldError(error, printer) : 'the lot is archived'
}

async function place(
  context: Context,
  { lot: uuid, amount }: { lot: string; amount: number },
): Promise<Written | Problem> {
  const { id, session_id, has_bids } = requireFound(await findBiddenLot(context, uuid), 'lot', uuid)
  if (!has_bids) await holdPreparation(context, session_id)
  await holdLot(context, id)
  const offer = await readOffer(context, id)
  const tx = { ...context, now: offer.time }
  const fields = { amount: { amount, currency: tx.house.currency }, placed_at: tx.now }
  const before = { current_bid: offer.current_bid, closes_at: offer.closes_at }
  const lot = { lot: { id, public_id: uuid }, before }

  const refusal = findRefusal(offer, amount, tx)
  if (refusal) {
    await touchBid(tx, { uuid: null, fields }, { ...lot, after: before }, explain(refusal))
    return refusal
  }
  const placed = randomUUID()
  await insertBid(tx, { public_id: placed, lot_id: id, amount })
  const closes_at = offer.kind === 'timed' ? extendClose(offer.closes_at!, tx.now, offer) : offer.closes_at
  await touchBid(tx, { uuid: placed, fields }, { ...lot, after: { current_bid: amount, closes_at } })
  return readWritten(tx, selectLot(tx, uuid))
}

/**
 * Cancels a bid, named by its prefixed or bare id, on a lot without a result. The bid stays, marked. The highest bid
 * left becomes the current one; the close stays. Repeating it changes nothing. Returns the lot's document.
 * @throws Problem not-found, conflict if the lot has a result
 */
export async function cancelBid(context: Context, input: { bid: string; reason: string }): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const uuid = parseId('bid', input.bid)
    const found = requireFound(uuid === undefined ? undefined : await findBid(tx, uuid), 'bid', uuid)
    await holdLot(tx, found.lot_id)
    const [offer, bid] = [await readOffer(tx, found.lot_id), (await findBid(tx, uuid!))!]
    const lot = { kind: 'lot', uuid: bid.lot } as const
    if (offer.archived) throw notFound('lot', bid.lot, true)
    if (bid.cancelled_at === null) {
      const state = offer.result_state
      if (state !== null) throw conflict({ reason: 'has_result', record: lot, state, by: 'cancellation' })
      const cancelled = { ...tx, now: offer.time }
      await markCancelled(cancelled, bid.id, input.reason)
      const highest = await findHighestBid(tx, found.lot_id)
      // A loaded current bid may have no bid of its own.
      const isReplaced = Number(bid.amount) === offer.current_bid && highest !== bid.amount
      const left = highest === null ? null : Number(highest)
      const before = { current_bid: offer.current_bid, closes_at: offer.closes_at }
      await touchBid(
        cancelled,
        { uuid: uuid!, fields: { cancelled_at: cancelled.now } },
        {
          lot: { id: found.lot_id, public_id: bid.lot },
          before,
          after: { ...before, ...(isReplaced && { current_bid: left }) },
        },
        input.reason,
      )
      // Staff see how many bids stand.
      if (!isReplaced) await revise(cancelled, 'lots', [found.lot_id])
    }
    return readWritten(tx, selectLot(tx, bid.lot))
  })
}
