import type { Context, Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'

/** The bids on a lot in the order in which they were recorded, cancelled ones too. */
export async function findBids({ db, house }: Scope, lot: string) {
  return db
    .selectFrom('catalogue.bids')
    .select(['public_id', 'amount', 'placed_at', 'cancelled_at', 'cancel_reason'])
    .where('house_id', '=', house.id)
    .where('lot_id', '=', lot)
    .orderBy('id')
    .execute()
}

/** The bid with this UUID. `lot`: the UUID of its lot. */
export async function findBid({ db, house }: Scope, uuid: string) {
  return db
    .selectFrom('catalogue.bids as b')
    .innerJoin('catalogue.lots as l', (join) => join.on('l.house_id', '=', house.id).onRef('l.id', '=', 'b.lot_id'))
    .select(['b.id', 'b.lot_id', 'b.amount', 'b.cancelled_at', 'l.public_id as lot'])
    .where('b.house_id', '=', house.id)
    .where('b.public_id', '=', uuid)
    .where('l.public_id', 'is not', null)
    .$narrowType<{ lot: string }>()
    .executeTakeFirst()
}

/** Marks a bid as cancelled now. */
export async function markCancelled(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  id: string,
  reason: string,
): Promise<void> {
  const bid = db.updateTable('catalogue.bids').set({ cancelled_at: now, cancel_reason: reason, updated_at: now })
  await sendAhead(db, bid.where('house_id', '=', house.id).where('id', '=', id))
}

/** The highest amount of the lot's bids that are not cancelled; null if there is none. Minor units. */
export async function findHighestBid({ db, house }: Scope, lot: string): Promise<string | null> {
  const { highest } = await db
    .selectFrom('catalogue.bids')
    .select(({ fn }) => fn.max<string | null>('amount').as('highest'))
    .where('house_id', '=', house.id)
    .where('lot_id', '=', lot)
    .where('cancelled_at', 'is', null)
    .executeTakeFirstOrThrow()
  return highest
}
