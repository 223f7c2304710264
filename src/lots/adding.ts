import { randomUUID } from 'node:crypto'
import type { Context, Written } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import { fieldError } from '../http/body/validation.ts'
import { lotOf } from './outcomes.ts'
import { addNewLots, type AddedLot } from './touch.ts'
import { conflict, refuseAll, requireFound, type Cause, type FieldError, type RecordName } from '../problems.ts'
import { int32 } from '../values/bounds.ts'
import { groupBy } from '../values/groups.ts'
import { readDatabaseClock } from '../writes/time.ts'
import { inTransaction } from '../writes/transaction.ts'
import { readLots } from './chosen.ts'
import { findSession, lockSessions } from '../sessions/locks.ts'
import { findLastNumber, findNumbered, findOffers, type ItemOffer } from './statements.ts'
import { lockOfferedItems } from '../items/locks.ts'

/**
 * A lot to add: UUIDs of its session and item, an int32 number, the starting bid in minor units. Without a number it
 * comes after the last lot. `active`: a late lot of a live session that has opened. `again`: its item may be sold, or in
 * a lot without a result.
 */
export type NewLot = {
  session: string
  item: string
  lot_number?: number | undefined
  starting_bid: number | null
  active?: boolean | undefined
  again?: boolean | undefined
}

/**
 * Adds lots, all or none, to sessions that are not finished, even if they are published or have opened. They are
 * inactive, except late ones. Returns the lots' documents, in the order of the lots. Errors and causes have the `index` of
 * their lot. `isOfSession`: the journal has the session as the record.
 * @throws Problem conflict, else validation-failed, with everything that hinders the lots
 */
export async function addLots(context: Context, lots: readonly NewLot[], isOfSession = true): Promise<string[]> {
  return inTransaction(context, async (tx) => {
    const rows = await prepareRows(tx, lots)
    await addNewLots(tx, rows, isOfSession)
    return readLots(
      tx,
      rows.map(({ lot }) => lot.public_id),
    )
  }).catch((error: unknown) => {
    // Another transaction has added one of the numbers meanwhile.
    throw violatedConstraint(error) === 'lots_number' ? conflict({ reason: 'number_taken', record: null }) : error
  })
}

/**
 * Adds lots to one session, as `addLots` does, and returns them as a list.
 * @throws Problem not-found if there is no such session, and as `addLots` does
 */
export async function addLotsToSession(
  context: Context,
  session: string,
  lots: readonly Omit<NewLot, 'session'>[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    requireFound(await findSession(tx, session), 'session', session)
    const added = await addLots(
      tx,
      lots.map((lot) => ({ ...lot, session })),
    )
    // Lots that are not created have no ids.
    const shown = tx.write?.isRehearsal
      ? added.map((json) => JSON.stringify({ ...(JSON.parse(json) as object), id: null }))
      : added
    return { json: `[${shown.join(',')}]` }
  })
}

// Locks the records that the lots name, and checks all of them.
async function prepareRows(tx: Context, lots: readonly NewLot[]): Promise<AddedLot[]> {
  const known = await lockKnown(tx, lots)
  const errors: FieldError[] = []
  const causes: Cause[] = []
  const rows = lots.flatMap((lot, index): AddedLot[] => {
    const { session: ofSession, item: ofItem, starting_bid, active = false, again } = lot
    const lot_number = lot.lot_number ?? known.nextNumber(ofSession)
    const fault = (field: keyof NewLot, code: FieldError['code'], problem?: string, record?: FieldError['record']) =>
      void errors.push(fieldError(field, code, problem, { index, ...(record && { record }) }))
    const cause = (each: Cause) => void causes.push({ ...each, index })
    const session = known.sessions.get(ofSession)
    const record = { kind: 'session', uuid: ofSession } as const
    if (!session) fault('session', 'unavailable', undefined, record)
    else if (session.finished) cause({ reason: 'finished', record })
    else if (active && session.kind === 'timed') fault('active', 'invalid', 'must be left out: the session is not live')
    else if (active && !(session.opens_at && session.opens_at <= known.now))
      cause({ reason: 'not_open', record, time: session.opens_at })
    const item = known.items.get(ofItem)
    const isArchived = item?.archived ?? false
    if (!item || isArchived) fault('item', 'unavailable', undefined, { kind: 'item', uuid: ofItem, isArchived })
    if (lot_number > int32.maximum) fault('lot_number', 'out_of_range', `must be at most ${int32.maximum}`)
    const other = known.takeNumber(ofSession, lot_number)
    if (other !== undefined) cause({ reason: 'number_taken', record: other, number: lot_number })
    if (!session || !item) return []
    const offer = known.offers.get(ofItem)
    if (!offer) known.offers.set(ofItem, { usedBy: [] })
    else if (!again) cause({ reason: 'in_use', record: { kind: 'item', uuid: ofItem }, ...offer })
    const parents = { auction_id: session.auction_id, session_id: session.id, item_id: item.id }
    const added = { public_id: randomUUID(), ...parents, lot_number, starting_bid, active }
    return [{ lot: added, session: ofSession, item: ofItem }]
  })
  refuseAll({ errors, causes })
  return rows
}

// What the lots name and need, locked. A number is taken by a stored lot, or by one before it in the list, which is null.
async function lockKnown(tx: Context, lots: readonly NewLot[]) {
  const bySession = groupBy(lots, (lot) => lot.session)
  const sessions = new Map((await lockSessions(tx, [...bySession.keys()])).map((row) => [row.public_id, row]))
  const locked = await lockOfferedItems(tx, [...new Set(lots.map((lot) => lot.item))])
  const taken = new Map<string, RecordName | null>()
  const last = new Map<string, number>()
  for (const [uuid, { id }] of sessions) {
    const numbers = bySession.get(uuid!)!.flatMap((lot) => lot.lot_number ?? [])
    for (const lot of await findNumbered(tx, id, numbers)) taken.set(`${uuid} ${lot.lot_number}`, lotOf(lot))
    last.set(uuid!, Math.max(await findLastNumber(tx, id), ...numbers))
  }
  const offered = await findOffers(
    tx,
    locked.map(({ id }) => id),
  )
  return {
    sessions,
    items: new Map(locked.map((row) => [row.public_id, row])),
    offers: new Map<string, ItemOffer>(offered),
    now: await readDatabaseClock(tx),
    nextNumber(session: string): number {
      const number = (last.get(session) ?? 0) + 1
      last.set(session, number)
      return number
    },
    takeNumber(session: string, number: number): RecordName | null | undefined {
      const place = `${session} ${number}`
      const holder = taken.get(place)
      if (holder === undefined) taken.set(place, null)
      return holder
    },
  }
}
