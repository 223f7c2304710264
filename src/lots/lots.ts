import type { Context, Written } from '../context.ts'
import { readDocument } from '../reads/reads.ts'
import { readWritten, requireLocked } from '../writes/read-back.ts'
import { touch } from '../writes/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import { enqueueRecalculation } from '../jobs/queue.ts'
import { fieldError } from '../http/body/validation.ts'
import { Problem, requireFound, validationFailed } from '../problems.ts'
import { findActivationObstacle, lockPreparation } from '../sessions/preparation.ts'
import { selectLot, type LotExpansion } from './queries.ts'
import { findLot, sessionHasBids } from './statements.ts'

/**
 * Switches a lot on or off while its session is prepared (sections 3 and 4.3). Repeating its value changes nothing, in
 * any state. A timed session's closing times are recalculated after the commit.
 * @throws Problem not-found, precondition-failed, precondition-required, lot-not-changeable, validation-failed,
 *   integrity-unavailable, in this order
 */
export async function setLotActive(
  context: Context,
  uuid: string,
  active: boolean,
  expand?: readonly LotExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    // A session is locked before its lots. A lot never changes its session.
    const { session_id } = requireFound(await findLot(tx, uuid), 'lot')
    const session = (await lockPreparation(tx, session_id))!
    const select = (names?: readonly LotExpansion[]) => selectLot(tx, uuid, names)
    const lot = await requireLocked(tx, await findLot(tx, uuid), select, 'lot')
    if (lot.active === active) return readWritten(tx, select(expand))

    const refuse = (obstacle: string | undefined) => {
      if (obstacle !== undefined) throw new Problem('lot-not-changeable', obstacle)
    }
    const hasBids = await sessionHasBids(tx, session_id)
    refuse(findActivationObstacle(session, hasBids, tx.now))
    if (active && lot.lot_number === null)
      throw validationFailed([fieldError('active', 'invalid', 'cannot be set on a lot without a number')])
    await touch(tx, 'lots', lot.id, { active })
    if (session.kind === 'timed') await enqueueRecalculation(tx, session_id)
    const document = await readDocument(tx.db, select(expand))
    // Meanwhile the session may have come within five minutes of its opening.
    refuse(findActivationObstacle(session, hasBids, tx.clock()))
    return document
  })
}
