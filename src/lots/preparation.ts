import { findOpening } from '../sessions/preparation.ts'
import type { Context } from '../context.ts'
import { sessionHasBids, sessionHasResults } from './statements.ts'
import { type Cause, refuseAll } from '../problems.ts'

type Locked = {
  id: string
  public_id: string | null
  opens_at: Date | null
  published: boolean
  finished: boolean
  numbers_fixed: boolean
}

/** A locked session, with what its lots, archived ones included, have had. */
export type Prepared = Locked & { hasBids: boolean; hasResults: boolean }

/** Reads what the lots of a locked session have had. */
export const readPrepared = async <Session extends Locked>(
  tx: Context,
  session: Session,
): Promise<Session & Prepared> => ({
  ...session,
  hasBids: await sessionHasBids(tx, session.id),
  hasResults: await sessionHasResults(tx, session.id),
})

/**
 * Checks that a session is still in preparation: it is not finished, opens in five minutes at the earliest, and no lot has
 * had a bid. The opening does not count while it is not published and has no results: a date typed wrongly can be
 * corrected. Check again before the commit: only time may have changed. `by`: the numbers of the lots change, which may be
 * fixed, or the session has the terms of the change.
 * @throws Problem conflict, with all causes
 */
export function requirePreparation(
  { clock }: Pick<Context, 'clock'>,
  session: Prepared,
  by?: 'new_numbers' | 'new_opening',
): void {
  const record = { kind: 'session', uuid: session.public_id } as const
  const counts = session.published || session.hasResults
  const opening = counts ? findOpening(session.opens_at, clock()) : undefined
  const causes: Cause[] = []
  if (session.finished) causes.push({ reason: 'finished', record })
  else if (opening)
    causes.push({
      reason: 'opens_soon',
      record,
      hasOpened: opening === 'opened',
      ...(by === 'new_opening' && { by }),
    })
  if (session.hasBids) causes.push({ reason: 'has_bids', record })
  if (session.numbers_fixed && by === 'new_numbers') causes.push({ reason: 'numbers_fixed', record })
  refuseAll({ causes, errors: [] })
}
