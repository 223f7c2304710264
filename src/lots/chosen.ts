import type { Context } from '../context.ts'
import { fieldError } from '../http/body/validation.ts'
import { lockDecided, type StoredLot } from './result-statements.ts'
import { requireFound, validationFailed, type FieldError } from '../problems.ts'
import { findSession } from '../sessions/locks.ts'
import { findLotDocuments } from './queries.ts'

/**
 * Locks the lots with these UUIDs, or all of a session that must be there. Archived lots never count.
 * @throws Problem not-found
 */
export async function lockChosen(
  tx: Context,
  uuids: readonly string[],
  session: string | undefined,
): Promise<StoredLot[]> {
  if (session === undefined) return lockDecided(tx, { uuids: [...new Set(uuids)] })
  return lockDecided(tx, { session: requireFound(await findSession(tx, session), 'session', session).id })
}

/** The error of a field that names a lot which is not there. `index`: the place of the element in the caller's list. */
export const unavailable = (field: string, uuid: string, index?: number): FieldError =>
  fieldError(field, 'unavailable', 'is unknown, archived or of another session', {
    ...(index !== undefined && { index }),
    record: { kind: 'lot', uuid },
  })

/** The errors of a list of lots that names one which is not among these, or names one twice. */
export function checkNames(uuids: readonly string[], lots: ReadonlyMap<string | null, unknown>): FieldError[] {
  const seen = new Set<string>()
  return uuids.flatMap((uuid, index) => {
    const isTwin = seen.has(uuid)
    seen.add(uuid)
    if (!lots.has(uuid)) return [unavailable('lot', uuid, index)]
    return isTwin ? [fieldError('lot', 'duplicate', undefined, { index })] : []
  })
}

/**
 * The documents of lots, in the order of their UUIDs.
 * @throws Problem validation-failed if one could not be shown, with its `index`
 */
export async function readLots(tx: Context, uuids: readonly string[]): Promise<string[]> {
  const documents = new Map((await findLotDocuments(tx, [...uuids])).map((row) => [row.uuid, row]))
  const errors = uuids.flatMap((uuid, index) => {
    const { defect } = documents.get(uuid)!
    if (defect === null) return []
    return [fieldError('item', 'unavailable', `makes a lot that could not be shown: it ${defect}`, { index })]
  })
  if (errors.length > 0) throw validationFailed(errors)
  return uuids.map((uuid) => documents.get(uuid)!.json)
}
