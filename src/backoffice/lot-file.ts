import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { CsvError, parse } from 'csv-parse/sync'
import type { Context } from '../context.ts'
import { LoadError, messageOf } from '../load/errors.ts'
import type { Source } from '../load/source.ts'
import { addLots, LotsRefusal, type NewLot } from './lots.ts'
import { findNames, type NamedRecord } from './named-records.ts'
import { Refusal } from './refusal.ts'

/** A lot of a file: its line, and its session by id or external reference. */
export type NumberedLot = { line: number; session: string; number: number }

/** The name of a file, and its lots, one at least. */
export type LotFile<Lot extends NumberedLot> = { name: string; lots: Lot[] }

/** A lot to add: also its item by id or external reference. The starting bid is in minor units. */
export type NamedLot = NumberedLot & { item: string; starting_bid: number | null }

/** A file of lots that was refused, of which nothing was added. Each problem is `FILE:LINE: field: what is wrong`. */
export class LotFileRefusal extends Refusal {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.length === 1 ? problems[0]! : `no lot was added: there are ${problems.length} problems`)
    this.problems = problems
  }
}

/** The lots of one session that were added: the session, and their documents in the order of the file. */
export type AddedLots = { session: NamedRecord; documents: string[] }

/**
 * Adds the lots of a file, all or none. `announce` hears of each session before anything is changed.
 * @throws LotFileRefusal
 */
export async function addLotsOfFile(
  context: Context,
  { name: file, lots }: LotFile<NamedLot>,
  announce: (session: NamedRecord, lots: number) => void,
): Promise<AddedLots[]> {
  const problems: string[] = []
  const refuse = ({ line }: NumberedLot, field: string, problem: string) =>
    void problems.push(new LoadError({ file, line }, field, problem).message)
  const find = (kind: 'session' | 'item') =>
    findNames(context.db, context.house, kind, [...new Set(lots.map((lot) => lot[kind]))])
  const [sessions, items] = [await find('session'), await find('item')]
  const places = new Map<string, number>()
  const records = lots.flatMap((lot) => {
    const [session, item] = [sessions.get(lot.session)!, items.get(lot.item)!]
    if (session instanceof Refusal) refuse(lot, 'session', session.message)
    if (item instanceof Refusal) refuse(lot, 'item', item.message)
    if (session instanceof Refusal || item instanceof Refusal) return []
    const place = `${session.uuid} ${lot.number}`
    const twin = places.get(place)
    if (twin === undefined) places.set(place, lot.line)
    else refuse(lot, 'number', `line ${twin} has the number ${lot.number} too`)
    return [{ session, item }]
  })
  if (problems.length > 0) throw new LotFileRefusal(problems)

  const bySession = Map.groupBy(records.keys(), (index) => records[index]!.session.uuid)
  const groups = Array.from(bySession.values(), (indices) => ({ session: records[indices[0]!]!.session, indices }))
  for (const { session, indices } of groups) announce(session, indices.length)
  const added = lots.map(({ number, starting_bid }, index): NewLot => {
    const { session, item } = records[index]!
    return { session: session.uuid, item: item.uuid, lot_number: number, starting_bid }
  })
  try {
    const documents = await addLots(context, added)
    return groups.map(({ session, indices }) => ({ session, documents: indices.map((index) => documents[index]!) }))
  } catch (error) {
    if (!(error instanceof LotsRefusal)) throw error
    for (const { index, field, problem } of error.problems)
      refuse(lots[index]!, field === 'lot_number' ? 'number' : field, problem)
    throw new LotFileRefusal(problems)
  }
}

type Row = { line: number; fields: Record<string, unknown> }

const columns = ['session', 'item', 'number', 'starting_bid']

const expect = (needed: string[]) => {
  const others = columns.filter((name) => !needed.includes(name))
  return `a file of lots has ${needed.join(', ')} and, if you like, ${others.join(', ')}`
}

// Reads a value of a row. The refusal says what it should have been.
type Read = <T>(field: string, parse: (value: unknown) => T | undefined, right: string) => T

// The file is CSV with headings (separated by commas, semicolons or tabs) or newline-delimited JSON.
async function readFile<Lot extends NumberedLot>(
  source: Source,
  needed: string[],
  readLot: (line: number, read: Read) => Lot,
): Promise<LotFile<Lot>> {
  const bytes = await buffer(source.stream).catch((error: unknown) => {
    throw new Refusal(`${source.name} cannot be read: ${messageOf(error)}`)
  })
  if (!isUtf8(bytes)) throw new Refusal(`${source.name} is not UTF-8: save it as "CSV UTF-8"`)
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const readRows = text.trimStart().startsWith('{') ? readJsonLines : readCsv
  const rows = readRows(source.name, text, needed)
  if (rows.length === 0) throw new Refusal(`${source.name} has no lots`)
  const problems: string[] = []
  const lots = rows.map(({ line, fields }) =>
    readLot(line, <T>(field: string, parse: (value: unknown) => T | undefined, right: string): T => {
      const value = parse(fields[field])
      if (value === undefined) {
        const problem = `${JSON.stringify(fields[field] ?? '')} is not ${right}`
        problems.push(new LoadError({ file: source.name, line }, field, problem).message)
      }
      return value as T
    }),
  )
  if (problems.length > 0) throw new LotFileRefusal(problems)
  return { name: source.name, lots }
}

const readNumberedLot = (line: number, read: Read): NumberedLot => ({
  line,
  session: read('session', readName, 'a reference or an id'),
  number: read('number', (value) => readWhole(value, -2_147_483_648, 2_147_483_647), 'a lot number'),
})

/**
 * The lots that a file names by session and number; what else it says of them is not looked at.
 * @throws LotFileRefusal
 */
export const readNumberedLots = (source: Source): Promise<LotFile<NumberedLot>> =>
  readFile(source, ['session', 'number'], readNumberedLot)

/**
 * The lots to add that a file names by session, item and number, with a starting bid where there is one.
 * @throws LotFileRefusal
 */
export const readNamedLots = (source: Source): Promise<LotFile<NamedLot>> =>
  readFile(source, ['session', 'item', 'number'], (line, read) => ({
    item: read('item', readName, 'a reference or an id'),
    ...readNumberedLot(line, read),
    starting_bid: read(
      'starting_bid',
      (value) => ((value ?? '') === '' ? null : readWhole(value, 0)),
      'an amount: a whole number of minor units (cents)',
    ),
  }))

const readName = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

function readWhole(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
    ? number
    : undefined
}

function checkNames(file: string, line: number, names: string[], needed: string[]): void {
  const unknown = names.find((name) => !columns.includes(name))
  if (unknown !== undefined)
    throw new LotFileRefusal([new LoadError({ file, line }, unknown, `is not known: ${expect(needed)}`).message])
}

// The names of columns have no separators, so the first of them in the headings is the one.
function readCsv(file: string, text: string, needed: string[]): Row[] {
  const delimiter = /[,;\t]/.exec(text)?.[0] ?? ','
  const checkHeadings = (headings: string[]) => {
    const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s-]+/g, '_'))
    checkNames(file, 1, names, needed)
    const missing = needed.find((name) => !names.includes(name))
    if (missing !== undefined)
      throw new LotFileRefusal([new LoadError({ file, line: 1 }, missing, `is missing: ${expect(needed)}`).message])
    return names
  }
  try {
    const rows = parse(text, {
      delimiter,
      columns: checkHeadings,
      info: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as { record: Record<string, string>; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ line: info.lines, fields: record }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new LotFileRefusal([new LoadError({ file, line: Number(error['lines']) }, '', error.message).message])
  }
}

function readJsonLines(file: string, text: string, needed: string[]): Row[] {
  return text.split('\n').flatMap((json, index) => {
    if (json.trim() === '') return []
    const line = index + 1
    try {
      const fields = Object(JSON.parse(json)) as Record<string, unknown>
      checkNames(file, line, Object.keys(fields), needed)
      return [{ line, fields }]
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new LotFileRefusal([new LoadError({ file, line }, '', 'the line is not JSON').message])
    }
  })
}
