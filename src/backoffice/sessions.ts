import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { selectSession } from '../sessions/queries.ts'
import { printId } from '../values/ids.ts'
import { missing } from './named-records.ts'
import { Refusal } from './refusal.ts'

/** What staff do to a session: which flag each move sets, and whether no bid may be taken from then on. */
export const sessionMoves = {
  publish: { flag: 'published', value: true, endsBidding: false },
  unpublish: { flag: 'published', value: false, endsBidding: true },
  finish: { flag: 'finished', value: true, endsBidding: true },
  'enable-bidding': { flag: 'customer_bidding_enabled', value: true, endsBidding: false },
  'disable-bidding': { flag: 'customer_bidding_enabled', value: false, endsBidding: true },
} as const

/** One of the moves. */
export type SessionMove = keyof typeof sessionMoves

type Flags = {
  id: string
  auction_id: string
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
}

/**
 * Locks a session for a change by staff, before any of its lots. It excludes every other change of the session and of
 * its preparation, but doesn't queue behind the bids of a running sale: those hold FOR KEY SHARE at most.
 * @throws Refusal when there is no such session
 */
export async function lockSession(tx: Database, { id }: { id: string }, uuid: string): Promise<Flags> {
  const { rows } = await sql<Flags>`
    select id, auction_id, published, finished, customer_bidding_enabled from catalogue.sessions
    where house_id = ${id} and public_id = ${uuid} for no key update`.execute(tx)
  if (!rows[0]) throw missing('session', uuid)
  return rows[0]
}

// A bid reads the session's flags under its lot's lock. Whoever has the locks of all lots has therefore waited for the
// bids under way, and those that come later see the flags as they are after the commit.
async function awaitBids(tx: Database, house: { id: string }, session: string): Promise<void> {
  await sql`
    select count(*) from (select from catalogue.lots
      where house_id = ${house.id} and session_id = ${session} and not archived order by id for update) locked`.execute(
    tx,
  )
}

/**
 * Sets one flag of a session, nothing else, and gives its document; repeating a move changes nothing.
 * @throws Refusal when there is no such session, or bidding is to be enabled in a finished one
 */
export async function moveSession(context: Context, uuid: string, move: SessionMove): Promise<string> {
  const { flag, value, endsBidding } = sessionMoves[move]
  return inTransaction(context, async ({ db: tx }) => {
    const inside = { ...context, db: tx }
    const session = await lockSession(tx, context.house, uuid)
    if (move === 'enable-bidding' && session.finished)
      throw new Refusal(`the session ${printId('session', uuid)} is finished`)
    if (session[flag] !== value) {
      await touch(inside, 'sessions', session.id, { [flag]: value })
      if (endsBidding) await awaitBids(tx, context.house, session.id)
    }
    return readOne(inside.db, selectSession(inside, uuid))
  })
}
