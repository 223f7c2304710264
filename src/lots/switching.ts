import type { Context, Written } from '../context.ts'
import { readDocument } from '../reads/reads.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { enqueueRecalculation } from '../jobs/queue.ts'
import { fieldError, fieldsOf, parseBody } from '../http/body/validation.ts'
import { Problem, requireFound, validationFailed, type Cause, type FieldError } from '../problems.ts'
import { findObstacle, reasonOf } from '../sessions/preparation.ts'
import { parseId, printId } from '../values/ids.ts'
import { findDefect, selectLot, type LotExpansion } from './queries.ts'
import { mostNamedLots, SessionLotsUpdate } from './schema.ts'
import { findLots, lockLotsOfSession, sessionHasBids } from './statements.ts'
import { touchLots } from './touch.ts'
import { lockPreparation, lockPreparationOf } from '../sessions/locks.ts'
import { unavailable, readLots } from './chosen.ts'

type FoundLot = Awaited<ReturnType<typeof findLots>>[number]
type LockedSession = NonNullable<Awaited<ReturnType<typeof lockPreparation>>>

/** Lots with their sessions, read while the sessions are locked. */
type LockedLots = { sessions: LockedSession[]; lots: FoundLot[] }

/**
 * Why lots cannot be switched. `obstacles`: those of the sessions, each with the first of its lots that would change.
 * `unnumbered`: the lots without a number that would be switched on.
 */
type Hindrances = {
  obstacles: (Cause & { first: FoundLot })[]
  unnumbered: FoundLot[]
}

/**
 * Locks the sessions of the lots with these UUIDs. Returns the lots in the order of the UUIDs, without those that do
 * not exist.
 */
async function lockForSwitch(tx: Context, uuids: string[]): Promise<LockedLots> {
  // A lot never changes its session. Sessions are locked in the order of their ids, and before their lots.
  const parents = new Set((await findLots(tx, uuids)).map((lot) => lot.session_id))
  const sessions = []
  for (const id of [...parents].toSorted((one, other) => Number(BigInt(one) - BigInt(other))))
    sessions.push((await lockPreparation(tx, id))!)
  const found = new Map((await findLots(tx, uuids)).map((lot) => [lot.public_id, lot]))
  return { sessions, lots: uuids.flatMap((uuid) => found.get(uuid) ?? []) }
}

/**
 * Switches locked lots on or off under the conditions of section 3, and returns the result of `read`. A lot that
 * already has the wanted value stays unchanged, in any state of its session. `isOfSession`: the journal has the session
 * as the record. Default: if there are several lots. A job recalculates the closing times of
 * timed sessions after the commit. Calls `refuse` before and after the change; it throws if there is a hindrance.
 */
async function switchLots<Result>(
  tx: Context,
  { sessions, lots, isOfSession = lots.length > 1 }: LockedLots & { isOfSession?: boolean },
  active: boolean,
  refuse: (hindrances: Hindrances) => void,
  read: (changed: FoundLot[]) => Promise<Result>,
): Promise<Result> {
  const changed = lots.filter((lot) => lot.active !== active)
  const unnumbered = changed.filter((lot) => active && lot.lot_number === null)
  const concerned: { session: LockedSession; first: FoundLot; hasBids: boolean }[] = []
  for (const session of sessions) {
    const first = changed.find((lot) => lot.session_id === session.id)
    if (first) concerned.push({ session, first, hasBids: await sessionHasBids(tx, session.id) })
  }
  const check = (now: Date) => {
    const obstacles = concerned.flatMap(({ session, first, hasBids }) => {
      const obstacle = findObstacle(session, hasBids, now)
      if (obstacle === undefined) return []
      const record = { kind: 'session', uuid: session.public_id } as const
      return [{ reason: reasonOf(obstacle), record, time: session.opens_at, first }]
    })
    refuse({ obstacles, unnumbered })
  }
  check(tx.now)
  const uuidOf = (id: string) => sessions.find((session) => session.id === id)!.public_id
  const switched = changed.map((lot) => ({
    lot,
    before: lot,
    after: { active },
    ...(isOfSession && { terms: { about: { kind: 'session', uuid: uuidOf(lot.session_id) } as const } }),
  }))
  await touchLots(tx, switched)
  for (const { session } of concerned) if (session.kind === 'timed') await enqueueRecalculation(tx, session.id)
  const result = await read(changed)
  // By now a session may open in less than five minutes.
  check(tx.clock())
  return result
}

function refuseLot({ obstacles, unnumbered }: Hindrances): void {
  if (obstacles.length > 0) throw new Problem('lot-not-changeable', undefined, { causes: obstacles })
  if (unnumbered.length > 0)
    throw validationFailed([fieldError('active', 'invalid', 'cannot be set on a lot without a number')])
}

/**
 * Switches a lot on or off while its session is prepared (sections 3 and 4.3). A repeated value changes nothing.
 * @throws Problem not-found, precondition-failed, precondition-required, lot-not-changeable, validation-failed,
 *   integrity-unavailable, in this order
 */
export async function setLotActive(
  context: Context,
  uuid: string,
  active: boolean,
  expand?: readonly LotExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly LotExpansion[]) => selectLot(tx, uuid, names)
    const locked = await lockForSwitch(tx, [uuid])
    const lot = await requireLocked(tx, locked.lots[0], select, 'lot')
    if (lot.active === active) return readWritten(tx, select(expand))
    return switchLots(tx, locked, active, refuseLot, () => readDocument(tx.db, select(expand)))
  })
}

const withoutNumber = 'names a lot without a number, which cannot be switched on'

/**
 * Switches lots of a session on or off, all or none, under the conditions of one lot (sections 3 and 4.3). A lot that
 * has the value already stays unchanged, in any state. Returns how many changed, and how many did not.
 * @throws Problem not-found, lot-not-changeable, validation-failed, integrity-unavailable, in this order
 */
export async function setLotsOfSessionActive(context: Context, uuid: string, body: unknown): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const session = requireFound(await lockPreparationOf(tx, uuid), 'session')
    const fields = fieldsOf(body)
    const all = fields.lots === 'all'
    const active =
      typeof fields.active === 'boolean' ? fields.active : parseBody(SessionLotsUpdate, body, 'PATCH').active
    const listed = Array.isArray(fields.lots) && fields.lots.length <= mostNamedLots ? fields.lots : []
    const named = listed.map((id) => (typeof id === 'string' ? parseId('lot', id) : undefined))
    const lots = await lockLotsOfSession(tx, session.id, all ? undefined : named.filter((each) => each !== undefined))

    const found = new Set(lots.map((lot) => lot.public_id))
    function findErrors(unnumbered: FoundLot[]): FieldError[] {
      if (all)
        return unnumbered.map(({ public_id }) => ({
          ...fieldError('lots', 'invalid', withoutNumber),
          ...(public_id !== null && { lot: printId('lot', public_id) }),
        }))
      const numberless = new Set(unnumbered.map((lot) => lot.public_id))
      return named.flatMap((lot, index): FieldError[] => {
        // The schema finds malformed ids.
        if (lot === undefined) return []
        const field = `lots.${index}`
        if (!found.has(lot)) return [fieldError(field, 'unavailable', 'is unknown, archived or of another session')]
        return numberless.has(lot) ? [fieldError(field, 'invalid', withoutNumber)] : []
      })
    }

    function refuse({ obstacles, unnumbered }: Hindrances): void {
      if (obstacles.length > 0) throw new Problem('lot-not-changeable', undefined, { causes: obstacles })
      parseBody(SessionLotsUpdate, body, 'PATCH', () => findErrors(unnumbered))
    }
    return switchLots(tx, { sessions: [session], lots, isOfSession: true }, active, refuse, async (changed) => {
      const ids = changed.map((lot) => lot.id)
      const defect = await findDefect(tx, ids)
      if (defect !== undefined) throw new Problem('integrity-unavailable', `A record ${defect}.`)
      return { json: JSON.stringify({ changed: changed.length, unchanged: lots.length - changed.length }) }
    })
  })
}

/**
 * Switches lots on or off, all or none, under the conditions of the interface (section 3). A lot that already has the
 * wanted value stays unchanged, in any state of its session. Returns the documents in the order of the lots, and how many
 * were switched. Errors have the `index` of their lot.
 * @throws Problem validation-failed, lot-not-changeable
 */
export async function setLotsActive(
  context: Context,
  uuids: string[],
  active: boolean,
): Promise<{ documents: string[]; changed: number }> {
  return inTransaction(context, async (tx) => {
    const locked = await lockForSwitch(tx, uuids)
    const found = new Set(locked.lots.map((lot) => lot.public_id))
    const refuse = ({ obstacles, unnumbered }: Hindrances) => {
      const numberless = new Set(unnumbered.map((lot) => lot.public_id))
      const errors = uuids.flatMap((uuid, index) => {
        if (!found.has(uuid)) return [unavailable('lot', uuid, index)]
        const problem = `is missing in the lot ${printId('lot', uuid)}, and needed to switch it on`
        return numberless.has(uuid) ? [fieldError('lot_number', 'required', problem, { index })] : []
      })
      const causes = obstacles.map(({ first, ...cause }) => ({ ...cause, index: uuids.indexOf(first.public_id!) }))
      if (errors.length > 0) throw new Problem('validation-failed', undefined, { errors, causes })
      if (causes.length > 0) throw new Problem('lot-not-changeable', undefined, { causes })
    }
    const read = async (changed: unknown[]) => ({ documents: await readLots(tx, uuids), changed: changed.length })
    return switchLots(tx, locked, active, refuse, read)
  })
}
