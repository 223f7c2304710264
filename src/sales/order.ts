import type { Context, Written } from '../context.ts'
import { fieldError } from '../http/body/validation.ts'
import { writeClosingTimes } from '../lots/closing.ts'
import { lockLotsOfSession } from '../lots/statements.ts'
import { touchLots } from '../lots/touch.ts'
import { selectSession, type SessionExpansion } from '../sessions/queries.ts'
import { touch } from '../writes/touch.ts'
import { inTransaction, readWritten, requireLocked } from '../writes/transaction.ts'
import { validationFailed } from '../problems.ts'
import { lockPreparationOf } from '../sessions/locks.ts'
import { readPrepared, requirePreparation } from '../lots/preparation.ts'

/** A lot by its UUID, and the number that it gets. */
export type NewNumber = { lot: string; lot_number: number }

/**
 * Gives the lots of a session new numbers, each unarchived lot once, while the session is in preparation. Computes the
 * closing times of a timed session, and advances the session. Repeating it changes nothing. Returns the session.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict if the numbers may not change now,
 *   validation-failed if a lot is missing, foreign or named twice
 */
export async function renumberLots(
  context: Context,
  uuid: string,
  numbers: readonly NewNumber[],
  expand?: readonly SessionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly SessionExpansion[]) => selectSession(tx, uuid, names)
    const session = await requireLocked(tx, await lockPreparationOf(tx, uuid), select, 'session', uuid)
    const lots = await lockLotsOfSession(tx, session.id)
    const byUuid = new Map(lots.map((lot) => [lot.public_id, lot]))
    const seen = new Set<string>()
    const errors = numbers.flatMap(({ lot }, index) => {
      const isTwin = seen.has(lot)
      seen.add(lot)
      if (isTwin) return [fieldError(`lots.${index}`, 'duplicate')]
      return byUuid.has(lot)
        ? []
        : [fieldError(`lots.${index}`, 'unavailable', 'is unknown, archived or of another session')]
    })
    const missing = lots.filter(({ public_id }) => public_id === null || !seen.has(public_id))
    if (missing.length > 0) {
      const names = missing.slice(0, 10).map(({ lot_number }) => lot_number ?? '-')
      const more = missing.length > names.length ? ', and others' : ''
      errors.push(
        fieldError(
          'lots',
          'invalid',
          `must name each unarchived lot once: these are missing: ${names.join(', ')}${more}`,
        ),
      )
    }
    const terms = { about: { kind: 'session', uuid } } as const
    const changed = numbers.flatMap(({ lot: name, lot_number }) => {
      const lot = byUuid.get(name)
      return !lot || lot.lot_number === lot_number ? [] : [{ lot, before: lot, after: { lot_number }, terms }]
    })
    if (errors.length === 0 && changed.length === 0) return readWritten(tx, select(expand))
    const prepared = await readPrepared(tx, session)
    // The state of the session (409) comes before the list (422).
    requirePreparation(tx, prepared, 'new_numbers')
    if (errors.length > 0) throw validationFailed(errors)
    await touchLots(tx, changed)
    // The order of its lots belongs to the session: If-Match guards it.
    await touch(tx, 'sessions', session.id, {})
    await writeClosingTimes(tx, session)
    requirePreparation(tx, prepared, 'new_numbers')
    return readWritten(tx, select(expand))
  })
}
