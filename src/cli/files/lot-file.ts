import type { Context } from '../../context.ts'
import type { Source } from '../../load/source.ts'
import type { Cause, FieldError } from '../../problems.ts'
import type { Printer } from '../../sentences.ts'
import { int32 } from '../../values/bounds.ts'
import { groupBy } from '../../values/groups.ts'
import { readAmountColumn, resolveAmount, type TypedAmount } from './amount-column.ts'
import { CommandError, describeInRow } from '../command-error.ts'
import { findNames, type NamedRecord, type Names } from '../names.ts'
import { FileFaults, readRowFile, readWhole, refusingRows, type Read } from './row-file.ts'
import { findDoubts } from '../doubts.ts'
import { addLots, type NewLot } from '../../lots/adding.ts'
import { rehearse } from '../confirm.ts'

/** A lot of a file: its line, and its session by id or external reference. */
export type NumberedLot = { line: number; session: string; number: number }

/** The name of a file, and its lots, at least one. */
export type LotFile<Lot extends NumberedLot> = { name: string; lots: Lot[] }

/** A lot to add: also its item by id or external reference, and its starting bid in minor units or as typed. */
type NamedLot = NumberedLot & { item: string; starting_bid: TypedAmount | null }

/**
 * How the lots of a file are taken: whether bare integers are units, whether doubtful starting bids are right, whether
 * the lots are late ones, and whether their items may be offered again.
 */
export type AddOptions = {
  units?: boolean | undefined
  yes?: boolean | undefined
  active?: boolean | undefined
  again?: boolean | undefined
}

/** How a command prints what a refusal names, by the names that were typed. */
export type Print = (names: Names) => Printer

/** The added lots of one session: the session, and their documents in the order of the file. */
export type AddedLots = { session: NamedRecord; documents: string[] }

/**
 * Adds the lots of a file, all or none. Calls `announce` with each session before any change.
 * @throws CommandError
 */
export async function addLotsOfFile(
  context: Context,
  { name: file, lots }: LotFile<NamedLot>,
  { units, yes, active, again }: AddOptions,
  announce: (session: NamedRecord, lots: number) => void,
  print: Print,
): Promise<AddedLots[]> {
  const { house } = context
  const faults = new FileFaults(file)
  const bids = lots.map(({ line, starting_bid }) =>
    resolveAmount(faults, line, starting_bid, { currency: house.currency, units }),
  )
  const find = (kind: 'session' | 'item') =>
    findNames(context.db, house, kind, [...new Set(lots.map((lot) => lot[kind]))])
  const [sessions, items] = [await find('session'), await find('item')]
  const records = lots.flatMap(({ line, number, ...named }) => {
    const [session, item] = [sessions.get(named.session)!, items.get(named.item)!]
    if (session instanceof CommandError) faults.add(line, 'session', session.message)
    if (item instanceof CommandError) faults.add(line, 'item', item.message)
    if (session instanceof CommandError || item instanceof CommandError) return []
    faults.addTwin(line, 'number', `${session.uuid} ${number}`, `the number ${number}`)
    return [{ session, item }]
  })
  faults.refuse()

  const bySession = groupBy(records.keys(), (index) => records[index]!.session.uuid)
  const groups = Array.from(bySession.values(), (indices) => ({ session: records[indices[0]!]!.session, indices }))
  for (const { session, indices } of groups) announce(session, indices.length)
  const added = lots.map(({ number }, index): NewLot => {
    const { session, item } = records[index]!
    return { session: session.uuid, item: item.uuid, lot_number: number, starting_bid: bids[index]!, active, again }
  })
  const names = new Map(records.flatMap(({ session, item }) => [...session.names, ...item.names]))
  const printer = print(names)
  const lines = lots.map(({ line }) => line)
  const describe = (fault: FieldError | Cause, index: number): [string, string] => [
    nameColumn(fault, lots[index]!),
    describeInRow(fault, printer, house),
  ]
  const add = (context: Context) => refusingRows({ name: file, lines }, describe, addLots(context, added))
  const typed = added.map(({ item, starting_bid }) => ({ uuid: item, starting_bid }))
  for (const [index, doubt] of (yes ? [] : await findDoubts(context, 'item', typed)).entries())
    if (doubt !== undefined) faults.add(lots[index]!.line, lots[index]!.starting_bid!.column, doubt)
  // What the rules refuse comes before the doubts.
  if (faults.problems.length > 0) await rehearse(context, add)
  faults.refuse()
  const documents = await add(context)
  return groups.map(({ session, indices }) => ({ session, documents: indices.map((index) => documents[index]!) }))
}

const columnsOfRecords: Record<string, string> = { lot: 'number', session: 'session', item: 'item' }

// A number that is taken has no record if a line before it, or another command, takes it.
function nameColumn(fault: FieldError | Cause, { starting_bid }: NamedLot): string {
  if (!('field' in fault)) return columnsOfRecords[fault.record?.kind ?? 'lot']!
  if (fault.field === 'active') return 'session'
  return { lot_number: 'number', starting_bid: starting_bid?.column }[fault.field] ?? fault.field
}

const columns = ['session', 'item', 'number', 'starting_bid', 'starting_bid_minor']

const readNumberedLot = (line: number, read: Read): NumberedLot => ({
  line,
  session: read('session', readName, 'a reference or an id'),
  number: read('number', (value) => readWhole(value, int32.minimum, int32.maximum), 'a lot number'),
})

/**
 * The lots that a file names by session and number. Other columns are ignored.
 * @throws CommandError
 */
export async function readNumberedLots(source: Source): Promise<LotFile<NumberedLot>> {
  const shape = { rows: 'lots', columns, needed: ['session', 'number'] }
  return { name: source.name, lots: await readRowFile(source, shape, readNumberedLot) }
}

/**
 * The lots to add that a file names by session, item and number, with an optional starting bid.
 * @throws CommandError, also for JSON with `units`
 */
export async function readNamedLots(source: Source, { units }: AddOptions): Promise<LotFile<NamedLot>> {
  const shape = { rows: 'lots', columns, needed: ['session', 'item', 'number'], units }
  const lots = await readRowFile(source, shape, (line, read, isJson) => {
    const item = read('item', readName, 'a reference or an id')
    return { item, ...readNumberedLot(line, read), starting_bid: readAmountColumn(read, 'starting_bid', isJson, 0) }
  })
  return { name: source.name, lots }
}

const readName = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
