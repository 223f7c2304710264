import { Command } from 'commander'
import { placeBid } from '../backoffice/bids.ts'
import { describeCommand, wholeNumber, type CommonOptions } from './command.ts'
import { printLot } from './lots.ts'
import { withRecord } from './named-records.ts'

const place = describeCommand('place', 'Record a bid on a lot of a running sale.')
  .requiredOption('--lot <id>', 'the id of the lot')
  .requiredOption('--amount <minor>', 'the bid, in minor units (cents)', wholeNumber(1))
  .action((options: CommonOptions & { lot: string; amount: number }) =>
    withRecord('lot', options.lot, async (context, lot) =>
      printLot(await placeBid(context, { lot, amount: options.amount }), options),
    ),
  )

/** `catalogue bids …` */
export const bidsCommand = new Command('bids').description('Bids.').addCommand(place)
