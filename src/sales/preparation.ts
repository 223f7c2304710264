import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import { writeClosingTimes } from '../lots/closing.ts'
import { advanceLots, lockLots } from '../lots/statements.ts'
import { refuseAll } from '../problems.ts'
import type { SessionTerms } from '../sessions/schema.ts'
import { writeTerms, type StoredSession } from '../sessions/sessions.ts'
import { findTraces, findCauses } from '../lots/preparation.ts'

/**
 * Changes the terms of a session that `lockSession` has locked, and computes the closing times of its lots. Returns a
 * check to repeat before the commit.
 * @throws Problem conflict if the session is no longer in preparation, or would not be with its new opening;
 *   validation-failed
 */
export async function prepareSession(
  tx: Context,
  stored: StoredSession,
  terms: Static<typeof SessionTerms>,
): Promise<() => void> {
  const traces = await findTraces(tx, stored.id)
  const { session, hasChanged } = await writeTerms(tx, stored, terms).catch((error: unknown) => {
    // The state of the session (409) comes before the rules of its terms (422).
    refuseAll({ causes: findCauses(stored, traces, tx.clock()), errors: [] })
    throw error
  })
  if (!hasChanged) return () => undefined
  const check = () => {
    refuseAll({ causes: findCauses(stored, traces, tx.clock()), errors: [] })
    refuseAll({ causes: findCauses(session, traces, tx.clock(), 'new_opening'), errors: [] })
  }
  check()
  await writeClosingTimes(tx, session)
  if (session.live_closes_at?.getTime() !== stored.live_closes_at?.getTime()) {
    await lockLots(tx, session.id)
    await advanceLots(tx, session.id)
  }
  return check
}
