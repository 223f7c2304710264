import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockAnyItem } from '../items/statements.ts'
import { enqueueRecalculation } from '../jobs/queue.ts'
import { selectAnyLot } from '../lots/queries.ts'
import { insertLot, lockAnyLot } from '../lots/statements.ts'
import { lockFlags } from '../sessions/statements.ts'
import { printId } from '../values/ids.ts'
import { requireRecord } from './named-records.ts'
import { Refusal } from './refusal.ts'

/** A lot to add: UUIDs of its session and item, an int32 number, the starting bid in minor units. */
export type NewLot = { session: string; item: string; lot_number: number; starting_bid: number | null }

/**
 * Adds an inactive lot to a session that is not finished, even if it is published or has opened. Gives the lot's document.
 * @throws Refusal when the session is finished, the item archived or of another house, or the number taken
 */
export async function addLot(context: Context, input: NewLot): Promise<string> {
  const { lot_number, starting_bid } = input
  const uuid = randomUUID()
  try {
    return await inTransaction(context, async (tx) => {
      const session = requireRecord('session', input.session, await lockFlags(tx, input.session))
      if (session.finished) throw new Refusal(`the session ${printId('session', input.session)} is finished`)
      const item = requireRecord('item', input.item, await lockAnyItem(tx, input.item), tx.house)
      if (item.archived) throw new Refusal(`the item ${printId('item', input.item)} is archived`)
      await insertLot(tx, {
        public_id: uuid,
        auction_id: session.auction_id,
        session_id: session.id,
        item_id: item.id,
        lot_number,
        starting_bid,
      })
      return readOne(tx.db, selectAnyLot(tx, uuid))
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'lots_number') throw error
    throw new Refusal(`the session has a lot ${lot_number} already`)
  }
}

/**
 * Archives a lot and gives its document. Repeating it changes nothing. If the session is still in preparation, its closing
 * times are computed again without the lot.
 * @throws Refusal when there is no such lot
 */
export async function archiveLot(context: Context, uuid: string): Promise<string> {
  return inTransaction(context, async (tx) => {
    const lot = requireRecord('lot', uuid, await lockAnyLot(tx, uuid))
    if (!lot.archived) {
      await touch(tx, 'lots', lot.id, { archived: true })
      if (lot.active) await enqueueRecalculation(tx, lot.session_id)
    }
    return readOne(tx.db, selectAnyLot(tx, uuid))
  })
}
