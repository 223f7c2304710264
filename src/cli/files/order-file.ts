import type { Context } from '../../context.ts'
import type { Source } from '../../load/source.ts'
import { parseId, printId } from '../../values/ids.ts'
import type { NewNumber } from '../../sales/order.ts'
import { listLotsOf } from '../session-lots.ts'
import { FileFaults, parseCsv, readText, readWhole } from './row-file.ts'
import { int32 } from '../../values/bounds.ts'

/** A lot as it is now, with the number that it gets. */
export type PlannedNumber = NewNumber & { old: number | null; title: string | null }

type ItemOfLot = { item: { id: string | null; external_reference: string | null } }

const headings = ['lot', 'item', 'number', 'reference', 'external_reference', 'id']

/**
 * The numbers that a file gives the lots of a session: a line for each unarchived lot, by its item's reference or id, its
 * own id or its present number, in the new order. A second column has the new numbers; without it they begin at 1.
 * @throws CommandError with a line for each problem
 */
export async function planOrder(context: Context, session: string, source: Source): Promise<PlannedNumber[]> {
  const all = parseCsv<string[]>(source.name, await readText(source), { relax_column_count: true })
  const rows = all.slice(headings.includes(all[0]?.record[0]!.toLowerCase() ?? '') ? 1 : 0)
  const lots = await listLotsOf<ItemOfLot>(context, session, { expand: ['item'] })
  const faults = new FileFaults(source.name)
  const named = new Set<string | undefined>()
  const isNumbered = rows.some(({ record }) => (record[1] ?? '') !== '')
  const planned = rows.flatMap(({ line, record: [name = '', given = '', ...others] }, index): PlannedNumber[] => {
    const refuse = (field: string, problem: string) => {
      faults.add(line, field, problem)
      return []
    }
    if (others.some((cell) => cell !== '')) return refuse('', 'a line has a lot and, if you like, its number')
    const number = /^-?\d{1,10}$/.test(name) ? Number(name) : NaN
    const ids = (['lot', 'item'] as const).flatMap((kind): (string | null)[] => {
      const uuid = parseId(kind, name)
      return uuid === undefined ? [] : [printId(kind, uuid)]
    })
    const found = lots.filter(
      ({ id, item, lot_number }) =>
        item.external_reference === name || lot_number === number || ids.includes(id) || ids.includes(item.id),
    )
    const [lot, other] = found
    if (other) {
      const which = found.map(({ lot_number, id }) => `${lot_number ?? '-'} (${id ?? '-'})`).join(' and ')
      return refuse('lot', `"${name}" may be the lots ${which}: use an id`)
    }
    if (lot?.uuid === undefined) return refuse('lot', `the session has no lot "${name}", by number, item or id`)
    const { uuid, lot_number: old, title } = lot
    if (faults.addTwin(line, 'lot', uuid, `the lot ${old ?? '-'}`)) return []
    named.add(uuid)
    const lot_number = isNumbered ? readWhole(given, int32.minimum, int32.maximum) : index + 1
    if (lot_number === undefined) return refuse('number', `"${given}" is not a lot number`)
    if (faults.addTwin(line, 'number', lot_number, `the number ${lot_number}`)) return []
    return [{ lot: uuid, lot_number, old, title }]
  })
  const missing = lots.filter(({ uuid }) => !named.has(uuid)).map(({ lot_number }) => lot_number ?? '-')
  if (missing.length > 0) faults.problems.push(`${source.name}: these lots are missing: ${missing.join(', ')}`)
  faults.refuse()
  return planned
}
