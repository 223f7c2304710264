import { selectAnyAuction, type AuctionExpansion } from '../../auctions/queries.ts'
import { isForSale, lockAnyAuction } from '../../auctions/statements.ts'
import { touchAuction } from '../../auctions/touch.ts'
import type { Context, Written } from '../../context.ts'
import { readWritten, requireLocked, inTransaction } from '../../writes/transaction.ts'
import { printId } from '../../values/ids.ts'
import { requireRecord } from '../named-records.ts'
import { Refusal } from '../refusal.ts'

/** What staff change of an auction. An omitted field stays. */
export type AuctionChange = { published?: boolean | undefined; archived?: true | undefined }

/**
 * Publishes an auction, makes it a draft again, or archives it. Returns it. An archived one can
 * only be archived again. Repeating it changes nothing.
 * @throws Refusal if there is no such auction, it is archived, or it would be archived while lots of an unfinished
 *   session are in it; Problem precondition-failed, precondition-required
 */
export async function changeAuction(
  context: Context,
  uuid: string,
  change: AuctionChange,
  expand?: readonly AuctionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly AuctionExpansion[]) => selectAnyAuction(tx, uuid, names)
    const found = requireRecord('auction', uuid, await lockAnyAuction(tx, uuid))
    if (found.archived && !(change.archived && change.published === undefined))
      throw new Refusal(`the auction ${printId('auction', uuid)} is archived`, { isMissing: true })
    const auction = await requireLocked(tx, found, select)
    const { published = auction.published, archived = auction.archived } = change
    if (archived && !auction.archived && (await isForSale(tx, auction.id)))
      throw new Refusal(`a session of the auction ${printId('auction', uuid)} has lots and is not finished`, {
        reason: 'in_use',
      })
    await touchAuction(tx, auction, { published, archived })
    return readWritten(tx, select(expand))
  })
}
