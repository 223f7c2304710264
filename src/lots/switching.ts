import type { Context, Written } from '../context.ts'
import { readDocument } from '../reads/reads.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { enqueueRecalculation } from '../jobs/queue.ts'
import { fieldError, fieldsOf, parseBody } from '../http/body/validation.ts'
import { Problem, requireFound, validationFailed, type Cause, type FieldError } from '../problems.ts'
import { findObstacle } from '../sessions/preparation.ts'
import { parseId, printId } from '../values/ids.ts'
import { findDefect, selectLot, type LotExpansion } from './queries.ts'
import { mostNamedLots, SessionLotsUpdate } from './schema.ts'
import { findLots, lockLotsOfSession, sessionHasBids } from './statements.ts'
import { touchLots } from './touch.ts'
import { lockPreparation, lockPreparationOf } from '../sessions/locks.ts'
import { unavailable, readLots } from './chosen.ts'

// Each verb here locks, plans, checks, writes, reads back and checks again: by then a session may open in less than five
// minutes. Their refusals differ, in what comes first and in the fields that they name.

/** A lot whose session is locked. `index`: its place in the list of the caller. */
type FoundLot = Awaited<ReturnType<typeof findLots>>[number] & { index?: number }
type LockedSession = NonNullable<Awaited<ReturnType<typeof lockPreparation>>>

/**
 * What a switch does. A lot that already has the wanted value stays unchanged, in any state of its session. `unnumbered`:
 * the lots without a number that would be switched on. `concerned`: the sessions of the changed lots, each with the first.
 */
type Plan = {
  active: boolean
  changed: FoundLot[]
  unnumbered: FoundLot[]
  concerned: { session: LockedSession; first: FoundLot; hasBids: boolean }[]
}

/** Locks the sessions of the lots with these UUIDs. Returns the lots in their order, without those that do not exist. */
async function lockForSwitch(tx: Context, uuids: string[]): Promise<{ sessions: LockedSession[]; lots: FoundLot[] }> {
  // A lot never changes its session. Sessions are locked in the order of their ids, and before their lots.
  const parents = new Set((await findLots(tx, uuids)).map((lot) => lot.session_id))
  const sessions = []
  for (const id of [...parents].toSorted((one, other) => Number(BigInt(one) - BigInt(other))))
    sessions.push((await lockPreparation(tx, id))!)
  const found = new Map((await findLots(tx, uuids)).map((lot) => [lot.public_id, lot]))
  const lots = uuids.flatMap((uuid, index) => (found.has(uuid) ? [{ ...found.get(uuid)!, index }] : []))
  return { sessions, lots }
}

async function plan(
  tx: Context,
  { sessions, lots }: { sessions: LockedSession[]; lots: FoundLot[] },
  active: boolean,
): Promise<Plan> {
  const changed = lots.filter((lot) => lot.active !== active)
  const concerned: Plan['concerned'] = []
  for (const session of sessions) {
    const first = changed.find((lot) => lot.session_id === session.id)
    if (first) concerned.push({ session, first, hasBids: await sessionHasBids(tx, session.id) })
  }
  return { active, changed, unnumbered: changed.filter((lot) => active && lot.lot_number === null), concerned }
}

function findCauses({ concerned }: Plan, now: Date): Cause[] {
  return concerned.flatMap(({ session, first: { index }, hasBids }) => {
    const reason = findObstacle(session, hasBids, now)
    const record = { kind: 'session', uuid: session.public_id } as const
    return reason ? [{ reason, record, time: session.opens_at, ...(index !== undefined && { index }) }] : []
  })
}

/** @throws Problem lot-not-changeable */
function requirePrepared(planned: Plan, now: Date): void {
  const causes = findCauses(planned, now)
  if (causes.length > 0) throw new Problem('lot-not-changeable', undefined, { causes })
}

// A job recalculates the closing times of timed sessions after the commit. `isOfSession`: the journal has the session as
// the record.
async function write(tx: Context, { active, changed, concerned }: Plan, isOfSession: boolean): Promise<void> {
  const uuidOf = (id: string) => concerned.find(({ session }) => session.id === id)!.session.public_id
  const switched = changed.map((lot) => ({
    lot,
    before: lot,
    after: { active },
    ...(isOfSession && { terms: { about: { kind: 'session', uuid: uuidOf(lot.session_id) } as const } }),
  }))
  await touchLots(tx, switched)
  for (const { session } of concerned) if (session.kind === 'timed') await enqueueRecalculation(tx, session.id)
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
    const planned = await plan(tx, locked, active)
    requirePrepared(planned, tx.now)
    if (planned.unnumbered.length > 0)
      throw validationFailed([fieldError('active', 'invalid', 'cannot be set on a lot without a number')])
    await write(tx, planned, false)
    const document = await readDocument(tx.db, select(expand))
    requirePrepared(planned, tx.clock())
    return document
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
    const planned = await plan(tx, { sessions: [session], lots }, active)
    requirePrepared(planned, tx.now)
    parseBody(SessionLotsUpdate, body, 'PATCH', () =>
      all ? planned.unnumbered.map(describeUnnumbered) : checkNamed(named, lots, planned),
    )
    await write(tx, planned, true)
    const defect = await findDefect(
      tx,
      planned.changed.map((lot) => lot.id),
    )
    if (defect !== undefined) throw new Problem('integrity-unavailable', `A record ${defect}.`)
    requirePrepared(planned, tx.clock())
    const changed = planned.changed.length
    return { json: JSON.stringify({ changed, unchanged: lots.length - changed }) }
  })
}

const describeUnnumbered = ({ public_id: uuid }: FoundLot): FieldError => ({
  ...fieldError('lots', 'invalid', withoutNumber),
  ...(uuid !== null && { lot: printId('lot', uuid) }),
})

function checkNamed(named: readonly (string | undefined)[], lots: FoundLot[], { unnumbered }: Plan): FieldError[] {
  const found = new Set(lots.map((lot) => lot.public_id))
  const numberless = new Set(unnumbered.map((lot) => lot.public_id))
  return named.flatMap((lot, index): FieldError[] => {
    // The schema finds malformed ids.
    if (lot === undefined) return []
    const field = `lots.${index}`
    if (!found.has(lot)) return [unavailable(field, lot)]
    return numberless.has(lot) ? [fieldError(field, 'invalid', withoutNumber)] : []
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
    const planned = await plan(tx, locked, active)
    const found = new Set(locked.lots.map((lot) => lot.public_id))
    const numberless = new Set(planned.unnumbered.map((lot) => lot.public_id))
    const errors = uuids.flatMap((uuid, index) => {
      if (!found.has(uuid)) return [unavailable('lot', uuid, index)]
      const problem = `is missing in the lot ${printId('lot', uuid)}, and needed to switch it on`
      return numberless.has(uuid) ? [fieldError('lot_number', 'required', problem, { index })] : []
    })
    if (errors.length > 0)
      throw new Problem('validation-failed', undefined, { errors, causes: findCauses(planned, tx.now) })
    requirePrepared(planned, tx.now)
    await write(tx, planned, locked.lots.length > 1)
    const documents = await readLots(tx, uuids)
    requirePrepared(planned, tx.clock())
    return { documents, changed: planned.changed.length }
  })
}
