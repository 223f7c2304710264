import { selectAuction } from '../auctions/queries.ts'
import { lockAnyAuction } from '../auctions/statements.ts'
import type { Context, Written } from '../context.ts'
import { readWritten, inTransaction } from '../writes/transaction.ts'
import { noteChange } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import { printId } from '../values/ids.ts'
import { requireRecord } from './named-records.ts'
import { Refusal } from './refusal.ts'

/**
 * Publishes an auction, or makes it a draft again. Returns it. Repeating it changes nothing.
 * @throws Refusal if there is no such auction or it is archived
 */
export async function setAuctionPublished(context: Context, uuid: string, published: boolean): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const auction = requireRecord('auction', uuid, await lockAnyAuction(tx, uuid))
    if (auction.archived) throw new Refusal(`the auction ${printId('auction', uuid)} is archived`)
    if (auction.published !== published) {
      await touch(tx, 'auctions', auction.id, { published })
      noteChange(tx, { kind: 'auction', uuid }, { published: auction.published }, { published })
    }
    return readWritten(tx, selectAuction(tx, uuid))
  })
}
