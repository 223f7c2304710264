import { Command } from 'commander'
import { describeCommand, houseOption, utcOption, wholeNumber, type CommonOptions } from '../command.ts'
import { printLot } from './lots.ts'
import { changeRecords } from './named-records.ts'

const place = describeCommand('place', 'Record a bid on a lot of a running sale.')
  .requiredOption('--lot <id>', 'the id of the lot, or SESSION/NUMBER')
  .requiredOption('--amount <minor>', 'the bid, in minor units (cents)', wholeNumber(1))
  .option(...houseOption)
  .option(...utcOption)
  .action((options: CommonOptions & { lot: string; amount: number }) =>
    changeRecords({ lot: options.lot }, options, async (context, { lot }, names) => {
      const { placeBid } = await import('../../backoffice/bids.ts')
      await printLot(await placeBid(context, { lot, amount: options.amount }), names, options)
    }),
  )

/** `catalogue bids …` */
export const bidsCommand = new Command('bids').description('Bids.').addCommand(place)
