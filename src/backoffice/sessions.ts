import { isDeepStrictEqual } from 'node:util'
import type { Context, Written } from '../context.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { noteChange } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import { lockLots } from '../lots/statements.ts'
import { selectSession, type SessionExpansion } from '../sessions/queries.ts'
import { lockFlags } from '../sessions/statements.ts'
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

/**
 * Sets only flags of a session. Returns the session. Repeating it changes nothing.
 * @throws Refusal if there is no such session, or bidding is to be enabled in a finished one; Problem
 *   precondition-failed, precondition-required
 */
export async function setFlags(
  context: Context,
  uuid: string,
  flags: SessionFlags,
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
      await touch(tx, 'sessions', session.id, after)
      noteChange(tx, { kind: 'session', uuid }, before, after)
      // A bid reads the session's flags while its lot is locked. Locking all lots therefore waits for the bids under
      // way, and later bids see the flags as they are after the commit.
      if (endsBidding(flags)) await lockLots(tx, session.id)
    }
    return readWritten(tx, select(expand))
  })
}

/** One of the moves. */
export type SessionMove = keyof typeof sessionMoves

/** Sets the flag of a move, as `setFlags` does. */
export const moveSession = (context: Context, uuid: string, move: SessionMove): Promise<Written> =>
  setFlags(context, uuid, sessionMoves[move])
