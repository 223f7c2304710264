import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { writeClosingTimes } from '../../lots/closing.ts'
import { advanceLots, lockLots, sessionHasBids, sessionHasResults } from '../../lots/session-statements.ts'
import { refuseAll, type Cause } from '../../problems.ts'
import { findObstacle, type SessionState } from '../../sessions/preparation.ts'
import type { SessionTerms } from '../../sessions/schema.ts'
import { writeTerms, type StoredSession } from '../../sessions/sessions.ts'

type Prepared = SessionState & { public_id: string | null; published: boolean }

/** What lots of a session, archived ones included, have had. */
type Traces = { hasBids: boolean; hasResults: boolean }

const findTraces = async (tx: Context, session: string): Promise<Traces> => ({
  hasBids: await sessionHasBids(tx, session),
  hasResults: await sessionHasResults(tx, session),
})

const nameOf = ({ public_id: uuid }: Prepared) => ({ kind: 'session', uuid }) as const

/**
 * Why a locked session is no longer in preparation: it is finished, opens in less than five minutes, or a lot has had a
 * bid. The opening does not count while it is not published and has no results: a date typed wrongly can be corrected.
 * Look again before the commit. `by`: the session has the terms of the change.
 */
function findCauses(session: Prepared, { hasBids, hasResults }: Traces, now: Date, by?: 'new_opening'): Cause[] {
  const record = nameOf(session)
  const counted = session.published || hasResults ? session : { ...session, opens_at: null }
  const obstacle = findObstacle(counted, false, now)
  const causes: Cause[] = []
  if (obstacle === 'finished') causes.push({ reason: 'finished', record })
  if (obstacle === 'opened' || obstacle === 'opens_soon')
    causes.push({ reason: 'opens_soon', record, hasOpened: obstacle === 'opened', ...(by && { by }) })
  if (hasBids) causes.push({ reason: 'has_bids', record })
  return causes
}

const refuse = (causes: Cause[]) => refuseAll({ causes, errors: [] })

/**
 * Checks that a locked session is still in preparation. Returns the check, to repeat before the commit.
 * @throws Problem conflict
 */
export async function requirePreparation(tx: Context, session: Prepared): Promise<() => void> {
  const traces = await findTraces(tx, session.id)
  const check = () => refuse(findCauses(session, traces, tx.clock()))
  check()
  return check
}

/**
 * Checks that the numbers of the lots of a locked session may change. Returns a check to repeat before the commit.
 * @throws Problem conflict if the session is no longer in preparation, or they are fixed
 */
export async function checkRenumbering(
  tx: Context,
  session: Prepared & { numbers_fixed: boolean },
): Promise<() => void> {
  const traces = await findTraces(tx, session.id)
  const fixed: Cause[] = session.numbers_fixed ? [{ reason: 'numbers_fixed', record: nameOf(session) }] : []
  const check = () => refuse([...findCauses(session, traces, tx.clock()), ...fixed])
  check()
  return check
}

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
    refuse(findCauses(stored, traces, tx.clock()))
    throw error
  })
  if (!hasChanged) return () => undefined
  const check = () => {
    refuse(findCauses(stored, traces, tx.clock()))
    refuse(findCauses(session, traces, tx.clock(), 'new_opening'))
  }
  check()
  await writeClosingTimes(tx, session)
  if (session.live_closes_at?.getTime() !== stored.live_closes_at?.getTime()) {
    await lockLots(tx, session.id)
    await advanceLots(tx, session.id)
  }
  return check
}
