import type { Context } from '../../context.ts'
import { inTransaction } from '../../writes/transaction.ts'
import { LoadError } from '../../load/errors.ts'
import { lockForSwitch, switchLots, type Hindrances } from '../../lots/lots.ts'
import { describeObstacle } from '../../sessions/preparation.ts'
import { parseId, printId } from '../../values/ids.ts'
import { programName } from '../../program.ts'
import type { LotFile, NumberedLot } from './lot-file.ts'
import { LotsRefusal, readLots, type LotProblem } from './lots.ts'
import { describeMissing, findNames, useNames, type NamedRecord, type Names } from '../named-records.ts'
import { listLots } from '../list-queries.ts'
import { CommandError } from '../command-error.ts'
import { Refusal } from '../refusal.ts'
import { RowFileRefusal } from '../row-file.ts'

/** Lot numbers from the first to the last, inclusive. */
export type Range = { first: number; last: number }

/** Lots to switch, by their UUIDs. If a file names them: also the line of each lot and the names of the sessions. */
export type ChosenLots = { uuids: string[]; lines?: { file: string; line: number }[]; names?: Names }

/**
 * The unarchived lots of a session, or those with numbers in one of the ranges.
 * @throws Refusal if there are no such lots, naming every empty range
 */
export async function chooseLots(context: Context, session: string, ranges?: Range[]): Promise<ChosenLots> {
  const lots = await listLots(context, { session })
  if (lots.length === 0) throw new Refusal(`the session ${printId('session', session)} has no lots`)
  const isIn = ({ first, last }: Range, number: number | null) => number !== null && number >= first && number <= last
  const empty = ranges?.filter((range) => !lots.some(({ lot_number }) => isIn(range, lot_number))) ?? []
  if (empty.length > 0) {
    const place = printId('session', session)
    const wanted = empty.map(({ first, last }) => `${place}/${first}${first === last ? '' : ` to ${last}`}`)
    throw new Refusal(`there is no lot ${wanted.join(', nor ')}`)
  }
  const chosen = ranges ? lots.filter(({ lot_number }) => ranges.some((range) => isIn(range, lot_number))) : lots
  return { uuids: chosen.map((lot) => uuidOf(lot.lot_number, lot.id)) }
}

function uuidOf(number: number | null, id: string | null): string {
  const uuid = id === null ? undefined : parseId('lot', id)
  if (uuid === undefined)
    throw new Refusal(`the lot ${number ?? '-'} has no id, and cannot be used (see: ${programName} doctor)`)
  return uuid
}

/**
 * The lots that a file names by session and number, such as the file that added them. Calls `announce` with each
 * session.
 * @throws RowFileRefusal
 */
export async function findLotsOfFile(
  context: Context,
  { name: file, lots: named }: LotFile<NumberedLot>,
  announce: (session: NamedRecord, lots: number) => void,
): Promise<ChosenLots> {
  const problems: string[] = []
  const sessions = await findNames(context.db, context.house, 'session', [...new Set(named.map((lot) => lot.session))])
  const numbers = new Map<string, Map<number | null, string | null>>()
  for (const session of sessions.values()) {
    if (session instanceof CommandError) continue
    const lots = await listLots(context, { session: session.uuid })
    numbers.set(session.uuid, new Map(lots.map((lot) => [lot.lot_number, lot.id])))
  }
  const found = new Map<string, { file: string; line: number }>()
  const counts = new Map<string, { session: NamedRecord; lots: number }>()
  for (const { line, session: name, number } of named) {
    const place = { file, line }
    const refuse = (field: string, problem: string) => void problems.push(new LoadError(place, field, problem).message)
    const session = sessions.get(name)!
    if (session instanceof CommandError) {
      refuse('session', session.message)
      continue
    }
    const id = numbers.get(session.uuid)!.get(number)
    if (id === undefined) refuse('number', `there is no lot ${name}/${number}`)
    else if (id === null)
      refuse('number', `the lot ${number} has no id, and cannot be used (see: ${programName} doctor)`)
    else {
      const first = found.get(parseId('lot', id)!)
      if (first) refuse('number', `line ${first.line} has the lot ${number} too`)
      found.set(parseId('lot', id)!, first ?? place)
      counts.set(session.uuid, { session, lots: (counts.get(session.uuid)?.lots ?? 0) + 1 })
    }
  }
  if (problems.length > 0) throw new RowFileRefusal(problems)
  for (const { session, lots } of counts.values()) announce(session, lots)
  const names = new Map(Array.from(counts.values(), ({ session }) => [...session.names]).flat())
  return { uuids: [...found.keys()], lines: [...found.values()], names }
}

/** The documents of the lots, and how many of them were switched. */
export type SwitchedLots = { documents: string[]; changed: number }

/**
 * Switches lots on or off, all or none, under the conditions of the interface (section 3). A lot that already has the
 * wanted value stays unchanged, in any state of its session. Returns the documents in the order of the lots.
 * @throws Refusal (LotsRefusal, RowFileRefusal) if a lot may not be switched now, or could not be shown
 */
export async function setLotsActive(context: Context, chosen: ChosenLots, active: boolean): Promise<SwitchedLots> {
  const { uuids, lines, names = new Map() } = chosen
  try {
    return await inTransaction(context, (tx) => switchChosen(tx, uuids, active))
  } catch (error) {
    if (!(error instanceof LotsRefusal) || !lines) throw error
    const describe = ({ index, field, problem }: LotProblem) =>
      new LoadError(lines[index]!, field === 'lot_number' ? 'number' : field, useNames(problem, names)).message
    throw new RowFileRefusal(error.problems.map(describe))
  }
}

async function switchChosen(tx: Context, uuids: string[], active: boolean): Promise<SwitchedLots> {
  const locked = await lockForSwitch(tx, uuids)
  const found = new Set(locked.lots.map((lot) => lot.public_id))
  const refuse = ({ obstacles, unnumbered }: Hindrances) => {
    const withoutNumber = new Set(unnumbered.map((lot) => lot.public_id))
    const ofLots = uuids.flatMap((uuid, index): LotProblem[] => {
      const because = (problem: string): LotProblem[] => [{ index, field: 'lot_number', problem }]
      if (!found.has(uuid)) return because(describeMissing('lot', uuid, tx.house))
      return withoutNumber.has(uuid) ? because(`the lot ${printId('lot', uuid)} has no number`) : []
    })
    const ofSessions = obstacles.map(({ session, obstacle, first }): LotProblem => {
      const named = `session ${printId('session', session.public_id ?? '')}`
      const problem = `the ${describeObstacle(obstacle, named)}`
      return { index: uuids.indexOf(first.public_id!), field: 'session', problem }
    })
    const problems = [...ofLots, ...ofSessions]
    if (problems.length > 0) throw new LotsRefusal(problems)
  }
  const read = async (changed: unknown[]) => ({ documents: await readLots(tx, uuids), changed: changed.length })
  return switchLots(tx, locked, active, refuse, read)
}
