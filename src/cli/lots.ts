import { Command } from 'commander'
import type { Static } from 'typebox'
import { addLot, archiveLot } from '../backoffice/lots.ts'
import { requireId } from '../backoffice/named-records.ts'
import type { Lot } from '../lots/schema.ts'
import type { Money } from '../values/money.ts'
import { describeCommand, printResult, wholeNumber, type CommonOptions } from './command.ts'
import { withRecord } from './named-records.ts'

type LotDocument = Static<typeof Lot> & { starting_bid: Money | null; current_bid: Money | null }

const printMoney = ({ amount, currency }: Money) => `${amount} (minor units, ${currency})`

/** Prints the document of a lot; without --json in one line. An archived lot is shown as it was before. */
export function printLot(document: string, options: CommonOptions, isArchived = false): Promise<void> {
  return printResult(JSON.parse(document) as LotDocument, options, (lot) => {
    const { id, lot_number, title, active, starting_bid, current_bid, closes_at } = lot
    const states = isArchived ? ['archived'] : [active ? 'active' : 'inactive']
    if (current_bid) states.push(`current bid ${printMoney(current_bid)}`)
    else if (starting_bid) states.push(`starting bid ${printMoney(starting_bid)}`)
    if (closes_at !== null) states.push(`closes at ${closes_at}`)
    return `lot ${lot_number ?? '-'} ${id} "${title}": ${states.join(', ')}`
  })
}

type AddOptions = CommonOptions & { session: string; item: string; number: number; startingBid?: number }

const add = describeCommand('add', 'Add a lot to an unfinished session. It is inactive until it is switched on.')
  .requiredOption('--session <id>', 'the id of the session that gets the lot')
  .requiredOption('--item <id>', 'the id of the item that the lot offers')
  .requiredOption(
    '--number <n>',
    'the lot number, which no other lot of the session may have',
    wholeNumber(-2_147_483_648, 2_147_483_647),
  )
  .option('--starting-bid <minor>', 'the lowest first bid, in minor units (cents)', wholeNumber(0))
  .action((options: AddOptions) => {
    const item = requireId('item', options.item)
    return withRecord('session', options.session, async (context, session) => {
      const lot = { session, item, lot_number: options.number, starting_bid: options.startingBid ?? null }
      await printLot(await addLot(context, lot), options)
    })
  })

const archive = describeCommand('archive', 'Archive a lot: it is no longer shown, and its number is free again.')
  .argument('<id>', 'the id of the lot')
  .action((id: string, options: CommonOptions) =>
    withRecord('lot', id, async (context, uuid) => printLot(await archiveLot(context, uuid), options, true)),
  )

/** `catalogue lots …` */
export const lotsCommand = new Command('lots').description('Lots of sessions.').addCommand(add).addCommand(archive)
