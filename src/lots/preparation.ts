import { type SessionState, findObstacle } from '../sessions/preparation.ts'
import type { Context } from '../context.ts'
import { sessionHasBids, sessionHasResults } from './statements.ts'
import { type Cause, refuseAll } from '../problems.ts'

type Prepared = SessionState & { public_id: string | null; published: boolean }

/** What lots of a session, archived ones included, have had. */
type Traces = { hasBids: boolean; hasResults: boolean }

/** What the lots of a session have had. */
export const findTraces = async (tx: Context, session: string): Promise<Traces> => ({
  hasBids: await sessionHasBids(tx, session),
  hasResults: await sessionHasResults(tx, session),
})

const nameOf = ({ public_id: uuid }: Prepared) => ({ kind: 'session', uuid }) as const

/**
 * Why a locked session is no longer in preparation: it is finished, opens in less than five minutes, or a lot has had a
 * bid. The opening does not count while it is not published and has no results: a date typed wrongly can be corrected.
 * Look again before the commit. `by`: the session has the terms of the change.
 */
export function findCauses(session: Prepared, { hasBids, hasResults }: Traces, now: Date, by?: 'new_opening'): Cause[] {
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

/**
 * Checks that a locked session is still in preparation. Returns the check, to repeat before the commit.
 * @throws Problem conflict
 */
export async function requirePreparation(tx: Context, session: Prepared): Promise<() => void> {
  const traces = await findTraces(tx, session.id)
  const check = () => refuseAll({ causes: findCauses(session, traces, tx.clock()), errors: [] })
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
  const check = () => refuseAll({ causes: [...findCauses(session, traces, tx.clock()), ...fixed], errors: [] })
  check()
  return check
}
