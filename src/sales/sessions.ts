import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Context, ResultsMode, Written } from '../context.ts'
import type { Fields } from '../http/body/validation.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { readDatabaseClock } from '../writes/time.ts'
import { enqueueDecision } from '../jobs/queue.ts'
import { lockDecided } from '../lots/result-statements.ts'
import { hasClosed } from '../lots/outcomes.ts'
import { writeClosingTimes } from '../lots/closing.ts'
import { readPrepared, requirePreparation, type Prepared } from '../lots/preparation.ts'
import { advanceLots } from '../lots/touch.ts'
import { lockLots, lockLotsOfSession, sessionHasBids, sessionHasResults } from '../lots/statements.ts'
import { conflict } from '../problems.ts'
import { selectSession, type SessionExpansion } from '../sessions/queries.ts'
import type { SessionTerms } from '../sessions/schema.ts'
import { writeTerms, type StoredSession } from '../sessions/sessions.ts'
import { lockSession } from '../sessions/statements.ts'
import { findPast, instantOf } from '../sessions/timing.ts'
import { endSession, touchSession } from '../sessions/touch.ts'

/** The flags that staff set. An omitted one stays. The end is not taken back. */
type SessionFlags = {
  published?: boolean | undefined
  customer_bidding_enabled?: boolean | undefined
  finished?: true | undefined
}

/**
 * What staff change of a session. An omitted value stays. `terms`: what the preparation of its sale sets. `results`: who
 * records them. `numbers_fixed`: whether the list is printed. Only staff see these two.
 */
export type SessionChange = SessionFlags & {
  terms?: Static<typeof SessionTerms> | undefined
  results?: ResultsMode | undefined
  numbers_fixed?: boolean | undefined
}

const endsBidding = ({ published, customer_bidding_enabled, finished }: SessionFlags) =>
  published === false || customer_bidding_enabled === false || finished === true

/** What the end accepts: active timed lots that have neither closed nor a result, and lots without a result. */
type FinishOptions = { early?: boolean | undefined; allowWithoutResult?: boolean | undefined }

/**
 * Changes a session, and returns it. Repeating it changes nothing.
 * @throws Problem not-found, precondition-failed, precondition-required, validation-failed, conflict if its preparation
 *   is over, bidding is to be enabled in a finished one, who records results is to change after the opening, or the end
 *   meets what `accepted` does not have
 */
export async function changeSession(
  context: Context,
  uuid: string,
  { terms, results, numbers_fixed, ...flags }: SessionChange,
  accepted: FinishOptions = {},
  expand?: readonly SessionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly SessionExpansion[]) => selectSession(tx, uuid, names)
    const record = { kind: 'session', uuid } as const
    const locked = await lockSession(tx, uuid, terms ? 'terms' : 'flags')
    const session = await requireLocked(tx, locked, select, 'session', uuid)
    const prepared = terms && (await prepareSession(tx, session, terms))
    if (results !== undefined) await setResultsMode(tx, session, results, instantOf(terms?.opens_at))
    if (numbers_fixed !== undefined) await touchSession(tx, session, { numbers_fixed })
    if (flags.customer_bidding_enabled && session.finished) throw conflict({ reason: 'finished', record })
    const { published, customer_bidding_enabled, finished } = session
    const before = { published, customer_bidding_enabled, finished }
    const after = {
      published: flags.published ?? published,
      customer_bidding_enabled: flags.customer_bidding_enabled ?? customer_bidding_enabled,
      finished: flags.finished ?? finished,
    }
    if (!isDeepStrictEqual(after, before)) {
      if (after.finished && !finished) await checkFinish(tx, session, accepted)
      const begins = (after.published && !published) || (after.customer_bidding_enabled && !customer_bidding_enabled)
      // A lot that closed while it took no bids is left to staff.
      await touchSession(tx, session, { ...after, ...(begins && { decides_from: await readDatabaseClock(tx) }) })
      // A bid reads the session's flags while its lot is locked. Locking all lots therefore waits for the bids under
      // way, and later bids see the flags as they are after the commit.
      if (endsBidding(flags)) await lockLots(tx, session.id)
      if (begins && session.results === 'automatic') await enqueueDecision(tx, session.id)
    }
    if (prepared) requireStillPrepared(tx, prepared)
    const written = await readWritten(tx, select(expand))
    const times = after.published && !published ? (JSON.parse(written.json) as Fields) : (terms ?? {})
    return { ...written, warnings: findPast(times, tx.now) }
  })
}

/** A session as it is stored, and as new terms make it. */
type Preparation = Record<'stored' | 'wanted', StoredSession & Prepared>

function requireStillPrepared(tx: Context, { stored, wanted }: Preparation): void {
  requirePreparation(tx, stored)
  requirePreparation(tx, wanted, 'new_opening')
}

// Changes the terms of a locked session, and computes the closing times of its lots. Returns undefined if nothing changes.
async function prepareSession(
  tx: Context,
  session: StoredSession,
  terms: Static<typeof SessionTerms>,
): Promise<Preparation | undefined> {
  const stored = await readPrepared(tx, session)
  const { session: changed, hasChanged } = await writeTerms(tx, stored, terms).catch((error: unknown) => {
    // The state of the session (409) comes before the rules of its terms (422).
    requirePreparation(tx, stored)
    throw error
  })
  if (!hasChanged) return undefined
  const prepared = { stored, wanted: { ...stored, ...changed } }
  requireStillPrepared(tx, prepared)
  await writeClosingTimes(tx, changed)
  if (changed.live_closes_at?.getTime() !== stored.live_closes_at?.getTime()) {
    await lockLots(tx, changed.id)
    await advanceLots(tx, changed.id)
  }
  return prepared
}

async function checkFinish(tx: Context, session: StoredSession, { early, allowWithoutResult }: FinishOptions) {
  const record = { kind: 'session', uuid: session.public_id } as const
  const lots = await lockDecided(tx, { session: session.id })
  const now = await readDatabaseClock(tx)
  const open = lots.filter((lot) => lot.kind === 'timed' && lot.active && !lot.result && !hasClosed(lot, now))
  if (open.length > 0 && !early) throw conflict({ reason: 'not_closed', record, count: open.length })
  const undecided = lots.filter((lot) => !lot.result).length
  if (undecided > 0 && !allowWithoutResult) throw conflict({ reason: 'without_result', record, count: undecided })
}

// `opening`: the new one of the same write.
async function setResultsMode(tx: Context, session: StoredSession, results: ResultsMode, opening?: Date) {
  if (session.results === results) return
  const record = { kind: 'session', uuid: session.public_id } as const
  if (session.finished) throw conflict({ reason: 'finished', record })
  const opens_at = opening ?? session.opens_at
  if (opens_at !== null && opens_at <= (await readDatabaseClock(tx)))
    throw conflict({ reason: 'opens_soon', record, hasOpened: true, ...(opening && { by: 'new_opening' }) })
  await touchSession(tx, session, { results })
  if (results === 'automatic') await enqueueDecision(tx, session.id)
}

/**
 * Deletes a session that is not published and has no unarchived lots. Its archived lots go with it, and its external
 * reference is free.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict if it is published or finished, a lot
 *   has had a bid or has a result, or it has lots
 */
export async function deleteSession(context: Context, uuid: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const select = (names?: readonly SessionExpansion[]) => selectSession(tx, uuid, names)
    const session = await requireLocked(tx, await lockSession(tx, uuid), select, 'session', uuid)
    const lots = await lockLotsOfSession(tx, session.id)
    const obstacles = [
      ['published', session.published],
      ['finished', session.finished],
      ['has_bids', await sessionHasBids(tx, session.id)],
      ['has_result', await sessionHasResults(tx, session.id)],
      ['in_use', lots.length > 0],
    ] as const
    const record = { kind: 'session', uuid } as const
    const [reason] = obstacles.find(([, holds]) => holds) ?? []
    if (reason) throw conflict({ reason, record, ...(reason === 'in_use' && { count: lots.length }) })
    await endSession(tx, session)
  })
}
