import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { parseBody } from '../../http/body/validation.ts'
import { writeClosingTimes } from '../../lots/closing.ts'
import { lockLots, sessionHasBids, sessionHasResults, touchLots } from '../../lots/session-statements.ts'
import { Problem } from '../../problems.ts'
import { describeFieldError } from '../../sentences.ts'
import { describeObstacle, findObstacle, type SessionState } from '../../sessions/preparation.ts'
import { SessionTerms } from '../../sessions/schema.ts'
import { writeTerms, type StoredSession } from '../../sessions/sessions.ts'
import { printId } from '../../values/ids.ts'
import { Refusal } from '../refusal.ts'

type Prepared = SessionState & { published: boolean }

/** What lots of a session, archived ones included, have had. */
type Traces = { hasBids: boolean; hasResults: boolean }

const findTraces = async (tx: Context, session: string): Promise<Traces> => ({
  hasBids: await sessionHasBids(tx, session),
  hasResults: await sessionHasResults(tx, session),
})

/**
 * Checks that a locked session is still in preparation: it is not finished, opens in five minutes or more, or at no time
 * yet, and no lot has had a bid. The opening does not count while it is not published and has no results: a date typed
 * wrongly can be corrected. Check it again before the commit. `terms` says whether the session has its stored terms, or
 * those of the change.
 * @throws Refusal
 */
function checkPreparation(
  uuid: string,
  session: Prepared,
  { hasBids, hasResults }: Traces,
  now: Date,
  terms: 'stored' | 'new' = 'stored',
): void {
  const counted = session.published || hasResults ? session : { ...session, opens_at: null }
  const obstacle = findObstacle(counted, hasBids, now)
  if (obstacle === undefined || obstacle === 'no_opening' || obstacle === 'no_schedule') return
  const reason = obstacle === 'opened' ? 'opens_soon' : obstacle
  const problem = `the ${describeObstacle(obstacle, `session ${printId('session', uuid)}`)}`
  throw new Refusal(terms === 'new' ? `with its new opening, ${problem}: name a later one` : problem, { reason })
}

/**
 * Checks that a locked session is still in preparation. Returns the check, to repeat before the commit.
 * @throws Refusal
 */
export async function requirePreparation(
  tx: Context,
  session: Prepared & { public_id: string | null },
): Promise<() => void> {
  const traces = await findTraces(tx, session.id)
  const check = () => checkPreparation(session.public_id!, session, traces, tx.clock())
  check()
  return check
}

/**
 * Checks that the numbers of the lots of a locked session may change. Returns a check to repeat before the commit.
 * @throws Refusal if they are fixed, or the session is no longer in preparation
 */
export async function checkRenumbering(
  tx: Context,
  session: Prepared & { public_id: string | null; numbers_fixed: boolean },
): Promise<() => void> {
  const check = await requirePreparation(tx, session)
  if (session.numbers_fixed)
    throw new Refusal(
      `the numbers of the session ${printId('session', session.public_id!)} are fixed: say --no-numbers-fixed first`,
      {
        reason: 'numbers_fixed',
      },
    )
  return check
}

/**
 * Changes the terms of a session that `lockSession` has locked, and computes the closing times of its lots. Returns a
 * check to repeat before the commit.
 * @throws Refusal if the session is no longer in preparation, or would not be with its new opening; Problem
 *   validation-failed
 */
export async function prepareSession(
  tx: Context,
  uuid: string,
  stored: StoredSession,
  terms: Static<typeof SessionTerms>,
): Promise<() => void> {
  const traces = await findTraces(tx, stored.id)
  const { session, hasChanged } = await writeTerms(tx, uuid, stored, terms).catch((error: unknown) => {
    // The state of the session (409) comes before the rules of its terms (422).
    checkPreparation(uuid, stored, traces, tx.clock())
    return refuseBody(error)
  })
  if (!hasChanged) return () => undefined
  const check = () => {
    checkPreparation(uuid, stored, traces, tx.clock())
    checkPreparation(uuid, session, traces, tx.clock(), 'new')
  }
  check()
  await writeClosingTimes(tx, session)
  if (session.live_closes_at?.getTime() !== stored.live_closes_at?.getTime()) {
    await lockLots(tx, session.id)
    await touchLots(tx, session.id)
  }
  return check
}

/**
 * The terms that a command gives, in the shape of a body.
 * @throws Refusal
 */
export async function readTerms(terms: unknown): Promise<Static<typeof SessionTerms>> {
  return Promise.resolve()
    .then(() => parseBody(SessionTerms, terms, 'PATCH'))
    .catch(refuseBody)
}

// A command says what is wrong with a body in words.
function refuseBody(error: unknown): never {
  if (!(error instanceof Problem) || !error.errors) throw error
  const { errors } = error
  throw new Refusal(errors.map((error) => describeFieldError(error)).join('; '), { errors }, { cause: error })
}
