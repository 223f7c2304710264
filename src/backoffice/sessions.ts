import type { Context, Written } from '../context.ts'
import { readWritten, inTransaction } from '../writes/transaction.ts'
import { noteChange } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import { lockLots } from '../lots/statements.ts'
import { selectSession } from '../sessions/queries.ts'
import { lockFlags } from '../sessions/statements.ts'
import { printId } from '../values/ids.ts'
import { requireRecord } from './named-records.ts'
import { Refusal } from './refusal.ts'

/** The moves of a session: the flag that each sets, and whether it ends bidding. */
const sessionMoves = {
  publish: { flag: 'published', value: true, endsBidding: false },
  unpublish: { flag: 'published', value: false, endsBidding: true },
  finish: { flag: 'finished', value: true, endsBidding: true },
  'enable-bidding': { flag: 'customer_bidding_enabled', value: true, endsBidding: false },
  'disable-bidding': { flag: 'customer_bidding_enabled', value: false, endsBidding: true },
} as const

/** One of the moves. */
export type SessionMove = keyof typeof sessionMoves

/**
 * Sets only one flag of a session. Returns the session. Repeating a move changes nothing.
 * @throws Refusal if there is no such session, or bidding is to be enabled in a finished one
 */
export async function moveSession(context: Context, uuid: string, move: SessionMove): Promise<Written> {
  const { flag, value, endsBidding } = sessionMoves[move]
  return inTransaction(context, async (tx) => {
    const session = requireRecord('session', uuid, (await lockFlags(tx, [uuid]))[0])
    if (move === 'enable-bidding' && session.finished)
      throw new Refusal(`the session ${printId('session', uuid)} is finished`)
    if (session[flag] !== value) {
      await touch(tx, 'sessions', session.id, { [flag]: value })
      noteChange(tx, { kind: 'session', uuid }, { [flag]: session[flag] }, { [flag]: value })
      // A bid reads the session's flags while its lot is locked. Locking all lots therefore waits for the bids under
      // way, and later bids see the flags as they are after the commit.
      if (endsBidding) await lockLots(tx, session.id)
    }
    return readWritten(tx, selectSession(tx, uuid))
  })
}
