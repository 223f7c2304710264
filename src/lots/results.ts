import type { Context, Written } from '../context.ts'
import { fieldError } from '../http/body/validation.ts'
import type { StoredLot } from './result-statements.ts'
import {
  findResultObstacle,
  hasClosed,
  isSameResult,
  turnOf,
  resultOf,
  resultOfBids,
  sessionOf,
  type Decision,
  type Justification,
} from './outcomes.ts'
import { touchLots, type LotWrite } from './touch.ts'
import { refuseAll, validationFailed, type Cause, type FieldError } from '../problems.ts'
import { readDatabaseClock } from '../writes/time.ts'
import { inTransaction } from '../writes/transaction.ts'
import { checkNames, lockChosen, readLots, unavailable } from './chosen.ts'

/** What staff decided about a lot, and why. `lot`, and `with`, the lot that it was sold together with: their UUIDs. */
export type LotDecision = Decision & Justification & { lot: string; with?: string | undefined }

/**
 * Results to record: what staff decided, or, without `results`, for the closed lots of a timed session what the job would
 * have. By the UUIDs of the session and of lots: those of `except` stay without one, those of `unsold` are unsold, with
 * `correct` in place of another result too.
 */
type Decisions = Justification & {
  session?: string | undefined
  results?: readonly LotDecision[] | undefined
  except?: readonly string[] | undefined
  unsold?: readonly string[] | undefined
}

/** The lots, how many of them have a new result, and how many held ones were left without one. */
export type RecordedResults = Written & { documents: string[]; changed: number; held: number }

/**
 * Records results, all or none. A repeated result changes nothing. Held lots get none, unless they are named. Returns the
 * lots in the order of the decisions. Errors have the `index` of their decision.
 * @throws Problem not-found if there is no such session; conflict, else validation-failed, with everything that hinders
 *   the decisions
 */
export async function recordResults(context: Context, given: Decisions): Promise<RecordedResults> {
  return inTransaction(context, async (tx) => {
    const { session, results } = given
    const named = results?.flatMap((each) => (each.with === undefined ? [each.lot] : [each.lot, each.with]))
    const lots = await lockChosen(tx, named ?? [], session)
    const now = await readDatabaseClock(tx)
    const { decisions, held, errors } = results
      ? { decisions: results, held: 0, errors: [] }
      : chooseClosed(lots, given, now)
    const changes = decide(lots, decisions, now, session !== undefined, errors)
    await touchLots({ ...tx, now }, changes)
    const documents = await readLots(
      tx,
      decisions.map(({ lot }) => lot),
    )
    return { json: `[${documents.join(',')}]`, documents, changed: changes.length, held }
  })
}

function chooseClosed(lots: readonly StoredLot[], given: Decisions, now: Date) {
  const { except = [], unsold = [], correct, reason } = given
  if (lots.some(({ kind }) => kind === 'live'))
    throw validationFailed([
      fieldError('results', 'invalid', 'must be given: the results of a live session come from the room'),
    ])
  const known = new Set(lots.map((lot) => lot.public_id))
  const errors: FieldError[] = Object.entries({ except, unsold }).flatMap(([name, chosen]) =>
    chosen.flatMap((lot, index) => (known.has(lot) ? [] : [unavailable(`${name}.${index}`, lot)])),
  )
  if (unsold.some((lot) => except.includes(lot)))
    errors.push(fieldError('unsold', 'invalid', 'has a lot that except has too'))
  const leftOut = new Set([...except, ...unsold])
  const open = lots.filter((lot) => lot.active && lot.result === null && hasClosed(lot, now))
  const free = open.filter((lot) => lot.public_id !== null && !leftOut.has(lot.public_id))
  const decisions: LotDecision[] = [
    ...free.filter((lot) => !lot.held).map((lot) => ({ lot: lot.public_id!, state: resultOfBids(lot).state })),
    ...[...new Set(unsold)].flatMap((lot) =>
      known.has(lot) ? [{ lot, state: 'unsold' as const, correct, reason }] : [],
    ),
  ]
  return { decisions, held: free.filter((lot) => lot.held).length, errors }
}

// Decides locked lots, a carrier before what it carries and after what it carried. `faults`: what else refuses them.
function decide(
  locked: readonly StoredLot[],
  decisions: readonly LotDecision[],
  now: Date,
  isOfSession: boolean,
  faults: readonly FieldError[],
): LotWrite[] {
  const lots = new Map(locked.map((lot) => [lot.public_id, lot]))
  const uuids = decisions.map(({ lot }) => lot)
  const errors = checkNames(uuids, lots)
  const refused = new Set(errors.map(({ index }) => index))
  const causes: Cause[] = []
  const found = decisions.flatMap((decision, index) => {
    const { lot: uuid, with: other } = decision
    const lot = lots.get(uuid)
    const carrier = other === undefined ? undefined : lots.get(other)
    if (!lot || refused.has(index)) return []
    if (other !== undefined && !carrier) return (errors.push(unavailable('with', other, index)), [])
    const wanted = resultOf(lot, decision, carrier)
    return [{ index, decision, lot, carrier, wanted, turn: turnOf(lot, wanted) }]
  })
  const byId = new Map(locked.map((lot) => [lot.id, lot]))
  const changes: LotWrite[] = []
  for (const { index, decision, lot, carrier, wanted } of found.toSorted((a, b) => a.turn - b.turn)) {
    const obstacle = findResultObstacle(lot, wanted, now, decision, carrier)
    if (obstacle && 'field' in obstacle) errors.push({ ...obstacle, index })
    else if (obstacle) causes.push({ ...obstacle, index })
    else if (!isSameResult(lot.result, wanted)) {
      const { reason } = decision
      const terms = { kept: true, ...(reason && { reason }), ...(isOfSession && { about: sessionOf(lot) }) }
      const after = { result: wanted, held: false, carrier: carrier?.public_id ?? null }
      changes.push({ lot, before: { ...lot }, after, terms })
      // Later decisions see it.
      const freed = byId.get(lot.result?.with ?? '')
      if (freed) freed.carried = freed.carried.filter((uuid) => uuid !== lot.public_id)
      if (carrier) carrier.carried = [...carrier.carried, lot.public_id]
      lot.result = wanted
    }
  }
  const byIndex = (one: { index?: number }, other: { index?: number }) => one.index! - other.index!
  refuseAll({ errors: [...faults, ...errors.toSorted(byIndex)], causes: causes.toSorted(byIndex) })
  return changes
}
