import type { Context, Written } from '../context.ts'
import { enqueueDecision } from '../jobs/queue.ts'
import { writeClosingTimes } from './closing.ts'
import { selectAnyLot, type LotExpansion, findBiddenLot } from './queries.ts'
import { lockDecided, type StoredLot } from './result-statements.ts'
import { findReopeningObstacle, lotOf, sessionOf, type Justification } from './outcomes.ts'
import { findNumbered, lockLots } from './statements.ts'
import { planTerms, type LotTerms } from './terms.ts'
import { touchLots, type LotFields } from './touch.ts'
import { conflict, notFound, Problem, refuseAll, requireFound, validationFailed } from '../problems.ts'
import { readDatabaseClock } from '../writes/time.ts'
import { touch } from '../writes/touch.ts'
import { inTransaction, readWritten, requireLocked } from '../writes/transaction.ts'
import { checkNames, lockChosen, readLots } from './chosen.ts'
import { recordResults, type LotDecision } from './results.ts'
import { lockPreparation } from '../sessions/locks.ts'
import { readPrepared, requirePreparation } from './preparation.ts'

/** What staff change of a lot: also its number, its end as a mistake, and its result or its taking back. */
export type LotChange = LotTerms & {
  lot_number?: number | undefined
  archived?: true | undefined
  result?: Omit<LotDecision, 'lot'> | undefined
  reopening?: Reopening | undefined
}

/** Why a result is taken back, and until when the lot takes bids again. */
export type Reopening = Justification & { closesAt?: Date | undefined }

type LockedSession = NonNullable<Awaited<ReturnType<typeof lockPreparation>>>

/**
 * Changes a lot, and returns it. Repeating it changes nothing. The number changes while the session is in preparation. A
 * lot is archived as long, and the closing times of its session are computed without it; an archived lot can only be
 * archived again, while its session is not deleted. A taken result holds the lot; with `closesAt` a timed lot takes bids
 * again until then, and its schedule stays.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict, validation-failed
 */
export async function changeLot(
  context: Context,
  uuid: string,
  change: LotChange,
  expand?: readonly LotExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const { lot_number, archived, reopening, result } = change
    const select = (names?: readonly LotExpansion[]) => selectAnyLot(tx, uuid, names)
    const session = lot_number === undefined && !archived ? undefined : await lockSessionOf(tx, uuid)
    const [found] = await lockDecided(tx, { uuids: [uuid] })
    if (!found) {
      await requireArchivedAgain(tx, uuid, change, session)
      return readWritten(tx, select(expand))
    }
    const lot = await requireLocked(tx, found, select)
    const now = await readDatabaseClock(tx)
    const obstacle = reopening && findReopeningObstacle(lot, now, reopening, reopening.closesAt)
    const reopened = reopening && reopen(lot, reopening)
    const open = { ...lot, ...reopened }
    const { after, causes, errors } = planTerms(open, change, now)
    if (obstacle && 'field' in obstacle) errors.unshift(obstacle)
    else if (obstacle) causes.unshift(obstacle)
    if (causes.length > 0) refuseAll({ causes, errors })
    const fields: LotFields = { ...reopened, ...after }
    const isRenumbered = lot_number !== undefined && lot_number !== lot.lot_number
    const by = isRenumbered ? 'new_numbers' : undefined
    const prepared = session && (isRenumbered || archived) && (await readPrepared(tx, session))
    if (prepared) requirePreparation(tx, prepared, by)
    if (isRenumbered) {
      await requireFree(tx, lot.session_id, lot_number)
      fields.lot_number = lot_number
    }
    if (archived) fields.archived = true
    // The state of the lot and of its session (409) comes before the rules of the body (422).
    refuseAll({ causes: [], errors })
    const terms = reopened && { kept: true, ...(reopening?.reason && { reason: reopening.reason }) }
    await touchLots(reopened ? { ...tx, now } : tx, [{ lot, before: lot, after: fields, ...(terms && { terms }) }])
    await decideAgain(tx, [{ lot: open, after: fields }])
    // The order of its lots belongs to the session: If-Match guards it.
    if (isRenumbered) await touch(tx, 'sessions', lot.session_id, {})
    if (prepared) await writeClosingTimes(tx, prepared)
    if (result) await recordResults(tx, { results: [{ ...result, lot: uuid }] }).catch(nameField)
    if (prepared) requirePreparation(tx, prepared, by)
    return readWritten(tx, select(expand))
  })
}

// The session is locked before its lots, and all of them in their order: the closing times of others may change.
async function lockSessionOf(tx: Context, uuid: string): Promise<LockedSession> {
  const { session_id } = requireFound(await findBiddenLot(tx, uuid), 'lot', uuid)
  const session = (await lockPreparation(tx, session_id))!
  await lockLots(tx, session_id)
  return session
}

async function requireArchivedAgain(
  tx: Context,
  uuid: string,
  { archived, ...others }: LotChange,
  session: LockedSession | undefined,
): Promise<void> {
  const lot = requireFound(await findBiddenLot(tx, uuid), 'lot', uuid)
  const isRepeated = archived && Object.values(others).every((value) => value === undefined)
  if (!isRepeated || session?.archived) throw notFound('lot', uuid, true)
  await requireLocked(tx, lot, (names) => selectAnyLot(tx, uuid, names))
}

async function requireFree(tx: Context, session: string, number: number): Promise<void> {
  const [other] = await findNumbered(tx, session, [number])
  if (other) throw conflict({ reason: 'number_taken', record: lotOf(other), number })
}

function reopen(lot: StoredLot, { closesAt }: Reopening) {
  if (lot.result === null && closesAt === undefined) return undefined
  return { result: null, held: true, ...(closesAt && { closes_at: closesAt }) }
}

// A released lot may close, or have closed, as the next one.
async function decideAgain(tx: Context, changes: readonly { lot: StoredLot; after: LotFields }[]): Promise<void> {
  const released = changes.filter(({ lot, after }) => after.held === false && lot.held && lot.results === 'automatic')
  for (const session of new Set(released.map(({ lot }) => lot.session_id))) await enqueueDecision(tx, session)
}

function nameField(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'validation-failed') throw error
  throw validationFailed(error.errors!.map((each) => ({ ...each, field: `result.${each.field}` })))
}

/** A change of one of several lots. */
export type ListedChange = LotTerms & { lot: string }

/**
 * Changes lots, all or none, as `changeLot` does. Repeating it changes nothing. `session`: the UUID of the session that has
 * all of them. Returns the lots in the order of the changes, and how many changed. Errors have the `index` of their change.
 * @throws Problem not-found; conflict with all causes, else validation-failed, also if a lot is missing or named twice
 */
export async function changeLots(context: Context, changes: readonly ListedChange[], session?: string) {
  return inTransaction(context, async (tx) => {
    const uuids = changes.map(({ lot }) => lot)
    const lots = await lockChosen(tx, uuids, session)
    const byUuid = new Map(lots.map((lot) => [lot.public_id, lot]))
    const now = await readDatabaseClock(tx)
    const planned = changes.flatMap((change, index) => {
      const lot = byUuid.get(change.lot)
      if (!lot) return []
      const { after, causes, errors } = planTerms(lot, change, now)
      const terms = session === undefined && changes.length === 1 ? {} : { about: sessionOf(lot) }
      const place = <Each>(each: Each) => ({ ...each, index })
      return [{ lot, before: lot, after, terms, causes: causes.map(place), errors: errors.map(place) }]
    })
    refuseAll({
      causes: planned.flatMap(({ causes }) => causes),
      errors: [...checkNames(uuids, byUuid), ...planned.flatMap(({ errors }) => errors)],
    })
    const changed = await touchLots(tx, planned)
    await decideAgain(tx, planned)
    const documents = await readLots(tx, uuids)
    return { json: `[${documents.join(',')}]`, documents, changed: changed.length }
  })
}
