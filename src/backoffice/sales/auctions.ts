import { selectAnyAuction, type AuctionExpansion } from '../../auctions/queries.ts'
import { isForSale, lockAnyAuction } from '../../auctions/statements.ts'
import { touchAuction } from '../../auctions/touch.ts'
import type { Context, Written } from '../../context.ts'
import { readWritten, requireLocked, inTransaction } from '../../writes/transaction.ts'
import { conflict, notFound } from '../../problems.ts'

/** What staff change of an auction. An omitted field stays. */
export type AuctionChange = { published?: boolean | undefined; archived?: true | undefined }

/**
 * Publishes an auction, makes it a draft again, or archives it. Returns it. An archived one can
 * only be archived again. Repeating it changes nothing.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict if it would be archived while lots of
 *   an unfinished session are in it
 */
export async function changeAuction(
  context: Context,
  uuid: string,
  change: AuctionChange,
  expand?: readonly AuctionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly AuctionExpansion[]) => selectAnyAuction(tx, uuid, names)
    const found = await lockAnyAuction(tx, uuid)
    if (found?.archived && !(change.archived && change.published === undefined)) throw notFound('auction', uuid, true)
    const auction = await requireLocked(tx, found, select, 'auction', uuid)
    const { published = auction.published, archived = auction.archived } = change
    if (archived && !auction.archived && (await isForSale(tx, auction.id)))
      throw conflict({ reason: 'in_use', record: { kind: 'auction', uuid } })
    await touchAuction(tx, auction, { published, archived })
    return readWritten(tx, select(expand))
  })
}
