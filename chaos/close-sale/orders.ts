import type { Context } from '../../src/context.ts'
import { listBids } from '../../src/lots/bid-queries.ts'
import { cancelBid, placeBid } from '../../src/lots/bids.ts'
import { changeLot, changeLots } from '../../src/lots/changes.ts'
import { recordResults } from '../../src/lots/results.ts'
import { changeSession } from '../../src/sales/sessions.ts'
import type { ResultState } from '../../src/values/offers.ts'

/**
 * What a bidder or a clerk asks of an instance, for a lot by its UUID. `cancel`: the highest bid that stands, or a lower
 * one. `closed`: what the job would do, for the closed lots that are not left out. Times in milliseconds, by the machine.
 */
export type Order =
  | { verb: 'bid'; lot: string; amount: number }
  | { verb: 'hold' | 'release'; lot: string }
  | { verb: 'result'; lot: string; state: ResultState }
  | { verb: 'back'; lot: string; closesAt?: number }
  | { verb: 'cancel'; lot: string; highest: boolean }
  | { verb: 'closed'; session: string; except: string[] }
  | { verb: 'finish'; session: string }

/** What an acknowledged order did: the close and the highest bid of its lot, and the amount that it cancelled. */
export type Done = { closes?: number; current?: number | null; cancelled?: number }

function read({ json }: { json: string }): Done {
  const { closes_at, current_bid } = JSON.parse(json) as { closes_at: string; current_bid: { amount: number } | null }
  return { closes: Date.parse(closes_at), current: current_bid?.amount ?? null }
}

/**
 * Carries out an order, as the command line does.
 * @throws Problem
 */
export async function carryOut(context: Context, order: Order): Promise<Done> {
  switch (order.verb) {
    case 'bid':
      return read(await placeBid(context, order))
    case 'back': {
      const closesAt = order.closesAt === undefined ? undefined : new Date(order.closesAt)
      return read(await changeLot(context, order.lot, { reopening: { reason: 'chaos', closesAt } }))
    }
    case 'cancel': {
      const standing = (await listBids(context, order.lot)).filter(({ cancelled_at }) => cancelled_at === null)
      const bid = standing.at(order.highest ? -1 : 0)
      if (!bid) return {}
      const cancelled = bid.amount.amount
      return { ...read(await cancelBid(context, { bid: bid.id!, reason: 'chaos' })), cancelled }
    }
    case 'hold':
    case 'release':
      await changeLots(context, [{ lot: order.lot, held: order.verb === 'hold' }])
      return {}
    case 'result':
    case 'closed':
      await recordResults(context, order.verb === 'closed' ? order : { results: [order] })
      return {}
    default:
      await changeSession(context, order.session, { finished: true })
      return {}
  }
}
