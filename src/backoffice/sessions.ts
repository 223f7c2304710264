import { isDeepStrictEqual } from 'node:util'
import type { Context, ResultsMode, Written } from '../context.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { noteChange } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import { enqueueDecision } from '../jobs/queue.ts'
import { lockDecided } from '../lots/result-statements.ts'
import { hasClosed } from '../lots/results.ts'
import { lockLots } from '../lots/statements.ts'
import { selectSession, type SessionExpansion } from '../sessions/queries.ts'
import { lockFlags, writeResultsMode } from '../sessions/statements.ts'
import { printId } from '../values/ids.ts'
import { requireRecord } from './named-records.ts'
import { Refusal } from './refusal.ts'

/** The flags that staff set. An omitted one stays. The end is not taken back. */
export type SessionFlags = {
  published?: boolean | undefined
  customer_bidding_enabled?: boolean | undefined
  finished?: true | undefined
}

/** The commands that set one flag each. */
const sessionMoves = {
  publish: { published: true },
  unpublish: { published: false },
  finish: { finished: true },
  'enable-bidding': { customer_bidding_enabled: true },
  'disable-bidding': { customer_bidding_enabled: false },
} as const satisfies Record<string, SessionFlags>

const endsBidding = ({ published, customer_bidding_enabled, finished }: SessionFlags) =>
  published === false || customer_bidding_enabled === false || finished === true

/** What the end accepts: active timed lots that have neither closed nor a result, and lots without a result. */
export type FinishOptions = { early?: boolean | undefined; allowWithoutResult?: boolean | undefined }

/**
 * Sets only flags of a session. Returns the session. Repeating it changes nothing.
 * @throws Refusal if there is no such session, bidding is to be enabled in a finished one, or the end meets what
 *   `accepted` does not have; Problem precondition-failed, precondition-required
 */
export async function setFlags(
  context: Context,
  uuid: string,
  flags: SessionFlags,
  accepted: FinishOptions = {},
  expand?: readonly SessionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly SessionExpansion[]) => selectSession(tx, uuid, names)
    const found = requireRecord('session', uuid, (await lockFlags(tx, [uuid]))[0])
    const session = await requireLocked(tx, found, select)
    if (flags.customer_bidding_enabled && session.finished)
      throw new Refusal(`the session ${printId('session', uuid)} is finished`, { reason: 'finished' })
    const { published, customer_bidding_enabled, finished } = session
    const before = { published, customer_bidding_enabled, finished }
    const after = { ...before, ...flags }
    if (!isDeepStrictEqual(after, before)) {
      if (after.finished && !finished) await checkFinish(tx, session.id, accepted)
      const begins = (after.published && !published) || (after.customer_bidding_enabled && !customer_bidding_enabled)
      // A lot that closed while it took no bids is left to staff.
      await touch(tx, 'sessions', session.id, { ...after, ...(begins && { decides_from: tx.clock() }) })
      noteChange(tx, { kind: 'session', uuid }, before, after)
      // A bid reads the session's flags while its lot is locked. Locking all lots therefore waits for the bids under
      // way, and later bids see the flags as they are after the commit.
      if (endsBidding(flags)) await lockLots(tx, session.id)
      if (begins && session.results === 'automatic') await enqueueDecision(tx, session.id)
    }
    return readWritten(tx, select(expand))
  })
}

async function checkFinish(tx: Context, session: string, { early, allowWithoutResult }: FinishOptions) {
  const lots = await lockDecided(tx, { session })
  const now = tx.clock()
  const open = lots.filter((lot) => lot.kind === 'timed' && lot.active && !lot.result && !hasClosed(lot, now))
  const names = (count: number) => `${count} ${count === 1 ? 'lot' : 'lots'} of the session`
  if (open.length > 0 && !early)
    throw new Refusal(`${names(open.length)} ${open.length === 1 ? 'has' : 'have'} not closed: say --early to finish`, {
      reason: 'not_closed',
      count: open.length,
    })
  const undecided = lots.filter((lot) => !lot.result).length
  if (undecided > 0 && !allowWithoutResult)
    throw new Refusal(`${names(undecided)} ${undecided === 1 ? 'has' : 'have'} no result`, {
      reason: 'without_result',
      count: undecided,
    })
}

/** One of the moves. */
export type SessionMove = keyof typeof sessionMoves

/** Sets the flag of a move, as `setFlags` does. */
export const moveSession = (
  context: Context,
  uuid: string,
  move: SessionMove,
  accepted?: FinishOptions,
): Promise<Written> => setFlags(context, uuid, sessionMoves[move], accepted)

/**
 * Sets who records the results of a session: the job, or staff. The interface does not show it.
 * @throws Refusal if there is no such session, or it has opened or is finished
 */
export async function setResultsMode(context: Context, uuid: string, results: ResultsMode): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const session = requireRecord('session', uuid, (await lockFlags(tx, [uuid]))[0])
    if (session.results !== results) {
      if (session.finished)
        throw new Refusal(`the session ${printId('session', uuid)} is finished`, { reason: 'finished' })
      if (session.opens_at !== null && session.opens_at <= tx.clock())
        throw new Refusal(`the session ${printId('session', uuid)} has opened: its results stay ${session.results}`)
      await writeResultsMode(tx, session.id, results)
      noteChange(tx, { kind: 'session', uuid }, { results: session.results }, { results })
      if (results === 'automatic') await enqueueDecision(tx, session.id)
    }
    return readWritten(tx, selectSession(tx, uuid))
  })
}
