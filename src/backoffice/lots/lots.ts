import { randomUUID } from 'node:crypto'
import type { Context, Written } from '../../context.ts'
import { violatedConstraint } from '../../db/errors.ts'
import { readWritten, requireLocked, inTransaction } from '../../writes/transaction.ts'
import { noteChange } from '../../writes/journal.ts'
import { readTime } from '../../writes/time.ts'
import { touch } from '../../writes/touch.ts'
import { lockAnyItems } from '../../items/statements.ts'
import { selectAnyLot, type LotExpansion } from '../../lots/queries.ts'
import { writeClosingTimes } from '../../lots/closing.ts'
import { findBiddenLot, insertLots, lockAnyLot, readEstimate, readOffer } from '../../lots/statements.ts'
import { findLastNumber, findNumbers, lockLots } from '../../lots/session-statements.ts'
import { lockPreparation } from '../../sessions/preparation.ts'
import { lockFlags } from '../../sessions/statements.ts'
import type { ConflictReason } from '../../problems.ts'
import { groupBy } from '../../values/groups.ts'
import { findDoubt } from '../../values/doubts.ts'
import { int32 } from '../../values/bounds.ts'
import { printId } from '../../values/ids.ts'
import { printMoney } from '../../values/typed-money.ts'
import { describeMissing, requireRecord } from '../named-records.ts'
import { findLotDocuments, findOffers } from '../queries.ts'
import { checkRenumbering, requirePreparation } from '../sales/preparation.ts'
import { Refusal } from '../refusal.ts'

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
 * Why a lot cannot be added or switched: its index among the given lots, the field at fault and the message. `reason`: if
 * the state of a record is the cause, not the given values. `lot`: the UUID of the lot that has the item.
 */
export type LotProblem = {
  index: number
  field: keyof NewLot
  problem: string
  reason?: ConflictReason
  lot?: string | null | undefined
}

/** A refusal to add or switch any of the lots. The message is the first problem. */
export class LotsRefusal extends Refusal {
  readonly problems: LotProblem[]

  constructor(problems: LotProblem[]) {
    super(problems[0]!.problem)
    this.problems = problems
  }
}

/**
 * Adds lots, all or none, to sessions that are not finished, even if they are published or have opened. They are
 * inactive, except late ones.
 * Returns the lots' documents, in the order of the lots. `isConfirmed` accepts doubtful starting bids.
 * @throws LotsRefusal if a session is finished, an item archived, of another house, sold or offered, a number taken, a
 *   starting bid doubtful, or a lot could not be shown; Refusal if a concurrent command adds one of the numbers
 */
export async function addLots(context: Context, lots: readonly NewLot[], isConfirmed = false): Promise<string[]> {
  return refuseTaken(inTransaction(context, (tx) => add(tx, lots, isConfirmed, true)))
}

async function add(tx: Context, lots: readonly NewLot[], isConfirmed: boolean, isOfSession: boolean) {
  const rows = await prepareRows(tx, lots, isConfirmed)
  await insertLots(tx, rows)
  noteNewLots(tx, lots, rows, isOfSession)
  return readLots(
    tx,
    rows.map((row) => row.public_id),
  )
}

async function refuseTaken<T>(added: Promise<T>): Promise<T> {
  return added.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'lots_number') throw error
    throw new Refusal('another command has just added a lot with one of the numbers', { reason: 'number_taken' })
  })
}

type NewRow = { public_id: string; lot_number: number; starting_bid: number | null; active: boolean }

function noteNewLots(tx: Context, lots: readonly NewLot[], rows: readonly NewRow[], isOfSession: boolean): void {
  const { currency } = tx.house
  for (const [index, { session, item }] of lots.entries()) {
    const { public_id, lot_number, starting_bid, active } = rows[index]!
    const values = {
      session: printId('session', session),
      item: printId('item', item),
      lot_number,
      starting_bid: starting_bid === null ? null : { amount: starting_bid, currency },
      ...(active && { active }),
    }
    const about = isOfSession ? { about: { kind: 'session', uuid: session } as const } : {}
    noteChange(tx, { kind: 'lot', uuid: public_id }, {}, values, about)
  }
}

/** Adds one lot, as `addLots` does, and returns its document. */
export async function addLot(context: Context, lot: NewLot, isConfirmed = false): Promise<string> {
  const [document] = await refuseTaken(inTransaction(context, (tx) => add(tx, [lot], isConfirmed, false)))
  return document!
}

// Locks the records that the lots name, and checks all of them.
async function prepareRows(tx: Context, lots: readonly NewLot[], isConfirmed: boolean) {
  const bySession = groupBy(lots, (lot) => lot.session)
  const sessions = new Map((await lockFlags(tx, [...bySession.keys()])).map((row) => [row.public_id, row]))
  const locked = await lockAnyItems(tx, [...new Set(lots.map((lot) => lot.item))])
  const items = new Map(locked.map((row) => [row.public_id, row]))
  const taken = new Set<string>()
  const last = new Map<string, number>()
  for (const [uuid, { id }] of sessions) {
    const numbers = bySession.get(uuid!)!.flatMap((lot) => lot.lot_number ?? [])
    for (const number of await findNumbers(tx, id, numbers)) taken.add(`${uuid} ${number}`)
    last.set(uuid!, Math.max(await findLastNumber(tx, id), ...numbers))
  }
  const offered = new Map<string | null, { lot?: string | null; phrase: string }>()
  for (const { item, ...offer } of await findOffers(
    tx,
    locked.map(({ id }) => id),
  ))
    offered.set(item, offer)
  const problems: LotProblem[] = []
  const now = await readTime(tx)
  const rows = lots.flatMap((lot, index) => {
    const { session: ofSession, item: ofItem, starting_bid, active = false, again } = lot
    const lot_number = lot.lot_number ?? (last.get(ofSession) ?? 0) + 1
    if (lot.lot_number === undefined) last.set(ofSession, lot_number)
    const refuse = (field: keyof NewLot, problem: string, reason?: ConflictReason) =>
      void problems.push({ index, field, problem, ...(reason && { reason }) })
    const session = sessions.get(ofSession)
    const notOpen = `the session ${printId('session', ofSession)} is no live session that has opened`
    if (!session) refuse('session', describeMissing('session', ofSession))
    else if (session.finished) refuse('session', `the session ${printId('session', ofSession)} is finished`, 'finished')
    else if (active && session.kind === 'timed') refuse('active', notOpen)
    else if (active && (session.opens_at === null || session.opens_at > now)) refuse('active', notOpen, 'not_open')
    const item = items.get(ofItem)
    if (!item) refuse('item', describeMissing('item', ofItem, tx.house))
    else if (item.archived) refuse('item', `the item ${printId('item', ofItem)} is archived`)
    if (lot_number > int32.maximum) refuse('lot_number', `the lot number ${lot_number} is too large`)
    const place = `${ofSession} ${lot_number}`
    if (taken.has(place)) refuse('lot_number', `the session has a lot ${lot_number} already`, 'number_taken')
    taken.add(place)
    if (item && starting_bid !== null && !isConfirmed) {
      const doubt = describeDoubt(tx, starting_bid, { low: item.estimate_low, high: item.estimate_high })
      if (doubt !== undefined) refuse('starting_bid', doubt)
    }
    if (!session || !item) return []
    const offer = again ? undefined : offered.get(item.public_id)
    if (offer && problems.at(-1)?.index !== index) {
      const problem = `the item ${printId('item', ofItem)} is ${offer.phrase}: say --again to add it`
      problems.push({ index, field: 'item', problem, reason: 'in_use', lot: offer.lot })
    }
    offered.set(item.public_id, { phrase: `in the lot ${lot_number} already` })
    const parents = { auction_id: session.auction_id, session_id: session.id, item_id: item.id }
    return [{ public_id: randomUUID(), ...parents, lot_number, starting_bid, active }]
  })
  if (problems.length > 0) throw new LotsRefusal(problems)
  return rows
}

function describeDoubt({ house }: Context, bid: number, estimate: Parameters<typeof findDoubt>[1]): string | undefined {
  const doubt = findDoubt(bid, estimate)
  const print = (amount: number) => printMoney({ amount, currency: house.currency })
  return doubt && `the starting bid ${print(bid)} is ${doubt.words}, ${print(doubt.bound)}: say --yes if it is right`
}

/**
 * The documents of lots, in the order of their UUIDs.
 * @throws LotsRefusal if one could not be shown
 */
export async function readLots(tx: Context, uuids: string[]): Promise<string[]> {
  const documents = new Map((await findLotDocuments(tx, uuids)).map((row) => [row.uuid, row]))
  const problems = uuids.flatMap((uuid, index): LotProblem[] => {
    const { defect } = documents.get(uuid)!
    return defect === null ? [] : [{ index, field: 'item', problem: `the lot could not be shown: it ${defect}` }]
  })
  if (problems.length > 0) throw new LotsRefusal(problems)
  return uuids.map((uuid) => documents.get(uuid)!.json)
}

/** What staff change of a lot. An omitted field stays. The starting bid is in minor units. */
export type LotChange = {
  starting_bid?: number | null | undefined
  lot_number?: number | undefined
  archived?: true | undefined
}

/**
 * Changes a lot, and returns it. Repeating it changes nothing. The starting bid is changed until the first bid, the
 * number while the session is in preparation. A lot is archived as long, and the closing times of its session are
 * computed without it; an archived lot can only be archived again, while its session is not deleted. `isConfirmed` accepts a doubtful starting bid. `also`
 * changes more of the lot in the same transaction.
 * @throws Refusal if there is no such lot, or its starting bid or number cannot change; Problem precondition-failed,
 *   precondition-required
 */
export async function changeLot(
  context: Context,
  uuid: string,
  { starting_bid, lot_number, archived }: LotChange,
  expand?: readonly LotExpansion[],
  isConfirmed = false,
  also?: (tx: Context) => Promise<void>,
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly LotExpansion[]) => selectAnyLot(tx, uuid, names)
    const session = lot_number === undefined && !archived ? undefined : await lockSessionOf(tx, uuid)
    const found = requireRecord('lot', uuid, await lockAnyLot(tx, uuid))
    const isRepeated = archived && starting_bid === undefined && lot_number === undefined && !session?.archived
    if (found.archived && !isRepeated)
      throw new Refusal(`the lot ${printId('lot', uuid)} is archived`, { isMissing: true })
    const lot = await requireLocked(tx, found, select)
    if (starting_bid !== undefined) await setStartingBid(tx, uuid, lot.id, starting_bid, isConfirmed)
    const rechecks = [session && lot_number !== undefined && (await setNumber(tx, uuid, lot, session, lot_number))]
    await also?.(tx)
    if (session && archived && !lot.archived) {
      rechecks.push(await requirePreparation(tx, session))
      await touch(tx, 'lots', lot.id, { archived: true })
      noteChange(tx, { kind: 'lot', uuid }, { archived: false }, { archived: true })
      await writeClosingTimes(tx, session)
    }
    for (const recheck of rechecks) if (recheck) recheck()
    return readWritten(tx, select(expand))
  })
}

type LockedLot = NonNullable<Awaited<ReturnType<typeof lockAnyLot>>>
type LockedSession = NonNullable<Awaited<ReturnType<typeof lockPreparation>>>

// Locks the session of a lot, then all of its lots in their order: the closing times of others may change.
async function lockSessionOf(tx: Context, uuid: string): Promise<LockedSession> {
  const { session_id } = requireRecord('lot', uuid, await findBiddenLot(tx, uuid))
  const session = (await lockPreparation(tx, session_id))!
  await lockLots(tx, session_id)
  return session
}

// Returns a check to repeat before the commit.
async function setNumber(tx: Context, uuid: string, lot: LockedLot, session: LockedSession, number: number) {
  if (lot.lot_number === number) return undefined
  const check = await checkRenumbering(tx, session)
  if ((await findNumbers(tx, session.id, [number])).length > 0)
    throw new Refusal(`the session has a lot ${number} already`, { reason: 'number_taken' })
  await touch(tx, 'lots', lot.id, { lot_number: number })
  await touch(tx, 'sessions', session.id, {})
  noteChange(tx, { kind: 'lot', uuid }, { lot_number: lot.lot_number }, { lot_number: number })
  await writeClosingTimes(tx, session)
  return check
}

async function setStartingBid(tx: Context, uuid: string, id: string, amount: number | null, isConfirmed: boolean) {
  const { published, finished, result_state, closes_at, starting_bid, time } = await readOffer(tx, id)
  if (amount === starting_bid) return
  // No close counts in preparation, as no opening does: it may be typed wrongly.
  const isShown = published || result_state !== null
  const name = `the lot ${printId('lot', uuid)}`
  if (finished) throw new Refusal(`the session of ${name} is finished`, { reason: 'finished' })
  if (isShown && closes_at !== null && closes_at <= time) throw new Refusal(`${name} has closed`, { reason: 'closed' })
  if ((await findBiddenLot(tx, uuid))!.has_bids) throw new Refusal(`${name} has had a bid`, { reason: 'has_bids' })
  const doubt = amount === null || isConfirmed ? undefined : describeDoubt(tx, amount, await readEstimate(tx, id))
  if (doubt !== undefined) throw new Refusal(doubt, { field: 'starting_bid' })
  await touch(tx, 'lots', id, { starting_bid: amount === null ? null : String(amount) })
  const money = (value: number | null) => (value === null ? null : { amount: value, currency: tx.house.currency })
  noteChange(tx, { kind: 'lot', uuid }, { starting_bid: money(starting_bid) }, { starting_bid: money(amount) })
}

/** Archives a lot, as `changeLot` does. */
export const archiveLot = (context: Context, uuid: string): Promise<Written> =>
  changeLot(context, uuid, { archived: true })

/**
 * Adds lots to one session, as `addLots` does, and returns their documents as a list.
 * @throws Refusal if there is no such session; LotsRefusal
 */
export async function addLotsToSession(
  context: Context,
  session: string,
  lots: readonly Omit<NewLot, 'session'>[],
): Promise<Written> {
  return refuseTaken(
    inTransaction(context, async (tx) => {
      requireRecord('session', session, (await lockFlags(tx, [session]))[0])
      const added = await add(
        tx,
        lots.map((lot) => ({ ...lot, session })),
        true,
        true,
      )
      const json = `[${added.join(',')}]`
      // Lots that are not created have no ids.
      return { json: tx.write?.isRehearsal ? json.replaceAll(/"id":"lot_[^"]*"/g, '"id":null') : json }
    }),
  )
}
