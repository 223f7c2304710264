import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { enqueueRecalculation } from '../jobs/queue.ts'
import { fieldError } from '../request/validation.ts'
import { Problem, validationFailed } from '../problems.ts'
import { findActivationObstacle, lockPreparation } from '../sessions/preparation.ts'
import { selectLot, type LotExpansion } from './queries.ts'
import { sessionHasBids } from './statements.ts'

type LotState = { id: string; session: string; active: boolean; lot_number: number | null }

async function findLot(db: Database, house: string, uuid: string): Promise<LotState> {
  const { rows } = await sql<LotState>`
    select id, session_id as session, coalesce(active, false) as active, lot_number from catalogue.lots
    where house_id = ${house} and public_id = ${uuid} and not archived`.execute(db)
  if (!rows[0]) throw new Problem('not-found', 'There is no such lot.')
  return rows[0]
}

/**
 * Switches a lot on or off while its session is prepared (sections 3 and 4.3); repeating the value it has changes
 * nothing, in any state. A timed session's closing times are recalculated after the commit.
 * @throws Problem not-found, lot-not-changeable, validation-failed, integrity-unavailable, in this order
 */
export async function setLotActive(
  context: Context,
  uuid: string,
  active: boolean,
  expand?: readonly LotExpansion[],
): Promise<string> {
  const { house, now } = context
  return inTransaction(context, async ({ db: tx }) => {
    const inside = { ...context, db: tx }
    // Sessions are locked before their lots; a lot never changes its session.
    const { session: sessionId } = await findLot(tx, house.id, uuid)
    const session = (await lockPreparation(inside, sessionId))!
    const lot = await findLot(tx, house.id, uuid)
    if (lot.active === active) return readOne(inside.db, selectLot(inside, uuid, expand))

    const refuse = (obstacle: string | undefined) => {
      if (obstacle !== undefined) throw new Problem('lot-not-changeable', obstacle)
    }
    const hasBids = await sessionHasBids(inside, sessionId)
    refuse(findActivationObstacle(session, hasBids, now))
    if (active && lot.lot_number === null)
      throw validationFailed([fieldError('active', 'invalid', 'cannot be set on a lot without a number')])
    await touch(inside, 'lots', lot.id, { active })
    if (session.kind === 'timed') await enqueueRecalculation(tx, house.id, sessionId)
    const document = await readOne(inside.db, selectLot(inside, uuid, expand))
    // The session may have come within five minutes of its opening while this was written.
    refuse(findActivationObstacle(session, hasBids, context.clock()))
    return document
  })
}
