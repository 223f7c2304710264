import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { CsvError, parse } from 'csv-parse/sync'
import type { Context } from '../../context.ts'
import { LoadError } from '../../load/errors.ts'
import type { Source } from '../../load/source.ts'
import { parseId } from '../../values/ids.ts'
import type { NewNumber } from '../../sales/order.ts'
import { listLots } from '../list-queries.ts'
import { CommandError } from '../command-error.ts'
import { readWhole } from './row-file.ts'
import { int32 } from '../../values/bounds.ts'

/** A lot as it is now, with the number that it gets. */
export type PlannedNumber = NewNumber & { old: number | null; title: string | null }

const headings = ['lot', 'item', 'number', 'reference', 'external_reference', 'id']

async function readRows({ name: file, stream }: Source) {
  const bytes = await buffer(stream)
  if (!isUtf8(bytes)) throw new CommandError(`${file} is not UTF-8: save it as "CSV UTF-8"`)
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  try {
    const rows = parse(text, {
      delimiter: /[,;\t]/.exec(text)?.[0] ?? ',',
      info: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      relax_column_count: true,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    const [first] = rows
    const hasHeadings = first !== undefined && headings.includes(first.record[0]!.toLowerCase())
    return rows.slice(hasHeadings ? 1 : 0).map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandError(new LoadError({ file, line: Number(error['lines']) }, '', error.message).message)
  }
}

/**
 * The numbers that a file gives the lots of a session: a line for each unarchived lot, by its item's reference or id, its
 * own id or its present number, in the new order. A second column has the new numbers; without it they begin at 1.
 * @throws CommandError with a line for each problem
 */
export async function planOrder(context: Context, session: string, source: Source): Promise<PlannedNumber[]> {
  const rows = await readRows(source)
  const { name: file } = source
  const lots = await listLots(context, { session })
  const problems: string[] = []
  const lines = new Map<string | null, number>()
  const numbers = new Map<number, number>()
  const isNumbered = rows.some(({ cells }) => (cells[1] ?? '') !== '')
  const planned = rows.flatMap(({ line, cells }, index): PlannedNumber[] => {
    const refuse = (field: string, problem: string) => {
      problems.push(new LoadError({ file, line }, field, problem).message)
      return []
    }
    const [name = '', given = ''] = cells
    if (cells.slice(2).some((cell) => cell !== '')) return refuse('', 'a line has a lot and, if you like, its number')
    const [lotId, itemId] = [parseId('lot', name), parseId('item', name)]
    const found = lots.filter(
      ({ id, item, item_reference, lot_number }) =>
        item_reference === name ||
        (/^-?\d{1,10}$/.test(name) && lot_number === Number(name)) ||
        (lotId !== undefined && id !== null && parseId('lot', id) === lotId) ||
        (itemId !== undefined && item !== null && parseId('item', item) === itemId),
    )
    const [lot, other] = found
    if (other) {
      const which = found.map(({ lot_number, id }) => `${lot_number ?? '-'} (${id ?? '-'})`).join(' and ')
      return refuse('lot', `"${name}" may be the lots ${which}: use an id`)
    }
    const uuid = lot?.id ? parseId('lot', lot.id) : undefined
    if (!lot || uuid === undefined) return refuse('lot', `the session has no lot "${name}", by number, item or id`)
    const twin = lines.get(lot.id)
    if (twin !== undefined) return refuse('lot', `line ${twin} has the lot ${lot.lot_number ?? '-'} too`)
    lines.set(lot.id, line)
    const lot_number = isNumbered ? readWhole(given, int32.minimum, int32.maximum) : index + 1
    if (lot_number === undefined) return refuse('number', `"${given}" is not a lot number`)
    const same = numbers.get(lot_number)
    if (same !== undefined) return refuse('number', `line ${same} has the number ${lot_number} too`)
    numbers.set(lot_number, line)
    return [{ lot: uuid, lot_number, old: lot.lot_number, title: lot.title }]
  })
  const missing = lots.filter(({ id }) => !lines.has(id)).map(({ lot_number }) => lot_number ?? '-')
  if (missing.length > 0) problems.push(`${file}: these lots are missing: ${missing.join(', ')}`)
  if (problems.length > 0) throw new CommandError(problems)
  return planned
}
