import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { writeClosingTimes } from '../../lots/closing.ts'
import { lockLots, sessionHasBids, sessionHasResults, touchLots } from '../../lots/session-statements.ts'
import { conflict } from '../../problems.ts'
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

/**
 * Checks that a locked session is still in preparation: it is not finished, opens in five minutes or more, or at no time
 * yet, and no lot has had a bid. The opening does not count while it is not published and has no results: a date typed
 * wrongly can be corrected. Check it again before the commit. `by`: the session has the terms of the change.
 * @throws Problem conflict
 */
function checkPreparation(session: Prepared, { hasBids, hasResults }: Traces, now: Date, by?: 'new_opening'): void {
  const counted = session.published || hasResults ? session : { ...session, opens_at: null }
  const obstacle = findObstacle(counted, hasBids, now)
  if (obstacle === undefined || obstacle === 'no_opening' || obstacle === 'no_schedule') return
  const record = { kind: 'session', uuid: session.public_id } as const
  if (obstacle === 'finished' || obstacle === 'has_bids') throw conflict({ reason: obstacle, record })
  throw conflict({ reason: 'opens_soon', record, hasOpened: obstacle === 'opened', ...(by && { by }) })
}

/**
 * Checks that a locked session is still in preparation. Returns the check, to repeat before the commit.
 * @throws Problem conflict
 */
export async function requirePreparation(tx: Context, session: Prepared): Promise<() => void> {
  const traces = await findTraces(tx, session.id)
  const check = () => checkPreparation(session, traces, tx.clock())
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
  const check = await requirePreparation(tx, session)
  if (session.numbers_fixed)
    throw conflict({ reason: 'numbers_fixed', record: { kind: 'session', uuid: session.public_id } })
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
    checkPreparation(stored, traces, tx.clock())
    throw error
  })
  if (!hasChanged) return () => undefined
  const check = () => {
    checkPreparation(stored, traces, tx.clock())
    checkPreparation(session, traces, tx.clock(), 'new_opening')
  }
  check()
  await writeClosingTimes(tx, session)
  if (session.live_closes_at?.getTime() !== stored.live_closes_at?.getTime()) {
    await lockLots(tx, session.id)
    await touchLots(tx, session.id)
  }
  return check
}
