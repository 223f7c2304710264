import type { Context } from '../context.ts'
import { setLotsActive } from '../lots/switching.ts'
import { programName } from '../values/program.ts'
import type { Printer } from '../sentences.ts'
import { parseId, printId } from '../values/ids.ts'
import { CommandError } from './command-error.ts'
import { listLots } from './list-queries.ts'
import { findNames, type NamedRecord, type Names } from './names.ts'
import { refuseFile, refusingRows, type RowFault } from './files/row-file.ts'
import type { LotFile, NumberedLot, Print } from './files/lot-file.ts'

/** Lot numbers from the first to the last, inclusive. */
export type Range = { first: number; last: number }

/** Lots to switch, by their UUIDs. If a file names them: also the line of each lot, and how it names their sessions. */
export type ChosenLots = { uuids: string[]; file?: { name: string; lines: number[]; printer: Printer } }

/**
 * The unarchived lots of a session, or those with numbers in one of the ranges. `names`: those that the command used.
 * @throws CommandError if there are no such lots, naming every empty range
 */
export async function chooseLots(
  context: Context,
  session: string,
  names: Names,
  ranges?: Range[],
): Promise<ChosenLots> {
  const id = printId('session', session)
  const place = names.get(id) ?? id
  const lots = await listLots(context, { session })
  if (lots.length === 0) throw new CommandError(`the session ${place} has no lots`)
  const isIn = ({ first, last }: Range, number: number | null) => number !== null && number >= first && number <= last
  const empty = ranges?.filter((range) => !lots.some(({ lot_number }) => isIn(range, lot_number))) ?? []
  if (empty.length > 0) {
    const wanted = empty.map(({ first, last }) => `${place}/${first}${first === last ? '' : ` to ${last}`}`)
    throw new CommandError(`there is no lot ${wanted.join(', nor ')}`)
  }
  const chosen = ranges ? lots.filter(({ lot_number }) => ranges.some((range) => isIn(range, lot_number))) : lots
  return { uuids: chosen.map((lot) => uuidOf(lot.lot_number, lot.id)) }
}

function uuidOf(number: number | null, id: string | null): string {
  const uuid = id === null ? undefined : parseId('lot', id)
  if (uuid === undefined)
    throw new CommandError(`the lot ${number ?? '-'} has no id, and cannot be used (see: ${programName} doctor)`)
  return uuid
}

/**
 * The lots that a file names by session and number, such as the file that added them. Calls `announce` with each
 * session.
 * @throws CommandError
 */
export async function findLotsOfFile(
  context: Context,
  { name: file, lots: named }: LotFile<NumberedLot>,
  announce: (session: NamedRecord, lots: number) => void,
  print: Print,
): Promise<ChosenLots> {
  const faults: RowFault[] = []
  const sessions = await findNames(context.db, context.house, 'session', [...new Set(named.map((lot) => lot.session))])
  const numbers = new Map<string, Map<number | null, string | null>>()
  for (const session of sessions.values()) {
    if (session instanceof CommandError) continue
    const lots = await listLots(context, { session: session.uuid })
    numbers.set(session.uuid, new Map(lots.map((lot) => [lot.lot_number, lot.id])))
  }
  const found = new Map<string, number>()
  const counts = new Map<string, { session: NamedRecord; lots: number }>()
  for (const { line, session: name, number } of named) {
    const refuse = (column: string, problem: string) => void faults.push({ line, column, problem })
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
      if (first !== undefined) refuse('number', `line ${first} has the lot ${number} too`)
      found.set(parseId('lot', id)!, first ?? line)
      counts.set(session.uuid, { session, lots: (counts.get(session.uuid)?.lots ?? 0) + 1 })
    }
  }
  if (faults.length > 0) throw refuseFile(file, faults)
  for (const { session, lots } of counts.values()) announce(session, lots)
  const names = new Map(Array.from(counts.values(), ({ session }) => [...session.names]).flat())
  return { uuids: [...found.keys()], file: { name: file, lines: [...found.values()], printer: print(names) } }
}

/**
 * Switches lots on or off, as `setLotsActive` does.
 * @throws Problem, or CommandError with all that hinders the lots of a file
 */
export function switchLots(context: Context, { uuids, file }: ChosenLots, active: boolean) {
  const switched = setLotsActive(context, uuids, active)
  if (!file) return switched
  const columnOf = (fault: object) => ('field' in fault ? 'number' : 'session')
  return refusingRows(file, { printer: file.printer, house: context.house }, columnOf, switched)
}
