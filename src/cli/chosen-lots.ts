import type { Context } from '../context.ts'
import { setLotsActive } from '../lots/switching.ts'
import { groupBy } from '../values/groups.ts'
import type { Printer } from '../sentences.ts'
import { printId } from '../values/ids.ts'
import { CommandError, describeInRow } from './command-error.ts'
import { describeNameless, listLotsOf, numberLotsOf, type SessionLot } from './session-lots.ts'
import { findNames, type NamedRecord, type Names } from './names.ts'
import { FileFaults, refusingRows } from './files/row-file.ts'
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
  const lots = await listLotsOf(context, session)
  if (lots.length === 0) throw new CommandError(`the session ${place} has no lots`)
  const isIn = ({ first, last }: Range, number: number | null) => number !== null && number >= first && number <= last
  const empty = ranges?.filter((range) => !lots.some(({ lot_number }) => isIn(range, lot_number))) ?? []
  if (empty.length > 0) {
    const wanted = empty.map(({ first, last }) => `${place}/${first}${first === last ? '' : ` to ${last}`}`)
    throw new CommandError(`there is no lot ${wanted.join(', nor ')}`)
  }
  const chosen = ranges ? lots.filter(({ lot_number }) => ranges.some((range) => isIn(range, lot_number))) : lots
  return {
    uuids: chosen.map(({ uuid, lot_number }) => {
      if (uuid === undefined) throw new CommandError(describeNameless(`lot ${lot_number ?? '-'}`))
      return uuid
    }),
  }
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
  const faults = new FileFaults(file)
  const sessions = await findNames(context.db, context.house, 'session', [...new Set(named.map((lot) => lot.session))])
  const numbered = new Map<string, Map<number | null, SessionLot>>()
  for (const session of sessions.values())
    if (!(session instanceof CommandError)) numbered.set(session.uuid, await numberLotsOf(context, session.uuid))
  const found = named.flatMap(({ line, session: name, number }) => {
    const session = sessions.get(name)!
    if (session instanceof CommandError) {
      faults.add(line, 'session', session.message)
      return []
    }
    const lot = numbered.get(session.uuid)!.get(number)
    if (!lot) faults.add(line, 'number', `there is no lot ${name}/${number}`)
    else if (lot.uuid === undefined) faults.add(line, 'number', describeNameless(`lot ${number}`))
    else if (!faults.addTwin(line, 'number', lot.uuid, `the lot ${number}`)) return [{ line, session, uuid: lot.uuid }]
    return []
  })
  faults.refuse()
  const bySession = groupBy(found, ({ session }) => session.uuid)
  for (const lots of bySession.values()) announce(lots[0]!.session, lots.length)
  const printer = print(new Map(found.flatMap(({ session }) => [...session.names])))
  return { uuids: found.map(({ uuid }) => uuid), file: { name: file, lines: found.map(({ line }) => line), printer } }
}

/**
 * Switches lots on or off, as `setLotsActive` does.
 * @throws Problem, or CommandError with all that hinders the lots of a file
 */
export function switchLots(context: Context, { uuids, file }: ChosenLots, active: boolean) {
  const switched = setLotsActive(context, uuids, active)
  if (!file) return switched
  return refusingRows(
    file,
    (fault) => ['field' in fault ? 'number' : 'session', describeInRow(fault, file.printer, context.house)],
    switched,
  )
}
