import type { Static } from 'typebox'
import type { Names } from '../../names.ts'
import type { ListedLot } from '../../../lots/list-queries.ts'
import type { Lot } from '../../../lots/schema.ts'
import type { Money } from '../../../values/money.ts'
import { printMoney } from '../../../values/typed-money.ts'
import { printResult, type CommonOptions } from '../../command.ts'
import { printTime } from '../../times.ts'

/** A lot as the interface shows it, without expansions. */
export type LotDocument = Static<typeof Lot> & {
  session: string
  starting_bid: Money | null
  current_bid: Money | null
  result: Result | null
}

/**
 * Prints the document of a lot. Without --json it is one line, with the command's name for the lot or its session. An
 * archived lot is shown as it was before.
 */
export function printLot(document: string, names: Names, options: CommonOptions, isArchived = false): Promise<void> {
  return printResult(JSON.parse(document) as LotDocument, options, (lot) => {
    const { id, session, lot_number, title, active, starting_bid, current_bid, closes_at, notice } = lot
    const states = isArchived ? ['archived'] : [active ? 'active' : 'inactive']
    if (current_bid) states.push(`current bid ${printMoney(current_bid)}`)
    else if (starting_bid) states.push(`starting bid ${printMoney(starting_bid)}`)
    if (lot.result) states.push(describeResult(lot.result, names))
    if (notice !== null) states.push(`notice "${notice}"`)
    if (closes_at !== null) states.push(`closes ${printTime(closes_at, options)}`)
    const place = names.get(session)
    const name = names.get(id) ?? (place === undefined ? `${lot_number ?? '-'} ${id}` : `${place}/${lot_number}`)
    return `lot ${name} "${title}": ${states.join(', ')}`
  })
}

type Result = NonNullable<ListedLot['result']>

// `sold for € 450,00 after the sale`, or `unsold`.
function describeResult({ state, amount, after_sale, with: carrier }: Result, names: Names): string {
  const price = amount ? ` for ${printMoney(amount)}` : ''
  const together = carrier === null ? '' : ` together with ${names.get(carrier) ?? carrier}`
  return `${state}${price}${after_sale ? ' after the sale' : ''}${together}`
}
