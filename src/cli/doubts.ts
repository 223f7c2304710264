import type { Context } from '../context.ts'
import { findEstimates } from '../lots/queries.ts'
import { findDoubt } from '../values/doubts.ts'
import { printMoney } from '../values/typed-money.ts'
import { CommandError } from './command-error.ts'
import { rehearse } from './confirm.ts'

/** A starting bid in minor units, or none, of an item, or of a lot, by its UUID. */
type TypedBid = { uuid: string; starting_bid: number | null | undefined }

/** Why typed starting bids may be meant in other units, in their order: what a command asks about each, if anything. */
export async function findDoubts(
  context: Context,
  kind: 'item' | 'lot',
  bids: readonly TypedBid[],
): Promise<(string | undefined)[]> {
  const estimates = await findEstimates(
    context,
    kind,
    bids.map(({ uuid }) => uuid),
  )
  const print = (amount: number) => printMoney({ amount, currency: context.house.currency })
  return bids.map(({ uuid, starting_bid: bid }) => {
    const estimate = estimates.get(uuid)
    const doubt = bid == null || !estimate ? undefined : findDoubt(bid, estimate)
    return doubt && `the starting bid ${print(bid!)} is ${doubt.words}, ${print(doubt.bound)}: say --yes if it is right`
  })
}

/**
 * Carries out a change if there is no doubt about it. Otherwise what refuses the change comes before the doubts.
 * @throws CommandError with the doubts, and what the change throws
 */
export async function unlessDoubtful<T>(
  context: Context,
  found: readonly (string | undefined)[],
  change: (context: Context) => Promise<T>,
): Promise<T> {
  const doubts = found.filter((doubt) => doubt !== undefined)
  if (doubts.length === 0) return change(context)
  await rehearse(context, change)
  throw new CommandError(doubts)
}
