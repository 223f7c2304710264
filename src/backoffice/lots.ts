import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import type { Database } from '../db/pool.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { enqueueRecalculation } from '../jobs/queue.ts'
import { lots } from '../lots/queries.ts'
import { printId } from '../values/ids.ts'
import { missing } from './named-records.ts'
import { Refusal } from './refusal.ts'
import { lockSession } from './sessions.ts'

/** A lot to add: UUIDs of its session and item, an int32 number, the starting bid in minor units. */
export type NewLot = { session: string; item: string; lot_number: number; starting_bid: number | null }

// The lock keeps a change of the item from missing its new lot.
async function lockItem(tx: Database, house: Context['house'], uuid: string): Promise<string> {
  const { rows } = await sql<{ id: string; archived: boolean }>`
    select id, archived from catalogue.items where house_id = ${house.id} and public_id = ${uuid} for share`.execute(tx)
  if (!rows[0]) throw missing('item', uuid, house.slug)
  if (rows[0].archived) throw new Refusal(`the item ${printId('item', uuid)} is archived`)
  return rows[0].id
}

// Archived lots too, which the interface doesn't show.
async function readAnyLot(context: Context, uuid: string): Promise<string> {
  const where = sql`l.house_id = ${context.house.id} and l.public_id = ${uuid}`
  return readOne(context.db, { ...lots(context), where })
}

/**
 * Adds an inactive lot to an unfinished session, published or opened ones too, and gives its document.
 * @throws Refusal when the session is finished, the item archived or of another house, or the number taken
 */
export async function addLot(context: Context, input: NewLot): Promise<string> {
  const { house, now } = context
  const uuid = randomUUID()
  try {
    return await inTransaction(context, async ({ db: tx }) => {
      const session = await lockSession(tx, house, input.session)
      if (session.finished) throw new Refusal(`the session ${printId('session', input.session)} is finished`)
      const item = await lockItem(tx, house, input.item)
      await sql`
        insert into catalogue.lots (house_id, public_id, auction_id, session_id, item_id, lot_number, active, starting_bid,
          created_at, updated_at)
        values (${house.id}, ${uuid}, ${session.auction_id}, ${session.id}, ${item}, ${input.lot_number}, false,
          ${input.starting_bid}, ${now}, ${now})`.execute(tx)
      return readAnyLot({ ...context, db: tx }, uuid)
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'lots_number') throw error
    throw new Refusal(`the session has a lot ${input.lot_number} already`)
  }
}

/**
 * Archives a lot and gives its document; repeating it changes nothing. The closing times of a session in preparation
 * are computed anew, without the lot.
 * @throws Refusal when there is no such lot
 */
export async function archiveLot(context: Context, uuid: string): Promise<string> {
  const { house } = context
  return inTransaction(context, async ({ db: tx }) => {
    const inside = { ...context, db: tx }
    const { rows } = await sql<{ id: string; session_id: string; active: boolean | null; archived: boolean }>`
      select id, session_id, active, archived from catalogue.lots
      where house_id = ${house.id} and public_id = ${uuid} for update`.execute(tx)
    const [lot] = rows
    if (!lot) throw missing('lot', uuid)
    if (!lot.archived) {
      await touch(inside, 'lots', lot.id, { archived: true })
      if (lot.active) await enqueueRecalculation(inside, lot.session_id)
    }
    return readAnyLot(inside, uuid)
  })
}
