import { sql } from 'kysely'
import { selectAuction } from '../auctions/queries.ts'
import type { Context } from '../context.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { printId } from '../values/ids.ts'
import { missing } from './named-records.ts'
import { Refusal } from './refusal.ts'

/**
 * Publishes an auction, or makes it a draft again, and gives its document; repeating it changes nothing.
 * @throws Refusal when there is no such auction or it is archived
 */
export async function setAuctionPublished(context: Context, uuid: string, published: boolean): Promise<string> {
  const { house } = context
  return inTransaction(context, async ({ db: tx }) => {
    const inside = { ...context, db: tx }
    const { rows } = await sql<{ id: string; published: boolean; archived: boolean }>`
      select id, published, archived from catalogue.auctions
      where house_id = ${house.id} and public_id = ${uuid} for update`.execute(tx)
    const [auction] = rows
    if (!auction) throw missing('auction', uuid)
    if (auction.archived) throw new Refusal(`the auction ${printId('auction', uuid)} is archived`)
    if (auction.published !== published) await touch(inside, 'auctions', auction.id, { published })
    return readOne(inside.db, selectAuction(inside, uuid))
  })
}
